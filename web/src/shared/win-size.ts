/** How a win is shown, by what it is of the stakes that the roll decided: at its spot, on a card, or on all of the
 * felt. */

import type { RollSum } from "../wire.ts";

export type WinSize = "none" | "glow" | "card" | "full";

const CARD_FROM = 5;
const FULL_ABOVE = 25;

export function winSize({ net_cents = 0, staked_cents = 0 }: RollSum): WinSize {
  if (net_cents <= 0) return "none";
  if (net_cents < CARD_FROM * staked_cents) return "glow";
  return net_cents <= FULL_ABOVE * staked_cents ? "card" : "full";
}
