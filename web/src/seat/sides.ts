/** How the special games of a seat stand, for the felt. */

import type { Climb } from "../felt/pays.ts";
import { ladders, type Tops } from "../shared/ladders.ts";
import type { Placard, SeatView, WagerView } from "../wire.ts";

export interface Sides {
  readonly collected: Readonly<Record<string, readonly number[]>>;
  readonly points: Readonly<Record<string, number>>;
  readonly ladders: Readonly<Record<string, Climb>>;
}

const SETS = ["lucky_roller", "bonus", "lucky_shooter", "make_em_all"];

export function sides(view: SeatView, placard: Placard | null, tops: Tops): Sides {
  const wagers = Object.values(view.wagers);
  const of = (game: string): readonly WagerView[] => wagers.filter(({ bet }) => bet.split(".")[0] === game);
  const hits = (game: string) => of(game).flatMap((wager) => wager.hits ?? []);
  // Lammers of Bonus Craps lie for all to see, whoever bets.
  const collected = SETS.map((game) => [game, game === "bonus" ? view.shared.seen : hits(game)] as const);
  return {
    collected: Object.fromEntries(collected),
    points: { lucky_shooter: of("lucky_shooter")[0]?.point ?? 0 },
    ladders: ladders(placard, view.shared, (game) => hits(game).length, tops),
  };
}
