/** An amount that counts up or down to what it has become, for the eye alone. */

export class Counting {
  shown = $state(0);
  #to = 0;
  #frame = 0;
  #end: ReturnType<typeof setTimeout> | undefined;

  constructor(cents: number) {
    this.shown = this.#to = cents;
  }

  /** Counts to the amount in `ms`; 0 shows it at once. A page that is not painted shows it too. */
  to(cents: number, ms: number): void {
    if (cents === this.#to) return;
    this.stop();
    const from = this.shown;
    this.#to = cents;
    if (!ms) return void (this.shown = cents);
    const begun = performance.now();
    const step = (now: number): void => {
      const part = Math.min(1, Math.max(0, (now - begun) / ms));
      this.shown = part < 1 ? from + Math.round((cents - from) * part) : cents;
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
    this.#end = setTimeout(() => step(begun + ms), ms);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#end);
  }
}
