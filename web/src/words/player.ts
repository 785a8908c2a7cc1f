/** The words of player terminals, which only they load: a page that imports this has them in `words.text`. */

import { en } from "./player/en.ts";
import { words } from "./words.svelte.ts";

void words.add(en, {
  en: async () => en,
  es: async () => (await import("./player/es.ts")).es,
  zh: async () => (await import("./player/zh.ts")).zh,
});
