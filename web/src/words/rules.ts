/** The words of rules and help, which are loaded when the first panel opens: who imports this has them. */

import { en } from "./rules/en.ts";
import { words } from "./words.svelte.ts";

await words.add(en, {
  en: async () => en,
  es: async () => (await import("./rules/es.ts")).es,
  zh: async () => (await import("./rules/zh.ts")).zh,
});
