/** Arrow keys in a group of radio buttons or tabs: the next one has the focus, and is chosen at once where that costs
 * nothing. */

import type { Attachment } from "svelte/attachments";

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function byArrows(atOnce = true): Attachment<HTMLElement> {
  return (group) => {
    function onkeydown(event: KeyboardEvent): void {
      const all = [...group.querySelectorAll<HTMLElement>("[role=radio], [role=tab]")];
      const at = all.findIndex((one) => one === event.target) + (STEPS[event.key] ?? 0);
      const next =
        event.key === "Home" ? 0 : event.key === "End" ? -1 : event.key in STEPS ? at % all.length : undefined;
      if (next === undefined) return;
      event.preventDefault();
      all.at(next)?.focus();
      if (atOnce) all.at(next)?.click();
    }
    group.addEventListener("keydown", onkeydown);
    return () => group.removeEventListener("keydown", onkeydown);
  };
}
