/** What the office asks of the desk, and what came of it. */

import * as asked from "../staff/asked.ts";
import type { Told } from "../staff/asked.ts";
import { Rights } from "../staff/rights.svelte.ts";
import { Staff } from "../staff/staff.svelte.ts";

export type { Told };

class Desk extends Rights {
  readonly staff = new Staff();
}

/** A session that has ended shows first in an answer. */
async function noticed<T>(answer: Promise<Told<T>>): Promise<Told<T>> {
  const told = await answer;
  if (!told.ok && told.status === 401) void desk.staff.look();
  return told;
}

export function get<T>(path: string, looksOn = false): Promise<Told<T>> {
  return noticed(asked.get<T>(path, looksOn));
}

export function post<T>(path: string, body: object = {}): Promise<Told<T>> {
  return noticed(asked.post<T>(path, body));
}

/** Something that the desk sends, loaded again now and then. */
export class Shown<T> {
  value = $state.raw<T | null>(null);
  says = $state("");
  #path: string;
  #loading = false;

  constructor(path: string) {
    this.#path = path;
  }

  async load(looksOn = false): Promise<void> {
    this.#loading = true;
    const told = await get<T>(this.#path, looksOn);
    this.says = told.ok ? "" : told.says;
    if (told.ok) this.value = told.value;
    this.#loading = false;
  }

  /** Loads it now and every so often, one answer at a time and only while the page is seen; says how to stop. */
  follow(everyMs: number): () => void {
    void this.load();
    const following = setInterval(() => document.hidden || this.#loading || void this.load(true), everyMs);
    return () => clearInterval(following);
  }
}

export const desk = new Desk();
