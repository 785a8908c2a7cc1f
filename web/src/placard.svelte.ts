/** What a table's game pays and why, asked for when the table plays another game than before. */

import { ask } from "./http.ts";
import type { Placard } from "./wire.ts";

const RETRY_MS = 2000;

export class PlacardStore {
  placard = $state.raw<Placard | null>(null);
  #wanted = "";
  #path: string;

  constructor(path = `/api/placard${location.search}`) {
    this.#path = path;
  }

  /** Keeps the placard of the game with this fingerprint. */
  async keep(fingerprint: string): Promise<void> {
    if (this.#wanted === fingerprint) return;
    this.#wanted = fingerprint;
    while (this.#wanted === fingerprint && this.placard?.fingerprint !== fingerprint) {
      const answer = await ask<Placard>(this.#path);
      const found = answer?.ok ? answer.told : null;
      if (found) this.placard = found;
      if (found?.fingerprint !== fingerprint) await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}
