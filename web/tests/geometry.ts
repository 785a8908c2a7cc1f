/** What is wrong with how a page is laid out, as sentences: `faults` runs in the page and measures what is drawn. */

import type { Page } from "playwright-core";

/** The faults of a page as it stands, none twice. */
export async function examine(page: Page): Promise<string[]> {
  return [...new Set(await page.evaluate(faults))];
}

/** Every text whose letters are smaller than 13 px on the screen, also where a drawing is scaled. */
export async function smallLetters(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const LEAST_PX = 13;
    const shown = { opacityProperty: true, visibilityProperty: true };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small: string[] = [];
    while (walk.nextNode()) {
      const element = walk.currentNode.parentElement!;
      const text = walk.currentNode.textContent!.trim();
      // A past round is a picture of a felt; what it paid stands beside it in words.
      if (!text || element.matches("script, style, title, option, .unseen, .unseen *, .felts *")) continue;
      if (!element.checkVisibility(shown)) continue;
      const scale = element instanceof SVGGraphicsElement ? Math.abs(element.getScreenCTM()!.a || 1) : 1;
      const turned = element instanceof SVGGraphicsElement && Math.abs(element.getScreenCTM()!.a) < 0.01;
      const px = parseFloat(getComputedStyle(element).fontSize) * (turned ? 1 : scale);
      if (px < LEAST_PX - 0.05) small.push(`text "${text.slice(0, 40)}" has letters of ${px.toFixed(1)} px`);
    }
    return small;
  });
  return [...new Set(found)];
}

/** Every printed text of the felt on which a chip lies, what is marked on a chip, or the puck. */
export async function coveredPrints(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK_PX = 2;
    const marks = ["circle.rim", "rect.wins", "rect.tag", "rect.band"].map((mark) => `.chip ${mark}`);
    const covers = [...document.querySelectorAll([...marks, "circle.disc"].join())];
    const over = (one: DOMRect, other: DOMRect, round: boolean): boolean => {
      const [x, y, r] = [(one.left + one.right) / 2, (one.top + one.bottom) / 2, one.width / 2];
      const wide = other.width / 2;
      const [top, bottom] = [other.top + other.height * 0.24, other.bottom - other.height * 0.18];
      const dx = Math.max(Math.abs(x - (other.left + wide)) - wide, 0);
      const dy = Math.max(top - y, y - bottom, 0);
      if (round) return Math.hypot(dx, dy) < r - SLACK_PX;
      return dx < one.width / 2 - SLACK_PX && dy < one.height / 2 - SLACK_PX;
    };
    const printed = [...document.querySelectorAll("[data-print] text, [data-print] rect, .zone > svg > text")];
    return printed.flatMap((print) => {
      const box = print.getBoundingClientRect();
      const { ownerSVGElement: felt } = print as SVGElement;
      const by = covers
        .filter((cover) => (cover as SVGElement).ownerSVGElement === felt)
        .find((cover) => over(cover.getBoundingClientRect(), box, cover instanceof SVGCircleElement));
      const of = print.closest<SVGElement>("[data-print]")?.dataset["print"] ?? "the felt";
      const what = print.textContent?.trim() || print.localName;
      return by ? [`${by.getAttribute("class")?.split(" ")[0]} lies on "${what}" of ${of}`] : [];
    });
  });
}

