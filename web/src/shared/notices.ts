/** What players are told between two views of the table: a roll that does not count, and one that was corrected. */

import type { Dice, NoRoll, Shared } from "../wire.ts";

export type Notice =
  | { readonly kind: "no_roll"; readonly why: NoRoll }
  | { readonly kind: "reversed"; readonly dice: Dice; readonly total: number };

/** What of a view it takes to tell. */
export type Told = Pick<Shared, "phase" | "round" | "history" | "no_rolls">;

export function lastRoll({ history }: Pick<Shared, "history">): Shared["history"][number] | undefined {
  return history.findLast((past) => past.dice);
}

/** Dice that were not there before, as they roll: not a correction of those that were. */
export function isFreshRoll(before: Told, after: Told): boolean {
  return after.phase === "rolled" && before.phase !== "rolled" && after.round >= before.round;
}

/** What happened from one view to the next that players must be told. A reversal goes back to the round of its roll. */
export function notice(before: Told, after: Told): Notice | null {
  const why = Object.keys(after.no_rolls).find((reason) => after.no_rolls[reason]! > (before.no_rolls[reason] ?? 0));
  if (why) return { kind: "no_roll", why: why as NoRoll };
  const [was, is] = [lastRoll(before)?.dice, lastRoll(after)];
  if (after.phase !== "rolled" || !was || !is?.dice) return null;
  const again = after.round === before.round && before.phase === "rolled" && was.join() !== is.dice.join();
  return again || after.round < before.round ? { kind: "reversed", dice: is.dice, total: is.total } : null;
}
