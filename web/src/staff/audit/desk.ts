/** What the desk answers to the audit menus, and asking it. */

import { ask } from "../../house.ts";
import { words } from "../../words/words.svelte.ts";

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
  const answer = await ask<T & { says?: string; error?: string }>(path);
  if (!answer) throw new Error(words.text.dealer.no_answer);
  if (!answer.ok) throw new Error(answer.told.says ?? answer.told.error ?? String(answer.status));
  return answer.told;
}
