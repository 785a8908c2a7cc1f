/** What happens to paper at a seat, in the player's words. */

import "../words/rules.ts";
import type { PaperIn, PaperOut, Refusal } from "../wire.ts";
import { fill } from "../words/fill.ts";
import { words } from "../words/words.svelte.ts";

/** A bill or a ticket in the acceptor. */
export function paperInText({ kind, cents, why }: PaperIn): string {
  const text = words.text.paper;
  const amount = words.money(cents);
  return why
    ? fill(text[`${kind}_back`], { amount, why: words.why(why as Refusal, "") })
    : fill(text[kind], { amount });
}

/** What is printed for the player; what staff print is not announced. */
export function paperOutText({ kind }: PaperOut): string {
  return kind === "cash_out" || kind === "tip" ? words.text.paper.printing[kind] : "";
}
