/** The few bets that a first-timer sees. */

import type { FeltSpot, SeatView } from "../wire.ts";

/** Whether these are all that is shown: where chips lie on other bets, all bets stay in sight. */
export function hidesOthers(easy: readonly FeltSpot[], { wagers }: SeatView): boolean {
  return Object.keys(wagers).every((id) => easy.some(({ spot }) => spot === id));
}
