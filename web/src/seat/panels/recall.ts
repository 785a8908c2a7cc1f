/** The last rounds of this seat, as the journal has them. */

import type { Dice } from "../../wire.ts";

export interface Round {
  readonly seq: number;
  readonly dice: Dice | null;
  readonly total: number;
  /** By spot, what lay when bets closed. */
  readonly lay: readonly (readonly [spot: string, cents: number])[];
  readonly paid_cents: number;
}

interface SeatTold {
  readonly felt: { readonly wagers?: Readonly<Record<string, { readonly stake_cents: number }>> };
  readonly paid_cents?: number;
}

interface EventTold {
  readonly event: string;
  readonly seats?: readonly SeatTold[];
  readonly dice?: Dice;
}

interface RoundTold {
  readonly seq: number;
  readonly events: readonly EventTold[];
}

/** A round of the answer; dice that were found wrong are followed by the right ones, so the last ones count. */
export function read({ seq, events }: RoundTold): Round {
  const last = (type: string) => events.findLast((event) => event.event === type);
  const dice = last("dice_rolled")?.dice ?? null;
  const wagers = last("bets_closed")?.seats?.[0]?.felt.wagers ?? {};
  const lay = Object.entries(wagers).map(([spot, { stake_cents }]) => [spot, stake_cents] as const);
  const paid_cents = last("settled")?.seats?.[0]?.paid_cents ?? 0;
  return { seq, dice, total: dice ? dice[0] + dice[1] : 0, lay, paid_cents };
}

/** The rounds in which this seat had something on the felt or saw the dice, the newest first. */
export async function recalled(): Promise<readonly Round[]> {
  const answer = await fetch("/api/recall");
  return answer.ok ? ((await answer.json()) as RoundTold[]).map(read).reverse() : [];
}
