/** Messages for players, from a view and the one before it: a roll that does not count, one that was corrected, and a
 * jackpot. */

import type { Dice, JackpotWon, NoRoll, Shared } from "../wire.ts";

export type Notice =
  | { readonly kind: "no_roll"; readonly why: NoRoll }
  | { readonly kind: "jackpot"; readonly won: readonly JackpotWon[]; readonly envy_cents: number }
  | { readonly kind: "reversed"; readonly dice: Dice; readonly total: number };

/** The parts of a view that `notice` reads. */
export type Told = Pick<Shared, "phase" | "round" | "history" | "no_rolls" | "jackpots" | "envy_cents">;

export function lastRoll({ history }: Pick<Shared, "history">): Shared["history"][number] | undefined {
  return history.findLast((past) => past.dice);
}

/** A roll has just counted that did not before. A correction is none: it stays in the phase `rolled`, or goes back. */
export function isFreshRoll(before: Told, after: Told): boolean {
  return after.phase === "rolled" && before.phase !== "rolled" && after.round >= before.round;
}

/** What happened from one view to the next that players must know. For the first view that is a jackpot or a
 * correction, but not an earlier "no roll". */
export function notice(before: Told | undefined, after: Told): Notice | null {
  const earlier = before?.no_rolls ?? after.no_rolls;
  const why = Object.keys(after.no_rolls).find((reason) => after.no_rolls[reason]! > (earlier[reason] ?? 0));
  if (why) return { kind: "no_roll", why: why as NoRoll };
  if (after.jackpots.length && (!before || isFreshRoll(before, after)))
    return { kind: "jackpot", won: after.jackpots, envy_cents: after.envy_cents };
  const [was, is] = [before && lastRoll(before), lastRoll(after)];
  if (!is?.dice || !is.instead_of) return null;
  const known = was?.instead_of?.join() === is.instead_of.join() && was.dice?.join() === is.dice.join();
  return known ? null : { kind: "reversed", dice: is.dice, total: is.total };
}
