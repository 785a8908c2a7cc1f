/** The words of the staff's screens, which only they load: a page that imports this has them in `words.text`, and speaks
 * the language that was chosen there last, for signing in loads the page again. */

import { keep, recall } from "../kept.ts";
import { en } from "./staff/en.ts";
import { languageOf, words } from "./words.svelte.ts";

const KEPT = "stickman-staff-language";

/** More words for the page, as soon as they are there. */
export const added = words.add(en, {
  en: async () => en,
  es: async () => (await import("./staff/es.ts")).es,
  zh: async () => (await import("./staff/zh.ts")).zh,
});

/** From now on the page speaks the language that staff chose last, and keeps what they choose. */
export function speakToStaff(): void {
  words.keep = (language) => keep(KEPT, language);
  const kept = languageOf(recall(KEPT));
  if (kept) void words.choose(kept);
}
