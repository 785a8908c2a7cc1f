/** Asking the house's addresses. */

import { here } from "./place.ts";

export interface Answer<T> {
  readonly ok: boolean;
  readonly status: number;
  readonly told: T;
}

/** What an address answers to this page's place; nothing where the server is gone, be it in the middle of its answer. */
export async function ask<T>(path: string, request?: RequestInit): Promise<Answer<T> | null> {
  try {
    const answer = await fetch(here(path), request);
    return { ok: answer.ok, status: answer.status, told: (await answer.json()) as T };
  } catch {
    return null;
  }
}
