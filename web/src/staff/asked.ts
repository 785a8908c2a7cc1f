/** What staff ask of the desk, and what came of it: a value, or a no in words. */

import { ask } from "../http.ts";
import type { Denial, Detailed, FloorRefusal, Reason, Refusal } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

type Why = Reason | Refusal | Denial | FloorRefusal;
export type Told<T> = { readonly ok: true; readonly value: T } | No;

export interface No {
  readonly ok: false;
  /** The refusal's name, where the server refused. */
  readonly why: string;
  readonly says: string;
  /** 0: there was no answer. */
  readonly status: number;
}

async function told<T>(path: string, request: RequestInit): Promise<Told<T>> {
  const answer = await ask<T>(path, request);
  if (!answer) return { ok: false, why: "", says: words.text.dealer.no_answer, status: 0 };
  const { ok, status, told: value } = answer;
  return ok ? { ok, value } : no(value, status);
}

/** A refusal, or what went wrong by its status. */
export function no(answer: unknown, status: number): No {
  const { why = "", detail = "" } = answer as { why?: Why | ""; detail?: string | Detailed };
  const { problems } = words.text.dealer;
  const says = why ? words.why(why, detail) : (problems[status as 400] ?? problems[500]);
  return { ok: false, why, says, status };
}

/** Asks to see something. A page that asks without a touch only looks on, which does not keep a session awake. */
export function get<T>(path: string, looksOn = false): Promise<Told<T>> {
  return told<T>(path, { headers: looksOn ? { "stickman-looks-on": "1" } : {} });
}

export function post<T>(path: string, body: object = {}): Promise<Told<T>> {
  return told<T>(path, { method: "POST", body: JSON.stringify(body) });
}

/** The same; throws what is said where it is refused. */
export async function getOrThrow<T>(path: string): Promise<T> {
  const answer = await get<T>(path);
  if (!answer.ok) throw new Error(answer.says);
  return answer.value;
}
