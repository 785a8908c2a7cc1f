/** The few bets that a first-timer sees. */

import type { FeltSpot } from "../wire.ts";

/** Whether only these are shown: if chips are held by other spots, all bets are. */
export function hidesOthers(easy: readonly FeltSpot[], held: ReadonlySet<string>): boolean {
  return [...held].every((id) => easy.some(({ spot }) => spot === id));
}
