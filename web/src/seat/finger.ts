/** A finger, mouse or key that throws: a touch is enough, and where a swipe ends changes nothing. */

type OnButton = PointerEvent & { currentTarget: HTMLButtonElement };

export class Finger {
  /** The finger that is down, and whether the click of its touch is still to come. */
  #down: number | null = null;
  #clickFollows = false;
  #throws: () => void;

  constructor(throws: () => void) {
    this.#throws = throws;
  }

  readonly listeners = {
    onpointerdown: (event: OnButton) => this.#press(event),
    onpointerup: (event: PointerEvent) => this.#release(event),
    onpointercancel: () => void (this.#down = null),
    onclick: (event: MouseEvent) => this.#click(event),
  };

  /** From here on the button hears of this finger, wherever it goes. */
  #press(event: OnButton): void {
    if (!event.isPrimary || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    this.#down = event.pointerId;
    this.#clickFollows = false;
  }

  /** Only a finger that came down here throws: a chip that is dropped here does not. */
  #release(event: PointerEvent): void {
    if (event.pointerId !== this.#down) return;
    this.#down = null;
    this.#clickFollows = true;
    this.#throws();
  }

  /** By keyboard or by what assists the player; the click after a touch has been done already. */
  #click(event: MouseEvent): void {
    const assisted = event.detail === 0 || (event as PointerEvent).pointerId === -1;
    if (this.#clickFollows && !assisted) this.#clickFollows = false;
    else this.#throws();
  }
}
