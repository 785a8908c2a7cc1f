/** A long press: what is held so long is done, and the tap that ends it is not. */

import type { Attachment } from "svelte/attachments";

const HELD_MS = 600;

export function hold(done: () => void): Attachment<HTMLElement> {
  return (element) => {
    let waiting = 0;
    let held = false;
    const begin = (): void => {
      held = false;
      waiting = window.setTimeout(() => {
        held = true;
        done();
      }, HELD_MS);
    };
    const end = (): void => window.clearTimeout(waiting);
    const swallow = (event: Event): void => {
      if (!held) return;
      held = false;
      event.stopPropagation();
      event.preventDefault();
    };
    element.addEventListener("pointerdown", begin);
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) element.addEventListener(name, end);
    element.addEventListener("click", swallow, { capture: true });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    return end;
  };
}
