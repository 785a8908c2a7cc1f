/** The texts of the office in the chosen language; only that language is loaded. */

import type { Language } from "../words/words.svelte.ts";
import { settingWords, type SettingWords } from "./settings.ts";
import { en, type OfficeWords } from "./words/en.ts";

const CATALOGUES: Record<Language, () => Promise<OfficeWords>> = {
  en: async () => en,
  es: async () => (await import("./words/es.ts")).es,
  zh: async () => (await import("./words/zh.ts")).zh,
};

class OfficeText {
  text = $state.raw<OfficeWords>(en);
  settings = $state.raw<SettingWords | null>(null);
  #chosen: Language = "en";

  /** Speak this language as soon as its words are here. */
  async choose(language: Language): Promise<void> {
    this.#chosen = language;
    const loading = Promise.all([CATALOGUES[language](), settingWords(language)]);
    const loaded = await loading.catch(() => null); // the page reports the failure where the reader chose
    if (loaded && this.#chosen === language) [this.text, this.settings] = loaded;
  }
}

export const officeText = new OfficeText();

/** The current texts; read them again wherever the language may change. */
export function office(): OfficeWords {
  return officeText.text;
}
