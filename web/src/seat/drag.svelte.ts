/** A chip between two places: off the rack onto a spot, or off its spot, which takes the wager down. */

import type { Betting } from "./betting.svelte.ts";

/** A finger that moves less than this taps. */
const TAP_PX = 14;

interface Held {
  readonly cents: number;
  /** The spot that it was lifted off; none: the rack. */
  readonly from: string | null;
  readonly x: number;
  readonly y: number;
}

export class Drag {
  held = $state.raw<Held | null>(null);
  at = $state.raw({ x: 0, y: 0 });
  /** The finger has left its place, so that its end is no tap. */
  moved = $state(false);
  #betting: () => Betting;

  constructor(betting: () => Betting) {
    this.#betting = betting;
  }

  lift(event: PointerEvent, cents: number | undefined, from: string | null): void {
    if (cents) this.held = { cents, from, x: event.clientX, y: event.clientY };
  }

  move(event: PointerEvent): void {
    if (!this.held) return;
    this.at = { x: event.clientX, y: event.clientY };
    this.moved ||= Math.hypot(this.at.x - this.held.x, this.at.y - this.held.y) > TAP_PX;
  }

  drop(event: PointerEvent): void {
    const { held } = this;
    this.held = null;
    if (!held || !this.moved) return;
    // The click that follows a drag comes first, and still sees that it moved.
    setTimeout(() => (this.moved = false));
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGGElement>("[data-spot]");
    const spot = under?.dataset["spot"] ?? null;
    if (held.from === null && spot) this.#betting().place(spot);
    else if (held.from !== null && spot !== held.from) this.#betting().takeDown(held.from);
  }
}
