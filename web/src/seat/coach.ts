/** What a first-timer is told, and the few bets that they see. */

import type { SeatView } from "../wire.ts";
import type { PlayerCatalogue } from "../words/player/en.ts";
import { isWhyNot } from "../offers.ts";

export type Advice = keyof PlayerCatalogue["coach"];

const EASY = /^(pass(\.odds)?|place\.\d+|field)$/;

/** The bets of easy mode; where chips lie on others, all bets stay in sight. */
export function fewBets({ wagers, shared }: SeatView): readonly string[] {
  const all = Object.keys(shared.limits.bets);
  const easy = Object.keys(wagers).every((spot) => EASY.test(spot));
  return easy ? all.filter((bet) => EASY.test(bet)) : all;
}

/** What to do next, in plain words. */
export function advice(view: SeatView): Advice {
  const { shared, wagers, offers } = view;
  if (!isWhyNot(offers.buttons["shoot"])) return "shoot";
  if (shared.phase === "rolled") return view.win_cents ? "won" : "rolled";
  if (shared.phase !== "betting") return "closed";
  if (!view.credit_cents && !view.bet_cents) return shared.demo ? "insert" : "buy_in";
  if (!("pass" in wagers)) return shared.puck ? "place" : "pass";
  if (!shared.puck) return "come_out";
  return "pass.odds" in wagers || !offers.odds.length ? "point" : "odds";
}
