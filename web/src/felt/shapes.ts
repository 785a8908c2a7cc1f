/** What a felt is drawn of: spots, the labels on them, and the outlines they share. */

import type { FeltSpot } from "../wire.ts";
import type { FeltWord } from "../words/en.ts";

export type Tone = "ivory" | "gold" | "coral" | "dim";
/** A name that the server gives: a word of the catalogue, and its English title where the catalogue has no such word. */
export type Named = Pick<FeltSpot, "word" | "title">;
export type Point = readonly [x: number, y: number];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A word of the page's own, a name that the server gives, or a figure that is the same in every language. */
export interface Label {
  readonly word?: FeltWord;
  readonly name?: Named;
  readonly figure?: string;
  readonly at: Point;
  readonly size: number;
  /** The width that it may take; a longer text is set smaller. */
  readonly fit: number;
  readonly tone?: Tone;
  readonly turned?: boolean;
  /** It begins at its place; others have their middle there. */
  readonly begins?: boolean;
}

/** Where a bet's pays are printed; what they are, the placard says. */
export interface Slot {
  readonly at: Point;
  readonly size: number;
  readonly fit: number;
}

export interface PrintedDice {
  readonly faces: readonly [number, number];
  /** The middle of the pair. */
  readonly at: Point;
  readonly size: number;
}

/** The place of a bet: its id is the bet's. */
export interface Spot {
  readonly id: string;
  readonly outline: string;
  readonly box: Box;
  readonly chip: Point;
  readonly labels: readonly Label[];
  readonly pays: Slot;
  readonly dice?: PrintedDice;
  /** Where something is noted next to the pays. */
  readonly note?: Slot;
  /** Drawn faintly, for wagers travel here and are not placed. */
  readonly faint?: boolean;
  /** The radius of its chips, where they have less room than others. */
  readonly r?: number;
}

/** The totals that the bets of a special game collect, as lammers in a row. */
export interface Lammers {
  /** The game. */
  readonly of: string;
  readonly bets: readonly Pick<FeltSpot, "spot" | "collects">[];
  readonly totals: readonly number[];
  /** The middle of the first. */
  readonly at: Point;
  readonly step: number;
  /** One of them is its point: what it has seen besides is blue. */
  readonly pointed: boolean;
}

/** Where the sequences of a side bet are printed; what they are, the placard says. */
export interface Track {
  readonly of: string;
  readonly where: Box;
  /** How many of them stand next to each other. */
  readonly across: number;
}

/** Where the pays of a special game are printed, the smallest first: all of them, or as steps of which those that it
 * has reached are lit. */
export interface Ladder {
  readonly of: string;
  readonly where: Box;
  readonly steps?: boolean;
}

/** A special game in a row of its own: the place that opens its ladder. */
export interface GameRow {
  readonly game: string;
  readonly name: Named;
  readonly where: Box;
}

/** A part of the felt that is drawn and scaled on its own. */
export interface Zone {
  readonly name: "line" | "more" | "props" | "hops" | "sides";
  readonly w: number;
  readonly h: number;
  readonly spots: readonly Spot[];
  /** What is printed between the spots. */
  readonly labels: readonly Label[];
  readonly lammers: readonly Lammers[];
  readonly tracks: readonly Track[];
  readonly ladders: readonly Ladder[];
  readonly games: readonly GameRow[];
  /** By number, the frame around its spots. */
  readonly plates: ReadonlyMap<number, Box>;
  /** By number, where the ON puck is; 0 is the home of the OFF puck. */
  readonly pucks: ReadonlyMap<number, Point>;
}

export const GAP = 4;
/** What a finger needs: no spot is lower or narrower. */
export const FINGER = 44;

/** Where a zone is drawn, in pixels. Its units are pixels too, unless there is more room than it needs: then all of it
 * is drawn larger, never smaller. */
export interface Room {
  readonly w: number;
  readonly h: number;
}

export function box(x: number, y: number, w: number, h: number): Box {
  return { x, y, w, h };
}

export function middle({ x, y, w, h }: Box): Point {
  return [x + w / 2, y + h / 2];
}

/** The columns of a row: boxes side by side, in the given proportions. */
export function columns({ x, y, w, h }: Box, shares: readonly number[]): Box[] {
  const free = w - GAP * (shares.length - 1);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  let left = x;
  return shares.map((share) => {
    const width = (free * share) / whole;
    const made = box(left, y, width, h);
    left += width + GAP;
    return made;
  });
}

/** The rows of a box, from the top, in the given proportions. */
export function rows({ x, y, w, h }: Box, shares: readonly number[]): Box[] {
  return columns(box(y, x, h, w), shares).map((turned) => box(turned.y, turned.x, turned.h, turned.w));
}

/** How high a row is: at the least, and where there is room. */
export interface Height {
  readonly least: number;
  readonly share: number;
}

/** What is drawn in a row. */
export interface Band extends Height {
  readonly lay: (where: Box) => readonly Spot[];
}

/** The height of rows under each other, with the gaps between them. */
export function together(heights: readonly Height[], which: keyof Height): number {
  return Math.max(
    heights.reduce((sum, height) => sum + height[which] + GAP, -GAP),
    0,
  );
}

