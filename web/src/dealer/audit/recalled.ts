/** A round as its events tell it: nothing is worked out again, only put side by side. */

import type { Stack } from "../../felt/chips.ts";
import type { Dice } from "../../wire.ts";
import { DECIDED, type BetsClosed, type DiceRolled, type RollVoided, type Round, type RoundEvent, type Settled, type SettledLine } from "./desk.ts";

export interface RecalledSeat {
  readonly seat: number;
  readonly sits_out: boolean;
  readonly paid_cents: number;
  readonly wagers: readonly { readonly spot: string; readonly stake_cents: number; readonly line?: SettledLine }[];
}

export interface Recalled {
  readonly seq: number;
  readonly at_ms: number;
  /** Where it lay; 0 where it was off, or nobody knows. */
  readonly puck: number;
  readonly dice: Dice | null;
  readonly rollCount: number;
  readonly shooter: number;
  readonly power: Readonly<Record<string, "low" | "high">>;
  readonly noRolls: readonly string[];
  readonly voided: readonly RollVoided[];
  readonly envy_cents: number;
  /** By spot, what all seats had there. */
  readonly stacks: Readonly<Record<string, Stack>>;
  readonly seats: readonly RecalledSeat[];
}

/** Dice that were taken back are followed by those that counted: the last ones did. */
export function recalled({ seq, at_ms, puck, events }: Round): Recalled {
  const closed = last(events, "bets_closed") as BetsClosed | undefined;
  const rolled = last(events, "dice_rolled") as DiceRolled | undefined;
  const settled = last(events, "settled") as Settled | undefined;
  const chosen = last(events, "shooter_chosen");
  return {
    seq,
    at_ms,
    puck: puck ?? 0,
    dice: rolled?.dice ?? null,
    rollCount: rolled?.roll_count ?? 0,
    shooter: chosen?.event === "shooter_chosen" ? chosen.seat : 0,
    power: closed?.power ?? {},
    noRolls: events.flatMap((event) => (event.event === "no_roll_called" ? [event.reason] : [])),
    voided: events.filter((event) => event.event === "roll_voided"),
    envy_cents: settled?.envy_cents ?? 0,
    stacks: stacks(closed),
    seats: (closed?.seats ?? []).map((each) => {
      const did = settled?.seats?.find(({ seat }) => seat === each.seat);
      const wagers = Object.entries(each.felt.wagers ?? {}).map(([spot, { stake_cents }]) => {
        const line = did?.lines.find((one) => one.spot === spot);
        return { spot, stake_cents, ...(line && { line }) };
      });
      return { seat: each.seat, sits_out: each.sits_out ?? false, paid_cents: did?.paid_cents ?? 0, wagers };
    }),
  };
}

function last(events: readonly RoundEvent[], name: RoundEvent["event"]): RoundEvent | undefined {
  return events.findLast(({ event }) => event === name);
}

function stacks(closed: BetsClosed | undefined): Record<string, Stack> {
  const found: Record<string, { cents: number }> = {};
  for (const { felt } of closed?.seats ?? []) {
    for (const [spot, { stake_cents, released }] of Object.entries(felt.wagers ?? {})) {
      if (!released) found[spot] = { cents: (found[spot]?.cents ?? 0) + stake_cents };
    }
  }
  return found;
}

/** What became of a wager; one that the roll did nothing to stands. */
export function outcome(line: SettledLine | undefined): (typeof DECIDED)[number] {
  return DECIDED[line?.decided ?? 0] ?? "nothing";
}
