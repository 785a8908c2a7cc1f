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
}

/** The totals that a side bet collects, as lammers: how many in a row. */
export interface Lammers {
  readonly of: string;
  readonly totals: readonly number[];
  /** The middle of the first. */
  readonly at: Point;
  readonly step: number;
  readonly across: number;
  /** One of them is its point: what it has seen besides is blue. */
  readonly pointed: boolean;
}

/** Where the sequences of a side bet are printed; what they are, the placard says. */
export interface Track {
  readonly of: string;
  readonly where: Box;
}

/** Where the pays of a special game are printed, the smallest first. */
export interface Ladder {
  readonly of: string;
  readonly where: Box;
}

/** A part of the felt that is drawn and scaled on its own. */
export interface Zone {
  readonly name: "line" | "props" | "hops" | "sides";
  readonly w: number;
  readonly h: number;
  readonly spots: readonly Spot[];
  /** What is printed between the spots. */
  readonly labels: readonly Label[];
  readonly lammers: readonly Lammers[];
  readonly tracks: readonly Track[];
  readonly ladders: readonly Ladder[];
  /** By number, the frame around its spots. */
  readonly plates: ReadonlyMap<number, Box>;
  /** By number, where the ON puck is; 0 is the home of the OFF puck. */
  readonly pucks: ReadonlyMap<number, Point>;
}

export const GAP = 4;
/** From one row of lammers to the next. */
export const LAMMER_DOWN = 26;

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

/** What is drawn in a row, as high as it asks for. */
export interface Band {
  readonly share: number;
  readonly lay: (where: Box) => readonly Spot[];
}

/** Bands under each other. */
export function stacked(w: number, bands: readonly Band[]): Pick<Zone, "w" | "h" | "spots"> {
  const h = Math.max(
    bands.reduce((sum, { share }) => sum + share + GAP, -GAP),
    0,
  );
  const found = rows(
    box(0, 0, w, h),
    bands.map(({ share }) => share),
  );
  return { w, h, spots: bands.flatMap(({ lay }, n) => lay(found[n]!)) };
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
const NARROW = 72;
/** The width of a stack next to printed words. */
export const STACK_W = 44;

/** A rectangular spot: its name above, its pays below at the left, its chips at the right. */
export function cell(spot: FeltSpot, where: Box, size: number): Spot {
  const { x, y, w, h } = where;
  if (w < NARROW) return narrowCell(spot, where);
  const low = h < LOW;
  const beside = w - STACK_W;
  const left = x + Math.max(beside, w * 0.42) / 2 + 2;
  const set = Math.min(size, low ? h * 0.36 : h * 0.26);
  const at: Point = low ? [left, y + h * 0.3] : [x + w / 2, y + set * 0.8];
  const label: Label = { name: spot, at, size: set, fit: low ? beside : w - 8, tone: toneOf(spot) };
  const chip: Point = [x + w - Math.min(24, w / 2), low ? y + h / 2 : y + h - 24];
  const pays: Slot = { at: [left, low ? y + h * 0.7 : y + h - 20], size: 16, fit: Math.max(beside, w * 0.36) };
  return { ...flat(spot, where), chip, labels: [label], pays };
}

/** The same from the top: name, pays, chips. */
function narrowCell(spot: FeltSpot, where: Box): Spot {
  const { x, y, w, h } = where;
  const at = (down: number): Point => [x + w / 2, y + down];
  const labels: Label[] = [{ name: spot, at: at(11), size: 15, fit: w - 6, tone: toneOf(spot) }];
  return { ...flat(spot, where), chip: at(h - 21), labels, pays: { at: at(27), size: 13, fit: w - 6 } };
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
