/** What the desk answers to the audit menus, and asking it. */

import type { Dice } from "../../wire.ts";

export interface MeterPage {
  readonly tables: Readonly<Record<string, TableMeters>>;
  /** By meter, what it reads. */
  readonly progressives: Readonly<Record<string, { readonly cents: number; readonly hits: number }>>;
}

export interface TableMeters {
  readonly play: Readonly<Record<string, number>>;
  readonly cash: Readonly<Record<string, number>>;
  readonly under_a_cent: string;
}

export interface Round {
  readonly seq: number;
  readonly at_ms: number;
  /** Where it lay; none: not known. */
  readonly puck: number | null;
  readonly events: readonly RoundEvent[];
}

export type RoundEvent = BetsClosed | ShooterChosen | NoRollCalled | DiceRolled | Settled | RollVoided;

/** Fields that are at their defaults are left out. */
export interface BetsClosed {
  readonly event: "bets_closed";
  readonly seats?: readonly {
    readonly seat: number;
    readonly felt: { readonly wagers?: Readonly<Record<string, Lain>> };
    readonly bet_cents: number;
    readonly sits_out?: boolean;
  }[];
  readonly power?: Readonly<Record<string, "low" | "high">>;
}

export interface Lain {
  readonly stake_cents: number;
  readonly released?: boolean;
}

export interface ShooterChosen {
  readonly event: "shooter_chosen";
  readonly seat: number;
}

export interface NoRollCalled {
  readonly event: "no_roll_called";
  readonly reason: string;
}

export interface DiceRolled {
  readonly event: "dice_rolled";
  readonly dice: Dice;
  readonly roll_count: number;
  readonly seven_out: boolean;
}

export interface Settled {
  readonly event: "settled";
  readonly seats?: readonly SeatSettled[];
  readonly envy_cents?: number;
}

export interface SeatSettled {
  readonly seat: number;
  readonly lines: readonly SettledLine[];
  readonly paid_cents: number;
  readonly awards?: Readonly<Record<string, number>>;
}

export const DECIDED = ["nothing", "win", "lose", "push"] as const;

export interface SettledLine {
  readonly spot: string;
  readonly bet: string;
  readonly stake_cents: number;
  /** A place in `DECIDED`. */
  readonly decided: number;
  readonly payment?: { readonly paid_cents: number; readonly commission_cents: number };
  readonly returned_cents?: number;
  readonly taken_cents?: number;
  readonly to?: string;
  readonly meter?: string;
}

export interface RollVoided {
  readonly event: "roll_voided";
  readonly wrong: Dice;
  readonly by: string;
  readonly approver: string;
}

export interface EventPage {
  readonly events: readonly EventLine[];
  readonly after: number;
  readonly more: boolean;
}

export interface EventLine {
  readonly event: string;
  readonly seq: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly seat?: number;
  readonly [detail: string]: unknown;
}

export interface DealerRow {
  readonly dealer: string;
  readonly sign_ins: number;
  readonly rolls: number;
  readonly no_rolls: number;
  readonly reversals: number;
  readonly tips: number;
  readonly tips_cents: number;
  readonly envy_cents: number;
}

/** Asks the desk; throws what it says where it refuses. */
export async function desk<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  const told = (await answer.json()) as T & { says?: string; error?: string };
  if (!answer.ok) throw new Error(told.says ?? told.error ?? answer.statusText);
  return told;
}
