/** A finger on the felt or the rack: it taps, holds to have a spot explained, or carries a chip: off the rack onto a
 * spot, to another spot, which moves the wager, or off the felt, which takes it down. */

import type { Betting } from "./betting.svelte.ts";

/** A finger that moves less than this taps. */
const TAP_PX = 14;
/** A finger that stays so long asks. */
const HOLD_MS = 550;
const BACK_MS = 220;

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
  /** The finger has left its place or held it, so that its end is not a tap. */
  moved = $state(false);
  /** The chip was refused and is on its way back. */
  goesBack = $state(false);
  /** The spot that the chip is over. */
  over = $state<string | null>(null);
  #betting: () => Betting;
  #explain: (spot: string) => void;
  #holding: ReturnType<typeof setTimeout> | undefined;
  /** The finger that lifted: what others do meanwhile is not its doing. */
  #finger = -1;

  constructor(betting: () => Betting, explain: (spot: string) => void) {
    this.#betting = betting;
    this.#explain = explain;
  }

  /** The spot whose chips are in the air. */
  get lifted(): string | null {
    return this.moved && this.held?.cents ? this.held.from : null;
  }

  lift(event: PointerEvent, cents: number | undefined, from: string | null): void {
    const another = this.held !== null && !this.goesBack && event.pointerId !== this.#finger;
    if (event.button !== 0 || !event.isPrimary || another) return;
    clearTimeout(this.#holding);
    this.#finger = event.pointerId;
    this.goesBack = false;
    this.at = { x: event.clientX, y: event.clientY };
    this.held = { cents: cents ?? 0, from, ...this.at };
    if (from !== null) this.#holding = setTimeout(() => this.#hold(from), HOLD_MS);
  }

  move(event: PointerEvent): void {
    if (!this.held || this.goesBack || event.pointerId !== this.#finger) return;
    this.at = { x: event.clientX, y: event.clientY };
    if (this.moved) {
      this.over = this.held.cents ? spotAt(event) : null;
    } else if (Math.hypot(this.at.x - this.held.x, this.at.y - this.held.y) > TAP_PX) {
      this.moved = true;
      clearTimeout(this.#holding);
    }
  }

  drop(event: PointerEvent): void {
    if (event.pointerId !== this.#finger) return;
    const { held } = this;
    clearTimeout(this.#holding);
    this.over = null;
    // The click that follows a drag comes first, and still sees that it moved.
    setTimeout(() => (this.moved = false));
    if (!held?.cents || !this.moved || this.goesBack) return void (this.held = null);
    if (this.#dropped(held.from, spotAt(event))) this.held = null;
    else this.#goBack(held);
  }

  /** The page scrolls, or the system took the finger. */
  cancel(event: PointerEvent): void {
    if (event.pointerId !== this.#finger) return;
    clearTimeout(this.#holding);
    this.held = this.over = null;
    this.moved = false;
  }

  /** Whether a chip may stay where it was dropped: from the rack a bet, off the felt taken down, on another spot moved. */
  #dropped(from: string | null, to: string | null): boolean {
    if (from === to) return true;
    const betting = this.#betting();
    if (from === null) return betting.place(to!, true);
    return to === null ? betting.takeDown(from) : betting.carry(from, to);
  }

  #hold(spot: string): void {
    this.held = null;
    this.moved = true;
    this.#explain(spot);
  }

  #goBack({ x, y }: Held): void {
    this.goesBack = true;
    this.moved = true;
    this.at = { x, y };
    setTimeout(() => {
      if (this.goesBack) this.held = null;
      this.goesBack = false;
    }, BACK_MS);
  }
}

function spotAt({ clientX, clientY }: PointerEvent): string | null {
  const under = document.elementFromPoint(clientX, clientY)?.closest<SVGGElement>("[data-spot]");
  return under?.dataset["spot"] ?? null;
}
