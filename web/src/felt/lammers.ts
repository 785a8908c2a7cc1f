/** What lammers say: which totals the wagers of a special game have seen. */

import type { Lammers } from "./shapes.ts";

/** By spot, totals; a spot without a wager is not there. */
export type Collected = Readonly<Record<string, readonly number[]>>;

/** The totals of a row that every wager waiting for them has seen, and those that only some have. `partly`: what of each
 * spot only some of its wagers have seen. */
export function seenOf({ bets, totals }: Lammers, collected: Collected, partly: Collected): [number[], number[]] {
  const counts = totals.map((total) => {
    const waiting = bets.filter(({ spot, collects = [] }) => spot in collected && collects.includes(total));
    const has = waiting.filter(({ spot }) => collected[spot]!.includes(total));
    const some = has.length > 0 || waiting.some(({ spot }) => partly[spot]?.includes(total));
    return { total, some, all: waiting.length > 0 && has.length === waiting.length };
  });
  return [
    counts.filter(({ all }) => all).map(({ total }) => total),
    counts.filter(({ some, all }) => some && !all).map(({ total }) => total),
  ];
}
