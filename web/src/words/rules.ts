/** The words of rules, help, money and paper, which are loaded when the first panel opens or the first paper moves: who
 * imports this has them. */

import { en } from "./rules/en.ts";
import { words } from "./words.svelte.ts";

await words.add(en, {
  en: async () => en,
  es: async () => (await import("./rules/es.ts")).es,
  zh: async () => (await import("./rules/zh.ts")).zh,
});
