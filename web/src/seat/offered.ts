/** How offers are read. */

import type { Amounts, WhyNot } from "../wire.ts";

export function isWhyNot(offer: unknown): offer is WhyNot {
  return typeof offer === "object" && offer !== null && "why" in offer;
}

/** The amount for a chip where only steps may be bet: the next step, so that $5 on the six is $6. */
export function inSteps(chip_cents: number, [, , step]: Amounts): number {
  return Math.ceil(chip_cents / step) * step;
}
