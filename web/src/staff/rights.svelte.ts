/** What whoever is signed in may ask for, as the desk says it. Screens show nothing else. */

import { get } from "./asked.ts";

interface May {
  readonly desk: readonly string[];
  readonly table: readonly string[];
}

export class Rights {
  #may = $state.raw<May>({ desk: [], table: [] });
  /** Whose rights are known. */
  known = $state("");

  async learn(badge: string): Promise<void> {
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
