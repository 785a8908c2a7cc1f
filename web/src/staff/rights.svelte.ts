/** What the person who is signed in may ask for, as the desk reports it. Screens show nothing else. */

import type { Detailed, May } from "../wire.ts";
import { get } from "./asked.ts";

export class Rights {
  #may = $state.raw<May>({ desk: [], table: [], higher: {} });
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

  /** Why it is not: it takes a higher role. */
  refusal(what: string): { why: "not_allowed"; detail: Detailed } | null {
    const role = this.#may.higher[what];
    return role ? { why: "not_allowed", detail: { key: "role_or_above", values: { role } } } : null;
  }
}
