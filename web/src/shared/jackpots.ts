/** Jackpots in words. */

import type { JackpotWon } from "../wire.ts";
import { fill } from "../words/fill.ts";
import { words } from "../words/words.svelte.ts";

/** Who wins which, and how much; then what the dealers get for them. */
export function jackpotTexts(won: readonly JackpotWon[], envy_cents: number): string[] {
  const envy = fill(words.text.table.envy, { amount: words.money(envy_cents) });
  return [...won.map(jackpotText), ...(envy_cents ? [envy] : [])];
}

function jackpotText({ meter, seat, player, cents }: JackpotWon): string {
  const who = player || fill(words.text.seat.terminal, { n: seat });
  return fill(words.text.table.jackpot, { who, jackpot: words.bet(meter), amount: words.money(cents) });
}
