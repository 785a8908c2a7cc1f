/** Advice for a first-timer. */

import type { FeltSpot, SeatView } from "../wire.ts";
import type { PlayerCatalogue } from "../words/player/en.ts";
import { isWhyNot } from "../offers.ts";

export type Advice = keyof PlayerCatalogue["coach"];

/** The bet that a first-timer begins with. */
export function lineBet(felt: readonly FeltSpot[]): FeltSpot | undefined {
  return felt.find(({ role }) => role === "line");
}

/** What to do next, in plain words. */
export function advice(view: SeatView): Advice {
  const { shared, wagers, offers } = view;
  if (!isWhyNot(offers.buttons["shoot"])) return "shoot";
  if (shared.phase === "rolled") return view.win_cents ? "won" : "rolled";
  if (shared.phase !== "betting") return "closed";
  if (!view.credit_cents && !view.bet_cents) return shared.emulator ? "insert" : "buy_in";
  const line = lineBet(shared.felt)?.spot ?? "";
  if (!(line in wagers)) return shared.puck ? "bet_number" : "bet_line";
  if (!shared.puck) return "come_out";
  const backed = shared.felt.some(({ spot, odds_of }) => odds_of === line && spot in wagers);
  return backed || !offers.odds.length ? "point" : "odds";
}