/** The rows of a box, from the top: each at its least, and of what is left each by how much more it asks for. */
export function spread(where: Box, heights: readonly Height[]): Box[] {
  const free = Math.max(where.h - together(heights, "least"), 0);
  const asked = together(heights, "share") - together(heights, "least");
  const more = asked > 0 ? Math.min(free / asked, 1) : 0;
  const over = Math.max(free - asked, 0) / together(heights, "share");
  return rows(
    where,
    heights.map(({ least, share }) => least + (share - least) * more + share * over),
  );
}

/** Bands under each other, as high as they ask for, or as high as the room where they can be lower or higher. */
export function stacked(w: number, bands: readonly Band[], h = 0): Pick<Zone, "w" | "h" | "spots"> {
  const high = h ? Math.max(together(bands, "least"), h) : together(bands, "share");
  const found = spread(box(0, 0, w, high), bands);
  return { w, h: high, spots: bands.flatMap(({ lay }, n) => lay(found[n]!)) };
}

/** What stands side by side in a row, all of one width. */
export function evenly<T>(where: Box, all: readonly T[], draw: (one: T, where: Box) => Spot | readonly Spot[]): Spot[] {
  return columns(
    where,
    all.map(() => 1),
  ).flatMap((place, n) => draw(all[n]!, place));
}

export function rounded({ x, y, w, h }: Box, r = 7): string {
  return (
    `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}` +
    `h${2 * r - w}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`
  );
}

/** A line that runs down the left side and turns along the bottom, as on a real table. Lines round one corner have
 * one centre: what the inner one's outer bend is, widened by a gap, is the outer one's inner bend. */
export function corner(side: Box, bottom: Box, [rx, ry]: Point): string {
  const [outerX, outerY] = [rx + side.w, ry + bottom.h];
  return (
    `M${side.x} ${side.y}h${side.w}V${bottom.y - ry}a${rx} ${ry} 0 0 0 ${rx} ${ry}H${bottom.x + bottom.w}` +
    `v${bottom.h}H${side.x + outerX}a${outerX} ${outerY} 0 0 1 ${-outerX} ${-outerY}z`
  );
}

const LOW = 58;
/** Narrower than this, nothing has room next to a stack. */
export const NARROW = 76;
/** What name, pays and chips take under each other. */
export const NARROW_H = 76;
/** The width of a stack next to printed words, and of a small one. */
export const STACK_W = 44;
export const SMALL_STACK = { w: 38, r: 16 };

/** A rectangular spot: its name above, its pays below at the left, its chips at the right. */
export function cell(spot: FeltSpot, where: Box, size: number): Spot {
  const { x, y, w, h } = where;
  if (w < NARROW) return narrowCell(spot, where);
  if (h < LOW) return lowCell(spot, where, size);
  const beside = w - STACK_W;
  const left = x + beside / 2 + 2;
  const set = Math.min(size, h * 0.26);
  const label: Label = { name: spot, at: [x + w / 2, y + set * 0.8], size: set, fit: w - 8, tone: toneOf(spot) };
  const chip: Point = [x + w - 24, y + h - 24];
  const pays: Slot = { at: [left, y + h - 20], size: 16, fit: beside - 2 };
  return { ...flat(spot, where), chip, labels: [label], pays };
}

/** The same in two lines: name and pays at the left, small chips at the right. */
export function lowCell(spot: FeltSpot, where: Box, size: number): Spot {
  const { x, y, w, h } = where;
  const beside = w - SMALL_STACK.w;
  const left = x + beside / 2 + 2;
  const at: Point = [left, y + h * 0.29];
  const label: Label = { name: spot, at, size: Math.min(size, h * 0.36), fit: beside - 2, tone: toneOf(spot) };
  const pays: Slot = { at: [left, y + h * 0.71], size: 16, fit: beside - 2 };
  return { ...flat(spot, where), chip: [x + w - 20, y + h / 2], r: SMALL_STACK.r, labels: [label], pays };
}

/** In a lower one, chips have no room under the pays. */
const NARROW_LOW = 62;

/** The same from the top: name, pays, chips; in a low one the chips are next to the pays. */
function narrowCell(spot: FeltSpot, where: Box): Spot {
  const { x, y, w, h } = where;
  const at = (down: number): Point => [x + w / 2, y + down];
  const labels: Label[] = [{ name: spot, at: at(11), size: 15, fit: w - 6, tone: toneOf(spot) }];
  if (h < NARROW_LOW && w > 2 * SMALL_STACK.w - 8) {
    const beside: Slot = { at: [x + (w - SMALL_STACK.w) / 2 + 2, y + h - 18], size: 14, fit: w - SMALL_STACK.w - 2 };
    return { ...flat(spot, where), chip: [x + w - 19, y + h - 19], r: SMALL_STACK.r, labels, pays: beside };
  }
  const pays: Slot = { at: at(27), size: 14, fit: w - 6 };
  return { ...flat(spot, where), chip: at(h - 19), r: SMALL_STACK.r, labels, pays };
}

/** A rectangle where chips of a bet may lie. */
export function flat({ spot }: FeltSpot, where: Box): Pick<Spot, "id" | "outline" | "box"> {
  return { id: spot, outline: rounded(where), box: where };
}

/** The pair that a spot shows, where it shows one. */
export function pairOf({ dice = [] }: FeltSpot, at: Point, size: number): { dice?: PrintedDice } {
  const [first, second] = dice;
  return first && second ? { dice: { faces: [first, second], at, size } } : {};
}

export function toneOf({ tone }: FeltSpot): Tone {
  return tone === "coral" ? tone : "ivory";
}
