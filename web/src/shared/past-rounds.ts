/** The last rounds as the journal has them: nothing is worked out again, only put side by side. */

import type { Stack } from "../felt/chips.ts";
import type { BetsClosed, Decided, Dice, NoRoll, RollVoided, Round, RoundEvent, SettledLine } from "../wire.ts";

export interface RecalledSeat {
  readonly seat: number;
  readonly sits_out: boolean;
  readonly paid_cents: number;
  /** What it had more or less after the roll. */
  readonly net_cents: number;
  readonly wagers: readonly RecalledWager[];
}

export interface RecalledWager {
  readonly spot: string;
  readonly stake_cents: number;
  /** What the roll did to it; without one, the wager stands. */
  readonly line?: SettledLine;
  /** What it won, with the award of a meter. */
  readonly paid_cents: number;
  readonly net_cents: number;
}

export interface Recalled {
  readonly seq: number;
  readonly at_ms: number;
  /** Where it lay; 0 where it was off, or nobody knows. */
  readonly puck: number;
  readonly dice: Dice | null;
  /** 0 where nothing was rolled. */
  readonly total: number;
  readonly rollCount: number;
  readonly shooter: number;
  /** A dealer entered the dice; otherwise the table drew them. */
  readonly entered: boolean;
  readonly power: Readonly<Record<string, "low" | "high">>;
  readonly noRolls: readonly NoRoll[];
  readonly voided: readonly RollVoided[];
  readonly envy_cents: number;
  /** By spot, what all seats had there. */
  readonly stacks: Readonly<Record<string, Stack>>;
  readonly seats: readonly RecalledSeat[];
}

/** Dice that were taken back are followed by those that counted: the last ones did. */
export function recalled({ seq, at_ms, puck, events }: Round): Recalled {
  const closed = last(events, "bets_closed");
  const rolled = last(events, "dice_rolled");
  const settled = last(events, "settled");
  const dice = rolled?.dice ?? null;
  return {
    seq,
    at_ms,
    puck: puck ?? 0,
    dice,
    total: dice ? dice[0] + dice[1] : 0,
    rollCount: rolled?.roll_count ?? 0,
    shooter: last(events, "shooter_chosen")?.seat ?? 0,
    entered: rolled !== undefined && !rolled.draw,
    power: closed?.power ?? {},
    noRolls: events.flatMap((event) => (event.event === "no_roll_called" ? [event.reason] : [])),
    voided: events.filter((event) => event.event === "roll_voided"),
    envy_cents: settled?.envy_cents ?? 0,
    stacks: stacks(closed),
    seats: (closed?.seats ?? []).map((each) => {
      const did = settled?.seats.find(({ seat }) => seat === each.seat);
      const wagers = Object.entries(each.felt.wagers ?? {}).map(([spot, { stake_cents }]) => {
        const line = did?.lines.find((one) => one.spot === spot);
        const won = (line?.payment?.paid_cents ?? 0) + (did?.awards?.[line?.meter ?? ""] ?? 0);
        return { spot, stake_cents, ...(line && { line }), paid_cents: won, net_cents: won - costs(line) };
      });
      const paid_cents = did?.paid_cents ?? 0;
      const net_cents = (did?.lines ?? []).reduce((cents, line) => cents - costs(line), paid_cents);
      return { seat: each.seat, sits_out: each.sits_out ?? false, paid_cents, net_cents, wagers };
    }),
  };
}

function last<N extends RoundEvent["event"]>(
  events: readonly RoundEvent[],
  name: N,
): Extract<RoundEvent, { event: N }> | undefined {
  return events.findLast((one): one is Extract<RoundEvent, { event: N }> => one.event === name);
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

function costs(line: SettledLine | undefined): number {
  return (line?.taken_cents ?? 0) + (line?.fee_cents ?? 0);
}

/** What became of a wager; one that the roll did nothing to stands. */
export function outcome(line: SettledLine | undefined): Decided {
  return line?.decided ?? "nothing";
}
