/** What a display shows as views come: dice that fly before their result is shown, and messages for players. */

import type { Shared } from "../wire.ts";
import { isFreshRoll, notice, type Notice } from "./notices.ts";

const NOTICE_MS = 9_000;
export const FLIGHT_MS = 1_500;

export class Watch<V extends { readonly shared: Shared }> {
  notice = $state.raw<Notice | null>(null);
  /** The dice are in the air. */
  flying = $state(false);
  /** What is shown: the last view, but while dice fly the one before them. */
  shown = $state.raw<V | null>(null);
  #last: V | null = null;
  #waits: boolean;

  /** Whether this screen waits for dice that fly. In dealer-assisted play they have landed before they are entered. */
  constructor(waits: boolean) {
    this.#waits = waits;
  }

  follow(view: V): void {
    const before = this.#last?.shared;
    this.#last = view;
    if (before !== view.shared) this.#compare(before, view.shared);
    if (!this.flying) this.shown = view;
  }

  #compare(before: Shared | undefined, after: Shared): void {
    const told = notice(before, after);
    if (told) this.#tell(told);
    if (!before || !isFreshRoll(before, after)) return;
    this.notice = null;
    if (this.#waits && after.mode === "automated") this.#fly();
  }

  #tell(told: Notice): void {
    this.notice = told;
    setTimeout(() => {
      if (this.notice === told) this.notice = null;
    }, NOTICE_MS);
  }

  #fly(): void {
    this.flying = true;
    setTimeout(() => {
      this.flying = false;
      this.shown = this.#last;
    }, FLIGHT_MS);
  }
}

/** The user does not want things to move. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
