/** How the special games of a seat stand, for the felt. */

import { rungs, type Rung } from "../felt/pays.ts";
import type { Placard, SeatView, WagerView } from "../wire.ts";

export interface Sides {
  readonly collected: Readonly<Record<string, readonly number[]>>;
  readonly points: Readonly<Record<string, number>>;
  readonly ladders: Readonly<Record<string, { rungs: readonly Rung[]; count: number; names?: readonly string[] }>>;
}

const SETS = ["lucky_roller", "bonus", "lucky_shooter", "make_em_all"];
const CLIMBING = ["lucky_shooter", "hot_shooter", "make_em_all", "fired_up"];

/** `meter` writes what a progressive meter reads; `jackpots` are the names of the top rungs, the lowest first. */
export function sides(
  view: SeatView,
  placard: Placard | null,
  meter: (name: string) => string,
  jackpots: readonly string[],
): Sides {
  const wagers = Object.values(view.wagers);
  const of = (game: string): readonly WagerView[] => wagers.filter(({ bet }) => bet.split(".")[0] === game);
  const hits = (game: string) => of(game).flatMap((wager) => wager.hits ?? []);
  // Lammers of Bonus Craps lie for all to see, whoever bets.
  const collected = SETS.map((game) => [game, game === "bonus" ? view.shared.seen : hits(game)] as const);
  const climbing = CLIMBING.flatMap((game) => {
    const card = placard?.bets[game];
    if (!card) return [];
    const hot = game === "hot_shooter";
    const count = hot ? view.shared.roll_count : hits(game).length;
    return [[game, { rungs: rungs(card, meter), count, ...(hot && { names: jackpots }) }] as const];
  });
  return {
    collected: Object.fromEntries(collected),
    points: { lucky_shooter: of("lucky_shooter")[0]?.point ?? 0 },
    ladders: Object.fromEntries(climbing),
  };
}
