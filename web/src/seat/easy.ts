/** The few bets that a first-timer sees. */

import type { FeltSpot, SeatView } from "../wire.ts";

/** Whether only these are shown: if there are chips on other bets, all bets are. */
export function hidesOthers(easy: readonly FeltSpot[], { wagers }: SeatView): boolean {
  return Object.keys(wagers).every((id) => easy.some(({ spot }) => spot === id));
}
