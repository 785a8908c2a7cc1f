/** What the desk answers to the audit menus, and asking it. */

import { get } from "../asked.ts";

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
  const told = await get<T>(path);
  if (!told.ok) throw new Error(told.says);
  return told.value;
}
