/** The words of the lessons, which only who learns loads: a page that imports this has them in `words.text`. */

import { en } from "./lessons/en.ts";
import { words } from "./words.svelte.ts";

void words.add(en, {
  en: async () => en,
  es: async () => (await import("./lessons/es.ts")).es,
  zh: async () => (await import("./lessons/zh.ts")).zh,
});
