/** The words of the staff's screens, which only they load: a page that imports this has them in `words.text`. */

import { en } from "./staff/en.ts";
import { words } from "./words.svelte.ts";

void words.add(en, {
  en: async () => en,
  es: async () => (await import("./staff/es.ts")).es,
  zh: async () => (await import("./staff/zh.ts")).zh,
});
