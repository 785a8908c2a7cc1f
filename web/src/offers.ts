/** How offers of the server are read. */

import type { WhyNot } from "./wire.ts";

export function isWhyNot(offer: unknown): offer is WhyNot {
  return typeof offer === "object" && offer !== null && "why" in offer;
}
