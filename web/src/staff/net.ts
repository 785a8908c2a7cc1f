import { words } from "../words/words.svelte.ts";

/** What was won or lost, without cents where there are none. */
export function net(cents: number): string {
  return `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${words.money(Math.abs(cents))}`;
}
