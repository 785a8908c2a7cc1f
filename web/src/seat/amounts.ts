/** What a chip bets, or takes off, of the amounts that a spot offers. */

import type { Amounts } from "../wire.ts";

/** What a chip bets where only steps may be bet: never more than it says, so that $5 on the Horn is $4. Nothing where
 * that is under the least. */
export function inSteps(chip_cents: number, [low, , step]: Amounts): number {
  const cents = Math.floor(chip_cents / step) * step;
  return cents < low ? 0 : cents;
}

/** What a chip takes off a wager, in steps; nothing said: all of it, for less may not stay. */
export function partOf(chip_cents: number, offer: Amounts): number | undefined {
  const [low, high] = offer;
  const cents = Math.max(low, inSteps(chip_cents, offer));
  return cents <= high ? cents : undefined;
}
