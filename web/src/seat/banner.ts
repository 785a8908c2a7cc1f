/** What the header says: one sentence about what happens now, and what kind of moment it is. Nothing else says it. */

import { isWhyNot } from "../offers.ts";
import type { Call } from "../shared/calls.ts";
import type { SeatView } from "../wire.ts";
import { fill } from "../words/fill.ts";
import { words } from "../words/words.svelte.ts";

/** `open`: bets may be placed; `hurry`: not for long; `closed`; `shoot`: the dice are this player's; `waits`: the seat or the
 * table waits for someone. */
export type Tone = "open" | "hurry" | "closed" | "shoot" | "waits";

export interface Banner {
  readonly tone: Tone;
  /** What the roll is about, while bets are open. */
  readonly about: string;
  readonly says: string;
}

/** Why nothing can be bet at this seat, whatever the round does. */
function waiting({ shared, hand_pay_cents, lockups, reserved_until_ms }: SeatView): string {
  const { messages, seat } = words.text;
  if (shared.paused) return messages.paused;
  if (shared.locked_up || hand_pay_cents || lockups.length) return messages.locked_up;
  return reserved_until_ms ? seat.is_reserved : "";
}

/** Nothing can be bet before money is put in. */
export function hasNoMoney(view: SeatView): boolean {
  return !view.credit_cents && !view.bet_cents && !waiting(view);
}

/** What the button says that leads to money: it can be put in here, or someone brings it. */
export function moneyText({ shared }: SeatView): string {
  return words.text.buttons[shared.emulator ? "insert" : "add_money"];
}

/** `call`: the stickman's last. */
export function banner(view: SeatView, call: Call | null): Banner {
  const { shared, offers } = view;
  const { messages, seat, calls } = words.text;
  const alone = (tone: Tone, says: string): Banner => ({ tone, about: "", says });
  const waits = waiting(view);
  if (waits) return alone("waits", waits);
  // A player alone at the table may throw while bets are open: then these are what is said.
  const mayShoot = !isWhyNot(offers.buttons["shoot"]);
  if (mayShoot && shared.phase !== "betting") return alone("shoot", seat.your_roll);
  if (shared.phase === "rolled") return alone("closed", call ? calls[call] : messages.result);
  if (call === "no_roll") return alone("closed", calls.no_roll);
  if (shared.phase !== "betting") return alone("closed", messages[shared.message]);
  if (hasNoMoney(view)) return alone("waits", seat.no_credit);
  const about = shared.puck ? fill(seat.point, { n: shared.puck }) : seat.come_out;
  return { tone: shared.message === "hurry_up" ? "hurry" : "open", about, says: messages[shared.message] };
}
