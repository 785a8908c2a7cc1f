/** What staff do for a seat: refused by role, confirmed, and approved by a second person where the table wants two. */

import type { Screen } from "../screen.svelte.ts";
import type { DealerSeat, PaperOut, Request, Ticket, View } from "../wire.ts";
import { fill, named } from "../words/fill.ts";
import { words } from "../words/words.svelte.ts";
import { sure } from "./confirm.svelte.ts";
import type { Rights } from "./rights.svelte.ts";
import { askWithTwo } from "./second.svelte.ts";

export interface SeatDeed {
  readonly says: string;
  readonly request: Request;
  readonly main?: boolean;
  /** What is asked before it is done. */
  readonly asks?: string;
  /** What a second person reads, if not what the button says. */
  readonly what?: string;
}

/** Does it; says whether it was done. A refusal shows at this place of the screen. */
export async function doForSeat<V extends View>(
  screen: Screen<V>,
  rights: Rights,
  table: number,
  seat: number,
  at: string,
  { says, request, asks, what = says }: SeatDeed,
): Promise<boolean> {
  const no = rights.refusal(request.do);
  if (no) screen.refuse(at, no);
  if (no || (asks && !(await sure(asks, says)))) return false;
  return askWithTwo(screen, table, request, at, `${fill(words.text.seat.terminal, { n: seat })}: ${what}`);
}

export function payByHand(seat: number, cents: number, main = true): SeatDeed {
  const amount = words.meter(cents);
  const asks = fill(words.text.dealer.pay_ask, { n: seat, amount });
  return { says: fill(words.text.dealer.hand_pay, { amount }), request: { do: "pay_by_hand", seat }, main, asks };
}

export function clearLockup(seat: number): SeatDeed {
  return { says: words.text.dealer.clear, request: { do: "clear_lockup", seat }, main: true };
}

export function cancelPrint(seat: number, paper: PaperOut): SeatDeed {
  const says = words.text.dealer.cancel_print;
  const asks = fill(words.text.dealer.cancel_print_ask, { n: seat });
  return { says, request: { do: "cancel_print", seat }, asks, what: `${says} (${printMark(paper)})` };
}

/** A copy of a ticket from the printer of a seat. It cannot be redeemed. */
export function printCopy(seat: number, { number, cents }: Ticket): SeatDeed {
  const { copy, copy_ask } = words.text.dealer.behind_key;
  const asks = fill(copy_ask, { amount: words.meter(cents) });
  return { says: copy, request: { do: "print_copy", seat, number }, asks };
}

/** Whether staff may give up a printer: not while it works. */
export function mayCancelPrint({ offers = {} }: DealerSeat): boolean {
  return "cancel_print" in offers && offers["cancel_print"]?.why !== "printing";
}

/** What the printer is asked to print. */
export function printMark({ kind, cents }: PaperOut): string {
  return fill(words.text.dealer.prints[kind], { amount: words.meter(cents) });
}

/** What staff must see to at a seat: lock-ups, each by its open doors or faults where there are some. */
export function troubles({ lockups = [], doors = [], faults = {}, stacker_out = false }: DealerSeat): string[] {
  const text = words.text.dealer;
  const plain = lockups.filter((why) => !(why in faults) && (why !== "door" || !doors.length));
  return [
    ...plain.map((why) => named(text.lockups, why)),
    ...doors.map((door) => `${text.lockups.door}: ${named(text.doors, door)}`),
    ...Object.entries(faults).map(
      ([part, why]) => `${named(text.lockups, part)}: ${why.map((each) => named(text.faults, each)).join(", ")}`,
    ),
    ...(stacker_out ? [text.stacker_out] : []),
  ];
}
