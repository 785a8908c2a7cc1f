/** How the special games of a seat stand, for the felt. */

import type { Climb } from "../felt/pays.ts";
import { ladders, sequences, type Sequences, type Tops } from "../shared/ladders.ts";
import type { Placard, SeatView } from "../wire.ts";

export interface Sides {
  /** By side bet, the totals that this seat's wager has seen; all of them where it has won since the last 7. */
  readonly collected: Readonly<Record<string, readonly number[]>>;
  readonly fulfilled: readonly string[];
  readonly points: Readonly<Record<string, number>>;
  readonly ladders: Readonly<Record<string, Climb>>;
  readonly sequences: Sequences;
}

export function sides(view: SeatView, placard: Placard | null, tops: Tops): Sides {
  const wagers = Object.entries(view.wagers).map(([bet, { hits = [] }]) => [bet, hits] as const);
  const pointed = view.shared.felt.filter(({ own_point }) => own_point);
  const won = view.fulfilled.map((bet) => [bet, placard?.bets[bet]?.side_bet?.collects ?? []] as const);
  return {
    collected: Object.fromEntries([...wagers, ...won]),
    fulfilled: view.fulfilled,
    points: Object.fromEntries(pointed.map(({ spot }) => [spot, view.wagers[spot]?.point ?? 0])),
    ladders: ladders(placard, view.shared, (spot) => view.wagers[spot]?.hits?.length ?? 0, tops),
    sequences: sequences(placard),
  };
}
