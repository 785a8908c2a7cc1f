/** The words of the office, in the language that is chosen; only that language is loaded. */

import type { Language } from "../words/words.svelte.ts";
import { en, type OfficeWords } from "./words/en.ts";

const CATALOGUES: Record<Language, () => Promise<OfficeWords>> = {
  en: async () => en,
  es: async () => (await import("./words/es.ts")).es,
  zh: async () => (await import("./words/zh.ts")).zh,
};

class OfficeText {
  text = $state.raw<OfficeWords>(en);
  #chosen: Language = "en";

  /** Speak this language as soon as its words are here. */
  async choose(language: Language): Promise<void> {
    this.#chosen = language;
    const loaded = await CATALOGUES[language]().catch(() => null); // who chose it is told where they chose it
    if (loaded && this.#chosen === language) this.text = loaded;
  }
}

export const officeText = new OfficeText();

/** What the office says; read anew where the language may change. */
export function office(): OfficeWords {
  return officeText.text;
}

/** A name of the server's in our words, or itself made readable where there are none. */
export function named(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name.replaceAll("_", " ");
}
