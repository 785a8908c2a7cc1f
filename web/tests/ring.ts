/** The ring around what has the focus. */

import type { Page } from "playwright-core";

/** Whatever of the ring around the focus is cut off by a box that hides its overflow, or by the screen. */
export const ringCut = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (!(at instanceof HTMLElement) || !at.matches(":focus-visible")) return "";
    const { outlineWidth, outlineOffset, outlineStyle } = getComputedStyle(at);
    if (outlineStyle === "none") return `${at.textContent} has no ring`;
    const by = Math.max(parseFloat(outlineWidth) + parseFloat(outlineOffset), 0);
    const ring = at.getBoundingClientRect();
    const leaves = ({ left, top, right, bottom }: Pick<DOMRect, "left" | "top" | "right" | "bottom">): boolean =>
      ring.left - by < left - 0.5 ||
      ring.top - by < top - 0.5 ||
      ring.right + by > right + 0.5 ||
      ring.bottom + by > bottom + 0.5;
    if (leaves({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return `${at.textContent}: by the screen`;
    for (let box = at.parentElement; box && box.localName !== "body"; box = box.parentElement) {
      if (getComputedStyle(box).overflow !== "visible" && leaves(box.getBoundingClientRect()))
        return `${at.textContent || at.ariaLabel}: by ${box.localName}.${box.className}`;
    }
    return "";
  });
