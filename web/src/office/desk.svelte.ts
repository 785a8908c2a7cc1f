/** What the office asks of the desk, and what came of it. */

import { ask } from "../house.ts";
import { Staff } from "../staff/staff.svelte.ts";
import type { Denial, FloorRefusal, Refusal } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

/** What was answered: a value, or a no in words. */
export type Told<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly says: string };

interface May {
  readonly desk: readonly string[];
  readonly table: readonly string[];
}

class Desk {
  readonly staff = new Staff();
  #may = $state.raw<May>({ desk: [], table: [] });
  /** Whose rights are known. */
  known = $state("");

  /** Learns what whoever is signed in may ask for. */
  async learn(): Promise<void> {
    const badge = this.staff.member?.badge ?? "";
    const told = await get<May>("/api/may");
    if (!told.ok) return;
    this.#may = told.value;
    this.known = badge;
  }

  /** Whether an endpoint (`POST /api/staff`) or a request at a table (`pause_table`) is theirs to ask. */
  may(what: string): boolean {
    return this.#may.desk.includes(what) || this.#may.table.includes(what);
  }
}

async function told<T>(path: string, request: RequestInit): Promise<Told<T>> {
  const answer = await ask<T>(path, request);
  if (!answer) return { ok: false, says: words.text.dealer.no_answer };
  if (answer.ok) return { ok: true, value: answer.told };
  if (answer.status === 401) void desk.staff.look();
  const busy = answer.status === 429 && !(answer.told as { why?: string }).why;
  return { ok: false, says: busy ? words.text.dealer.busy : no(answer.told) };
}

/** A refusal in our words; anything else in the server's, which say what is allowed. */
function no(answer: unknown): string {
  const { why, detail, error } = answer as Partial<Record<"why" | "detail" | "error", string>>;
  if (why) return words.why(why as Refusal | Denial | FloorRefusal, detail ?? "");
  return error ?? words.text.dealer.no_answer;
}

/** Asks to see something. A page that asks by itself only looks on, which keeps no session awake. */
export function get<T>(path: string, looksOn = false): Promise<Told<T>> {
  return told<T>(path, { headers: looksOn ? { "stickman-looks-on": "1" } : {} });
}

export function post<T>(path: string, body: object = {}): Promise<Told<T>> {
  return told<T>(path, { method: "POST", body: JSON.stringify(body) });
}

/** Something that is shown as the desk tells it, asked for anew now and then. */
export class Shown<T> {
  value = $state.raw<T | null>(null);
  says = $state("");
  #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async load(looksOn = false): Promise<void> {
    const told = await get<T>(this.#path, looksOn);
    this.says = told.ok ? "" : told.says;
    if (told.ok) this.value = told.value;
  }

  /** Loads it now and every so often; says how to stop. */
  follow(everyMs: number): () => void {
    void this.load();
    const following = setInterval(() => document.hidden || void this.load(true), everyMs);
    return () => clearInterval(following);
  }
}

export const desk = new Desk();
