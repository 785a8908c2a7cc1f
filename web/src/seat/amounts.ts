/** Which of the amounts that a spot offers a chip bets, or takes off. */

import type { Amounts, SpotOffer } from "../wire.ts";
import { isWhyNot } from "../offers.ts";

/** A chip bets at most this multiple of its value. */
const AT_MOST = 1.5;

/** What a touch with a chip bets at a spot: the nearest amount whose win needs no rounding (`evens`, ruling 59), otherwise
 * the nearest that is allowed. Never more than 1.5 times the chip; 0 if the smallest amount is more. The screen shows it
 * before the touch. */
export function betOf(chip_cents: number, { place, evens }: Pick<SpotOffer, "place" | "evens">): number {
  if (isWhyNot(place)) return 0;
  return (evens && nearest(chip_cents, evens)) || nearest(chip_cents, place);
}

/** The amount of the range that is nearest to `cents`, of two the larger, at most `AT_MOST` times it; 0 if there is none. */
function nearest(cents: number, [low, high, step]: Amounts): number {
  const below = (wanted: number): number => low + Math.floor((wanted - low) / step) * step;
  const found = Math.max(low, Math.min(high, below(cents + step / 2)));
  const most = cents * AT_MOST;
  const fits = found <= most ? found : below(most);
  return fits < low ? 0 : fits;
}

/** How much a chip takes off a wager: whole steps, at least one. `undefined` is the whole wager, because what would stay is
 * less than may stay. */
export function partOf(chip_cents: number, [low, high, step]: Amounts): number | undefined {
  const cents = Math.max(low, Math.floor(chip_cents / step) * step);
  return cents <= high ? cents : undefined;
}
