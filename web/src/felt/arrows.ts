/** Keys on the felt: one spot can be tabbed to, and arrow keys go on from it to the nearest spot in their direction. */

import type { Attachment } from "svelte/attachments";

export type Point = readonly [x: number, y: number];

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How much farther away a place counts if it is aside rather than ahead. */
const ASIDE = 2;

/** The nearest of some places in a direction, by its number; none: -1. */
export function ahead(from: Point, places: readonly Point[], [right, down]: Point): number {
  const far = places.map(([x, y]) => {
    const along = (x - from[0]) * right + (y - from[1]) * down;
    const aside = Math.abs((x - from[0]) * down) + Math.abs((y - from[1]) * right);
    return along > 1 ? along + ASIDE * aside : Infinity;
  });
  const nearest = Math.min(...far);
  return nearest < Infinity ? far.indexOf(nearest) : -1;
}

/** All spots of a page are one tab stop: that of the spot that had the focus last. */
export const oneTabStop: Attachment<HTMLElement> = (page) => {
  const spots = () => [...page.querySelectorAll<SVGGElement>("[data-at]")];
  let stop: SVGGElement | undefined;

  function stopAt(spot: SVGGElement | undefined): void {
    stop?.setAttribute("tabindex", "-1");
    spot?.setAttribute("tabindex", "0");
    stop = spot;
  }

  function onfocusin({ target }: FocusEvent): void {
    const spot = (target as Element).closest<SVGGElement>("[data-at]");
    if (spot) stopAt(spot);
  }

  function onkeydown(event: KeyboardEvent): void {
    const direction = DIRECTIONS[event.key];
    const from = (event.target as Element).closest<SVGGElement>("[data-at]");
    if (!direction || !from) return;
    event.preventDefault();
    const all = spots();
    all[ahead(placeOf(from), all.map(placeOf), direction)]?.focus();
  }

  const kept = new MutationObserver(() => {
    if (!stop?.isConnected) stopAt(spots()[0]);
  });
  stopAt(spots()[0]);
  kept.observe(page, { childList: true, subtree: true });
  page.addEventListener("focusin", onfocusin);
  page.addEventListener("keydown", onkeydown);
  return () => {
    kept.disconnect();
    page.removeEventListener("focusin", onfocusin);
    page.removeEventListener("keydown", onkeydown);
  };
};

/** Where on the screen the chips of a spot lie. */
function placeOf(spot: SVGGElement): Point {
  const [x, y] = spot.dataset["at"]!.split(" ").map(Number);
  const at = new DOMPoint(x, y).matrixTransform(spot.getScreenCTM()!);
  return [at.x, at.y];
}
