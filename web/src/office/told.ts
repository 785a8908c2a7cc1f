/** What the desk tells. */

import type { Role } from "../staff/staff.svelte.ts";
import type { Mode, Phase } from "../wire.ts";

export interface TableRow {
  readonly number: number;
  readonly name: string;
  readonly served: boolean;
  /** Why its game is refused: how it differs from the meters that it plays. */
  readonly refused?: readonly string[];
  readonly title?: string;
  readonly fingerprint?: string;
  readonly seats?: number;
  readonly mode?: Mode;
  readonly phase?: Phase;
  readonly paused?: boolean;
  readonly dealer?: string;
  readonly round?: number;
  readonly records?: number;
  readonly screens?: number;
}

export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly allowed: string;
  /** Empty where it is typed. */
  readonly choices: readonly string[];
  readonly lock: string;
  readonly help: string;
}

export interface Settings {
  readonly game: string;
  readonly fingerprint: string;
  readonly settings: readonly Setting[];
}

interface Fed {
  readonly table: number;
  readonly side: string;
  readonly paytable: string;
  readonly base_cents: number;
  readonly increment_bp: number;
  readonly reserve_bp: number;
  readonly reset_cents: number;
  readonly cap_cents: number | null;
}

interface Hit {
  readonly at_ms: number;
  readonly table: number;
  readonly seat: number;
  readonly hit: number;
  readonly paid_cents: number;
  readonly voided: boolean;
}

/** What a meter owns, by the names of its settings. */
export const TERMS = ["seed_cents", "increment_bp", "reserve_bp", "cap_cents", "winners"] as const;
export type MeterTerms = Readonly<Record<(typeof TERMS)[number], number | string | null>>;

export interface Progressive {
  /** Its key: name, base and pay table. */
  readonly meter: string;
  readonly cents: number;
  readonly seed_cents: number;
  readonly reserve_cents: number;
  readonly hits: number;
  /** Nothing for a meter of an older journal, which no table plays. */
  readonly terms: MeterTerms | null;
  /** What it owns once it is won. */
  readonly waits: MeterTerms | null;
  readonly fed: readonly Fed[];
  readonly last: readonly Hit[];
}

export interface Moment {
  /** 0: the cage. */
  readonly stream: number;
  readonly seat: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly reason: string;
}

export interface Ticket {
  readonly number: string;
  readonly status: "unknown" | "good" | "expired" | "redeemed" | "voided";
  readonly kind: "cash_out" | "tip";
  readonly cents: number;
  readonly issued: Moment | null;
  readonly ended: Moment | null;
  readonly expires_at_ms: number;
}

export interface DrawerRow {
  readonly badge: string;
  readonly float_cents: number;
  /** Nothing of one's own: a count is made without knowing. */
  readonly held_cents: number | null;
}

export type ScreenKind = "seat" | "dealer" | "table" | "info" | "office";

export interface Place {
  readonly screen: ScreenKind;
  readonly table: number;
  readonly seat: number;
}

export interface Terminal {
  readonly terminal: string;
  readonly place: Place;
  readonly connected: boolean;
}

export interface Offer {
  readonly code: string;
  readonly place: Place;
  readonly expires_at_ms: number;
}

export type { Role };
export const ROLES: readonly Role[] = ["dealer", "pit_boss", "supervisor", "administrator"];

export interface Account {
  readonly badge: string;
  readonly label: string;
  readonly role: Role;
  readonly locked: boolean;
  /** Wrong passwords make it wait at some terminal. */
  readonly waits: boolean;
  readonly must_change: boolean;
}

export type Log = "significant" | "staff" | "settings";

export interface EventLine {
  readonly seq: number;
  readonly at_ms: number;
  readonly actor: string;
  readonly log: Log;
  readonly event: string;
  readonly seat?: number;
  readonly [detail: string]: unknown;
}

interface Stream {
  readonly stream: number;
  readonly served: boolean | null;
  readonly seq: number;
  readonly digest: string;
}

export interface Health {
  readonly ready: boolean;
  readonly now_ms: number;
  readonly database: string;
  readonly tls: boolean;
  readonly connections: number;
  /** Badges for which somebody tries passwords. */
  readonly alarms: readonly {
    readonly badge: string;
    readonly terminals: readonly string[];
    readonly failures: number;
    readonly until_ms: number;
  }[];
  readonly streams: readonly Stream[] | null;
  readonly checkpoint: {
    readonly problem?: string;
    readonly number?: number;
    readonly at_ms?: number;
    readonly heads?: Readonly<Record<string, readonly [number, string]>>;
  } | null;
  readonly lock: {
    readonly name: string;
    readonly digests: readonly string[];
    readonly local_network_only: boolean;
  } | null;
}
