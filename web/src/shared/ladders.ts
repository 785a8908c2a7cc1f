/** The special games that pay by how far they get, and those that wait for an order, as the felt shows them. */

import { rungs, type Climb, type PayWords, type Printed } from "../felt/pays.ts";
import type { Placard, Shared } from "../wire.ts";

/** How the top rungs are written. */
export interface Tops {
  /** What a progressive meter reads. */
  readonly meter: (name: string) => string;
  /** The names of the top rungs, the lowest first. */
  readonly jackpots: readonly string[];
  readonly write: PayWords;
}

/** By spot, its ladder; `hits` is how far a wager there has got. The roll count is the same for all. */
export function ladders(
  placard: Placard | null,
  { felt, roll_count }: Shared,
  hits: (spot: string) => number,
  { meter, jackpots, write }: Tops,
): Readonly<Record<string, Climb>> {
  const climbing = felt.flatMap(({ spot, bet, climbs, counts_rolls }) => {
    const card = climbs && placard?.bets[bet];
    if (!card) return [];
    const how = counts_rolls ? { count: roll_count, names: jackpots } : { count: hits(spot) };
    return [[spot, { rungs: rungs(card, meter, write), ...how }] as const];
  });
  return Object.fromEntries(climbing);
}

export type Sequences = Readonly<Record<string, readonly (readonly number[])[]>>;

/** By side bet that waits for totals in an order, those orders. */
export function sequences(placard: Placard | null): Sequences {
  const cards = Object.values(placard?.bets ?? {});
  return Object.fromEntries(cards.map(({ bet, side_bet }) => [bet, side_bet?.sequences ?? []]));
}

/** By spot of a special game that pays by how far it gets, the most that it pays: its meter, where it has one. */
export function bests(
  climbs: Readonly<Record<string, Climb>>,
  upTo: (pays: string) => string,
): Readonly<Record<string, Printed>> {
  const tops = Object.entries(climbs).map(([spot, { rungs }]) => [spot, rungs.at(-1)?.pays ?? ""] as const);
  return Object.fromEntries(tops.map(([spot, short]) => [spot, { long: upTo(short), short }]));
}