/** Every spot that is not wholly in sight: a room that scrolls has cut it, or something lies over it. */
export async function hiddenSpots(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const SLACK_PX = 1.5;
    const PARTS = 8;
    const outlines = [...document.querySelectorAll<SVGGeometryElement>("[data-spot] path")];
    const isOn = ({ x, y }: DOMPoint, outline: SVGGeometryElement): boolean =>
      document.elementFromPoint(x, y)?.closest("[data-spot]") === outline.parentElement;
    const pointsIn = (outline: SVGGeometryElement): DOMPoint[] => {
      const box = outline.getBBox();
      const points = Array.from({ length: PARTS * PARTS }, (_, n) => {
        const [right, down] = [((n % PARTS) + 0.5) / PARTS, (Math.floor(n / PARTS) + 0.5) / PARTS];
        return new DOMPoint(box.x + box.width * right, box.y + box.height * down);
      });
      return points
        .filter((point) => outline.isPointInFill(point))
        .map((point) => point.matrixTransform(outline.getScreenCTM()!));
    };
    return outlines.flatMap((outline) => {
      const room = outline.closest(".room")!.getBoundingClientRect();
      const box = outline.getBoundingClientRect();
      const cut = Math.max(
        ...[room.left - box.left, room.top - box.top, box.right - room.right, box.bottom - room.bottom],
        ...[-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight],
      );
      const { spot } = outline.parentElement!.dataset;
      if (cut > SLACK_PX) return [`spot ${spot} is cut by ${cut.toFixed(0)} px`];
      return pointsIn(outline).every((point) => isOn(point, outline)) ? [] : [`something lies over spot ${spot}`];
    });
  });
}

/**
 * Runs in the page, so everything it needs is inside. Looked at is what can be touched and what can be read:
 * of the page, or of the pop-up that is open above it.
 *
 * - A finger needs 44 px both ways; of an outline that turns a corner, a square of 44 px somewhere in it.
 * - Nothing that can be touched or read lies over another such thing of the same layer. A pop-up is another layer.
 * - A text is inside of the box that is painted behind it: a button, a panel, a spot.
 * - Whatever there is can be seen, or scrolled to: no box that hides its overflow cuts it, and neither does the screen.
 */
