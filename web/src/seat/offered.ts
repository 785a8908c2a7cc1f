/** How offers are read. */

import type { Amounts, WhyNot } from "../wire.ts";

export function isWhyNot(offer: unknown): offer is WhyNot {
  return typeof offer === "object" && offer !== null && "why" in offer;
}

/** The amount for a chip where only steps may be bet: the next step, so that $5 on the six is $6. */
export function inSteps(chip_cents: number, [, , step]: Amounts): number {
  return Math.ceil(chip_cents / step) * step;
}

/** What a chip takes off a wager, in steps; nothing said: all of it, for less may not stay. */
export function partOf(chip_cents: number, offer: Amounts): number | undefined {
  const [low, high] = offer;
  const cents = Math.max(low, inSteps(chip_cents, offer));
  return cents <= high ? cents : undefined;
}
