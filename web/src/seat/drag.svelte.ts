/** What a finger does on the drawn felt or the rack, besides a tap. A finger that stays has the spot explained. One that
 * moves carries a chip: from the rack to a spot (a bet), from spot to spot (the wager moves), or off the felt (it is taken
 * down). */

import type { Betting } from "./betting.svelte.ts";

/** A finger that moves less than this taps. */
const TAP_PX = 14;
/** A finger that stays this long has the spot explained. */
const HOLD_MS = 550;
const BACK_MS = 220;

/** A finger that is down. */
interface Press {
  /** What the chips under it are worth; 0: there are none, so nothing is carried. */
  readonly cents: number;
  /** The spot that it is on; null: the rack. */
  readonly from: string | null;
  /** Where it went down. */
  readonly x: number;
  readonly y: number;
}

export class Drag {
  pressed = $state.raw<Press | null>(null);
  at = $state.raw({ x: 0, y: 0 });
  /** The finger moved away or stayed long, so its end is not a tap. */
  noTap = $state(false);
  /** The chip was refused and is on its way back. */
  goesBack = $state(false);
  /** The spot that the chip is over. */
  over = $state<string | null>(null);
  #betting: () => Betting;
  #explain: (spot: string) => void;
  #holding: ReturnType<typeof setTimeout> | undefined;
  /** Which finger is down: events of others are ignored. */
  #finger = -1;

  constructor(betting: () => Betting, explain: (spot: string) => void) {
    this.#betting = betting;
    this.#explain = explain;
  }

  /** Chips are in the air. */
  get carries(): boolean {
    return (this.noTap || this.goesBack) && Boolean(this.pressed?.cents);
  }

  /** The spot whose chips are in the air. */
  get lifted(): string | null {
    return this.carries ? this.pressed!.from : null;
  }

  press(event: PointerEvent, cents: number | undefined, from: string | null): void {
    const another = this.pressed !== null && !this.goesBack && event.pointerId !== this.#finger;
    if (event.button !== 0 || !event.isPrimary || another) return;
    clearTimeout(this.#holding);
    this.#finger = event.pointerId;
    this.goesBack = false;
    this.at = { x: event.clientX, y: event.clientY };
    this.pressed = { cents: cents ?? 0, from, ...this.at };
    if (from !== null) this.#holding = setTimeout(() => this.#hold(from), HOLD_MS);
  }

  move(event: PointerEvent): void {
    if (!this.pressed || this.goesBack || event.pointerId !== this.#finger) return;
    this.at = { x: event.clientX, y: event.clientY };
    if (this.noTap) {
      this.over = this.pressed.cents ? spotAt(event) : null;
    } else if (Math.hypot(this.at.x - this.pressed.x, this.at.y - this.pressed.y) > TAP_PX) {
      this.noTap = true;
      clearTimeout(this.#holding);
    }
  }

  drop(event: PointerEvent): void {
    if (event.pointerId !== this.#finger) return;
    const { pressed } = this;
    clearTimeout(this.#holding);
    this.over = null;
    // Later than the browser's click at the end of a drag, which must still find that it is not one.
    setTimeout(() => (this.noTap = false));
    if (!pressed?.cents || !this.noTap || this.goesBack) return void (this.pressed = null);
    if (this.#carryOut(pressed.from, spotAt(event))) this.pressed = null;
    else this.#goBack(pressed);
  }

  /** The page scrolls, or the system took the finger. */
  cancel(event: PointerEvent): void {
    if (event.pointerId !== this.#finger) return;
    clearTimeout(this.#holding);
    this.pressed = this.over = null;
    this.noTap = false;
  }

  /** Bets, moves or takes down, as the chip was dropped; false if that is refused. */
  #carryOut(from: string | null, to: string | null): boolean {
    if (from === to) return true;
    const betting = this.#betting();
    if (from === null) return betting.place(to!, true);
    return to === null ? betting.takeDown(from) : betting.carry(from, to);
  }

  #hold(spot: string): void {
    this.pressed = null;
    this.noTap = true;
    this.#explain(spot);
  }

  #goBack({ x, y }: Press): void {
    this.goesBack = true;
    this.at = { x, y };
    setTimeout(() => {
      if (this.goesBack) this.pressed = null;
      this.goesBack = false;
    }, BACK_MS);
  }
}

function spotAt({ clientX, clientY }: PointerEvent): string | null {
  const under = document.elementFromPoint(clientX, clientY)?.closest<SVGGElement>("[data-spot]");
  return under?.dataset["spot"] ?? null;
}
