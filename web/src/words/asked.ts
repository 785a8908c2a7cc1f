/** Displays are not touched: the address says their language, as `?lang=es`. */

import { CATALOGUES, words, type Language } from "./words.svelte.ts";

export function chooseAsked(): void {
  const asked = new URLSearchParams(location.search).get("lang") ?? "";
  if (asked in CATALOGUES) words.choose(asked as Language);
}
