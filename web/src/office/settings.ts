/** What a setting does and may be, in the reader's language. The server says it in English; translations are data. */

import { ask } from "../http.ts";
import type { Language } from "../words/words.svelte.ts";

export interface SettingWords {
  /** By key; `*.on` is for every group of settings that has `on`. */
  readonly help: Readonly<Record<string, string>>;
  /** Patterns of phrases in what the server says is allowed, with their translation. */
  readonly allowed: readonly (readonly [string, string])[];
}

export async function settingWords(language: Language): Promise<SettingWords | null> {
  if (language === "en") return null;
  const answer = await ask<SettingWords>(`/assets/settings-${language}.json`, {});
  return answer?.ok ? answer.told : null;
}

export function helpOf(words: SettingWords | null, key: string, english: string): string {
  return words?.help[key] ?? words?.help[`*.${key.slice(key.lastIndexOf(".") + 1)}`] ?? english;
}

export function allowedIn(words: SettingWords | null, english: string): string {
  return (words?.allowed ?? []).reduce((text, [phrase, says]) => text.replace(new RegExp(phrase, "g"), says), english);
}
