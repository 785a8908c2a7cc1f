/** The special games that pay by how far they get, and those that wait for an order, as the felt shows them. */

import { rungs, type Climb } from "../felt/pays.ts";
import type { Placard, Shared } from "../wire.ts";

const CLIMBING = ["lucky_shooter", "hot_shooter", "make_em_all", "fired_up"];

/** How the top rungs are written. */
export interface Tops {
  /** What a progressive meter reads. */
  readonly meter: (name: string) => string;
  /** The names of the top rungs, the lowest first. */
  readonly jackpots: readonly string[];
}

/** By special game, its ladder; `hits` is how far a wager on it has got. The roll count is the same for all. */
export function ladders(
  placard: Placard | null,
  { roll_count }: Shared,
  hits: (game: string) => number,
  { meter, jackpots }: Tops,
): Readonly<Record<string, Climb>> {
  const climbing = CLIMBING.flatMap((game) => {
    const card = placard?.bets[game];
    if (!card) return [];
    const how = game === "hot_shooter" ? { count: roll_count, names: jackpots } : { count: hits(game) };
    return [[game, { rungs: rungs(card, meter), ...how }] as const];
  });
  return Object.fromEntries(climbing);
}

export type Sequences = Readonly<Record<string, readonly (readonly number[])[]>>;

/** By side bet that waits for totals in an order, those orders. */
export function sequences(placard: Placard | null): Sequences {
  const cards = Object.values(placard?.bets ?? {});
  return Object.fromEntries(cards.map(({ bet, side_bet }) => [bet, side_bet?.sequences ?? []]));
}