function faults(): string[] {
  const FINGER_PX = 44;
  /** What rounding, antialiasing and borders may take. */
  const SLACK_PX = 1.5;
  /** Of the height of a line of text, what is above capitals and below the base line: no ink, mostly. */
  const ABOVE = 0.24;
  const BELOW = 0.18;
  const TOUCHED = "button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=radio]";

  interface Rect {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  interface Thing {
    readonly element: Element;
    readonly name: string;
    readonly kind: "target" | "text";
    readonly rect: Rect;
    readonly layer: Element;
  }

  /** While something is open above the page, that alone. */
  const root = [...document.querySelectorAll("dialog[open], [role=dialog]")].at(-1) ?? document.body;
  const found: string[] = [];
  const px = (length: number): string => length.toFixed(0);
  const width = (rect: Rect): number => rect.right - rect.left;
  const height = (rect: Rect): number => rect.bottom - rect.top;
  const size = (rect: Rect): string => `${px(width(rect))}×${px(height(rect))} px`;

  // --- What there is ---

  /** Nothing changes while the page is examined: what was found out about an element stays so. */
  function once<Element extends WeakKey, Found>(find: (element: Element) => Found): (element: Element) => Found {
    const known = new WeakMap<Element, Found>();
    return (element) => {
      if (!known.has(element)) known.set(element, find(element));
      return known.get(element)!;
    };
  }

  const styleOf = once((element: Element) => {
    const { position, zIndex, overflowX, overflowY, pointerEvents } = getComputedStyle(element);
    return { position, zIndex, overflowX, overflowY, pointerEvents };
  });
  const boxOf = once((element: Element): DOMRect => element.getBoundingClientRect());

  const isSeen = once((element: Element): boolean => {
    const { width, height } = boxOf(element);
    const shown = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
    // Texts for screen readers alone are a pixel large.
    return width > 1.5 && height > 1.5 && element.checkVisibility(shown);
  });

  /** What lies above the page: the nearest ancestor that is lifted off it. */
  const layerOf = once((element: Element): Element => {
    const { position, zIndex } = styleOf(element);
    if (element.matches("dialog, [popover], [role=dialog], [role=tooltip]")) return element;
    if ((position === "fixed" || position === "absolute") && zIndex !== "auto") return element;
    return element.parentElement ? layerOf(element.parentElement) : document.documentElement;
  });

  function named(element: Element): string {
    const spot = element.closest<SVGElement>("[data-spot]")?.dataset["spot"];
    const said = element.getAttribute("aria-label") ?? element.textContent ?? "";
    const text = said.replace(/\s+/g, " ").trim().slice(0, 40);
    return spot ? `spot ${spot}` : `${element.localName} "${text}"`;
  }

  /** The outline of a spot: what is touched of it. */
  function outlineOf(element: Element): SVGGeometryElement | null {
    return element instanceof SVGGElement ? element.querySelector<SVGGeometryElement>("path, rect") : null;
  }

  function targets(): Thing[] {
    return [...root.querySelectorAll(TOUCHED)]
      .filter((element) => isSeen(element) && !isBackdrop(element))
      .filter((element) => styleOf(element).pointerEvents !== "none")
      .map((element) => {
        const rect = boxOf(outlineOf(element) ?? element);
        return { element, name: named(element), kind: "target", rect, layer: layerOf(element) };
      });
  }

  /** What takes a tap beside a pop-up is as large as the screen and lies over all of it on purpose. */
  function isBackdrop(element: Element): boolean {
    const rect = element.getBoundingClientRect();
    return !element.textContent?.trim() && rect.width >= innerWidth && rect.height >= innerHeight * 0.5;
  }

  /** Every line of every text, without the space above and below its letters. */
  function texts(): Thing[] {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const lines: Thing[] = [];
    while (walk.nextNode()) {
      const node = walk.currentNode;
      const element = node.parentElement!;
      const text = node.textContent!.replace(/\s+/g, " ").trim();
      if (!text || element.matches("script, style, title, option") || !isSeen(element)) continue;
      const name = `text "${text.slice(0, 40)}"`;
      const layer = layerOf(element);
      for (const rect of boxesOf(node, element)) {
        if (rect.width > 0.5) lines.push({ element, name, kind: "text", rect: inked(rect, element), layer });
      }
    }
    return lines;
  }

  function boxesOf(node: Node, element: Element): DOMRect[] {
    if (element instanceof SVGElement) return [element.getBoundingClientRect()];
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  }

  function inked(rect: DOMRect, element: Element): Rect {
    const { left, top, right, bottom } = rect;
    if (element instanceof SVGElement && rect.height > rect.width * 1.5 && (element.textContent?.length ?? 0) > 2) {
      return { left: left + rect.width * ABOVE, right: right - rect.width * ABOVE, top, bottom }; // turned upright
    }
    return { left, right, top: top + rect.height * ABOVE, bottom: bottom - rect.height * BELOW };
  }

  // --- A finger ---

  function isLargeEnough({ element, rect }: Thing): boolean {
    const outline = outlineOf(element);
    if (outline) return hasSquare(outline, rect);
    if (width(rect) >= FINGER_PX - 0.5 && height(rect) >= FINGER_PX - 0.5) return true;
    const around = element.closest("label") ?? document.querySelector(`label[for="${CSS.escape(element.id || "-")}"]`);
    return (around !== null && isLarge(around)) || isTouchedAround(element, rect);
  }

  function isLarge(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    return Math.min(width, height) >= FINGER_PX - 0.5;
  }

  /** A small mark may have a larger place around it that takes its touches. */
  function isTouchedAround(element: Element, rect: Rect): boolean {
    const [x, y] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
    const half = FINGER_PX / 2 - 1;
    const around = [
      [x - half, y],
      [x + half, y],
      [x, y - half],
      [x, y + half],
    ] as const;
    return around.every(([atX, atY]) => document.elementFromPoint(atX, atY)?.closest(TOUCHED) === element);
  }

  const fromScreen = once((shape: SVGGeometryElement) => shape.getScreenCTM()!.inverse());

  function isWithin(shape: SVGGeometryElement, x: number, y: number): boolean {
    return shape.isPointInFill(new DOMPoint(x, y).matrixTransform(fromScreen(shape)));
  }

  function hasSquare(shape: SVGGeometryElement, rect: Rect): boolean {
    const half = FINGER_PX / 2 - 1;
    const step = 3;
    const ROUND = 0.85; // corners may be round
    for (let y = rect.top + half; y <= rect.bottom - half + 0.5; y += step) {
      for (let x = rect.left + half; x <= rect.right - half + 0.5; x += step) {
        const sides = [
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ];
        const corners = [
          [-ROUND, -ROUND],
          [-ROUND, ROUND],
          [ROUND, -ROUND],
          [ROUND, ROUND],
        ];
        const square = [...sides, ...corners] as [number, number][];
        if (square.every(([right, down]) => isWithin(shape, x + right * half, y + down * half))) return true;
      }
    }
    return false;
  }

  // --- One over another ---

  function overlap(one: Rect, other: Rect): Rect | null {
    const left = Math.max(one.left, other.left);
    const right = Math.min(one.right, other.right);
    const top = Math.max(one.top, other.top);
    const bottom = Math.min(one.bottom, other.bottom);
    return right - left > SLACK_PX && bottom - top > SLACK_PX ? { left, right, top, bottom } : null;
  }

  function lieOver(one: Thing, other: Thing): Rect | null {
    const both = one.layer === other.layer && overlap(one.rect, other.rect);
    if (!both) return null;
    if (one.element.contains(other.element) || other.element.contains(one.element)) return null;
    // What lets touches through lies on a target on purpose: a chip on its spot.
    if (one.kind !== other.kind && [one, other].some((thing) => thing.kind === "text" && isThrough(thing))) return null;
    return haveAPointOf(both, one, other) ? both : null;
  }

  function isThrough({ element }: Thing): boolean {
    return styleOf(element).pointerEvents === "none";
  }

  /** Boxes may overlap where outlines do not: a line that turns a corner goes round others. */
  function haveAPointOf(both: Rect, one: Thing, other: Thing): boolean {
    const outlines = [one, other].filter(({ kind }) => kind === "target").map(({ element }) => outlineOf(element));
    const shapes = outlines.filter((outline) => outline !== null);
    const parts = 6;
    for (let n = 1; n < parts; n += 1) {
      for (let m = 1; m < parts; m += 1) {
        const x = both.left + (width(both) * n) / parts;
        const y = both.top + (height(both) * m) / parts;
        if (shapes.every((shape) => isWithin(shape, x, y))) return true;
      }
    }
    return false;
  }

  /** Of two things only what is in sight counts: what was scrolled away lies over nothing. */
  function inSight(thing: Thing): Thing | null {
    let rect = thing.rect;
    for (let at = thing.element.parentElement; at; at = at.parentElement) {
      if (!clips(at)) continue;
      const seen = overlap(rect, boxOf(at));
      if (!seen) return null;
      rect = seen;
    }
    const screen = overlap(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    return screen && { ...thing, rect: screen };
  }

  // --- In its box, and in sight ---

  function clips(element: Element): boolean {
    const { overflowX, overflowY } = styleOf(element);
    if (element === document.body || element === document.documentElement) return false;
    return overflowX !== "visible" || overflowY !== "visible";
  }

  function scrolls(element: Element): boolean {
    const { overflowX, overflowY } = styleOf(element);
    return /auto|scroll/.test(`${overflowX} ${overflowY}`);
  }

  function leaves(inner: Rect, outer: Rect): string {
    const over = [
      ["left", outer.left - inner.left],
      ["right", inner.right - outer.right],
      ["top", outer.top - inner.top],
      ["bottom", inner.bottom - outer.bottom],
    ] as const;
    return over
      .filter(([, by]) => by > SLACK_PX)
      .map(([side, by]) => `${px(by)} px at the ${side}`)
      .join(", ");
  }

  const isPainted = once((element: Element): boolean => {
    const { backgroundColor, backgroundImage, borderTopWidth, display } = getComputedStyle(element);
    if (display === "inline" || display === "contents") return false;
    const isFilled = !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
    return isFilled || backgroundImage !== "none" || borderTopWidth !== "0px";
  });

  /** What is printed on a spot is drawn next to it. */
  function spotOfPrint(element: Element): Element | null {
    const of = element.closest<SVGElement>("[data-print]")?.dataset["print"];
    const near = of === undefined ? null : element.closest("svg");
    return near?.querySelector(`[data-spot="${CSS.escape(of!)}"]`) ?? null;
  }

  /** The box behind a text: its spot's outline, or the nearest ancestor that is painted. */
  function boxBehind(element: Element): Element | null {
    const spot = element.closest("[data-spot]") ?? spotOfPrint(element);
    if (spot) return outlineOf(spot);
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      if (at instanceof SVGSVGElement || (at instanceof HTMLElement && isPainted(at))) return at;
      if (scrolls(at)) return null;
    }
    return null;
  }

  function checkBox({ element, name, rect }: Thing): void {
    const behind = boxBehind(element);
    // What a box scrolls is not outside of it.
    const over = behind && !scrolls(behind) ? leaves(rect, boxOf(behind)) : "";
    if (behind && over) found.push(`${name} leaves its ${named(behind)}: ${over}`);
  }

  /** Walks outwards: each box that cuts must contain it; each that scrolls stands for it from then on. */
  function checkSight({ element, name, kind, rect: own }: Thing): void {
    let rect = own;
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      if (clips(at) && (at !== element || kind === "text")) {
        const [cut, standsFor] = cutBy(at, rect);
        if (cut) {
          found.push(`${name} is cut by ${at.localName}.${at.classList[0] ?? ""}: ${cut}`);
          return;
        }
        rect = standsFor;
      }
      if (styleOf(at).position === "fixed") break;
    }
    const page = document.scrollingElement!;
    const rolls = getComputedStyle(document.body).overflowY !== "hidden";
    const bottom = rolls ? Math.max(innerHeight, page.scrollHeight - page.scrollTop) : innerHeight;
    const outside = leaves(rect, { left: 0, top: rolls ? -page.scrollTop : 0, right: innerWidth, bottom });
    if (outside) found.push(`${name} is outside of the screen: ${outside}`);
  }

  function cutBy(box: Element, rect: Rect): [string, Rect] {
    const outer = boxOf(box);
    const { overflowX, overflowY } = styleOf(box);
    const scrollsX = /auto|scroll/.test(overflowX);
    const scrollsY = /auto|scroll/.test(overflowY);
    const left = outer.left + box.clientLeft - (scrollsX ? box.scrollLeft : 0);
    const top = outer.top + box.clientTop - (scrollsY ? box.scrollTop : 0);
    const whole = {
      left: scrollsX ? left : outer.left,
      top: scrollsY ? top : outer.top,
      right: scrollsX ? left + box.scrollWidth : outer.right,
      bottom: scrollsY ? top + box.scrollHeight : outer.bottom,
    };
    const standsFor = {
      left: scrollsX ? outer.left : rect.left,
      right: scrollsX ? outer.right : rect.right,
      top: scrollsY ? outer.top : rect.top,
      bottom: scrollsY ? outer.bottom : rect.bottom,
    };
    return [leaves(rect, whole), standsFor];
  }

  // --- All of it ---

  const touched = targets();
  const read = texts();
  for (const thing of touched) {
    const { name, rect } = thing;
    if (!isLargeEnough(thing)) found.push(`${name} is ${size(rect)}: too small for a finger`);
  }
  for (const thing of [...touched, ...read]) checkSight(thing);
  for (const thing of read) checkBox(thing);
  const seen = [...touched, ...read].map(inSight).filter((thing) => thing !== null);
  for (const [n, one] of seen.entries()) {
    for (let m = n + 1; m < seen.length; m += 1) {
      const other = seen[m]!;
      const both = lieOver(one, other);
      if (both) found.push(`${one.name} and ${other.name} lie over each other: ${size(both)}`);
    }
  }
  const wider = document.documentElement.scrollWidth - innerWidth;
  if (wider > 0) found.push(`the page is ${px(wider)} px wider than the screen`);
  return found;
}
