/** What the stickman (the dealer who announces the dice) calls, as a key of the texts in `words`: shown as a caption, and
 * spoken where there is a voice. */

import type { Past, Shared } from "../wire.ts";
import type { Catalogue } from "../words/en.ts";
import { notice } from "./notices.ts";

export type Call = keyof Catalogue["calls"];

const HARD = [4, 6, 8, 10];

/** The call for an entry of the history: a roll or, without dice, the puck that was turned off by hand. */
export function callOf({ dice, total, mark }: Past): Call {
  if (!dice) return "put_off";
  if (mark === "seven_out" || mark === "point_made") return mark;
  const hard = HARD.includes(total) && dice[0] === dice[1];
  return `${hard ? "hard_" : "roll_"}${total}` as Call;
}

/** What is called after a change of the table; nothing if nothing new happened. */
export function called(before: Shared | null, now: Shared): Call | null {
  const told = before && notice(before, now); // a screen that has just connected calls no old notice
  const last = now.history.at(-1);
  if (told?.kind === "no_roll") return "no_roll";
  if (told?.kind === "reversed") return last ? callOf(last) : null;
  if (before?.phase === now.phase && before.message === now.message) return null; // "hurry up" has no phase of its own
  if (now.phase === "rolled") return before?.phase !== "rolled" && last ? callOf(last) : null;
  if (now.paused || now.message === "locked_up") return "paused";
  if (now.phase === "betting")
    return now.message === "hurry_up" ? "hurry_up" : now.puck ? "bets_point" : "bets_come_out";
  return before?.phase === "betting" || !before ? "no_more_bets" : null;
}
