/** A long press, by finger or by key: what is held so long is done, and the click that ends it is not. */

import type { Attachment } from "svelte/attachments";

export function hold(done: () => void, afterMs: number): Attachment<HTMLElement> {
  return (element) => {
    let waiting = 0;
    let held = false;
    const end = (): void => clearTimeout(waiting);
    const begin = (): void => {
      end();
      held = false;
      waiting = window.setTimeout(() => {
        held = true;
        done();
      }, afterMs);
    };
    const heard: Readonly<Record<string, (event: Event) => void>> = {
      pointerdown: begin,
      pointerup: end,
      pointercancel: end,
      pointerleave: end,
      keydown: (event) => {
        const { key, repeat } = event as KeyboardEvent;
        if (key !== "Enter" && key !== " ") return;
        if (repeat)
          event.preventDefault(); // a key that is held is one press
        else begin();
      },
      keyup: end,
      click: (event) => {
        if (!held) return;
        held = false;
        event.stopImmediatePropagation();
        event.preventDefault();
      },
      contextmenu: (event) => event.preventDefault(),
    };
    for (const [name, hear] of Object.entries(heard))
      element.addEventListener(name, hear, { capture: name === "click" });
    return () => {
      end();
      for (const [name, hear] of Object.entries(heard))
        element.removeEventListener(name, hear, { capture: name === "click" });
    };
  };
}
