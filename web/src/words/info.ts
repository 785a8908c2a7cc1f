/** The texts of the information display, which only that page loads: a page that imports this has them in `words.text`. */

import { en } from "./info/en.ts";
import { words } from "./words.svelte.ts";

void words.add(en, {
  en: async () => en,
  es: async () => (await import("./info/es.ts")).es,
  zh: async () => (await import("./info/zh.ts")).zh,
});
