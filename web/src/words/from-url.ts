/** Displays are not touched: the address says their language, as `?lang=es`. */

import { languageOf, words, type Language } from "./words.svelte.ts";

/** The language that the address asks for; none: English. */
export function asked(): Language {
  return languageOf(new URLSearchParams(location.search).get("lang")) ?? "en";
}

export function chooseAsked(): void {
  void words.choose(asked());
}
