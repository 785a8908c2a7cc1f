/** The main part of the felt: numbers, Come, Field, the lines. Wide as on a table, or tall for narrow screens. */

import {
  box,
  cell,
  columns,
  corner,
  GAP,
  middle,
  rounded,
  rows,
  STACK_W,
  type Box,
  type Label,
  type Point,
  type Spot,
  type Zone,
} from "./shapes.ts";
import type { FeltWord } from "../words/en.ts";

/** Wide as on a table; folded: the same, ten numbers in two rows; tall: three numbers a row, for a phone. */
export type Shape = "wide" | "folded" | "tall";

const NUMBERS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
/** The units across, and how many of them the left side takes. */
const WIDE = { w: 1264, side: 134 };
/** Fewer, so that all is drawn larger where the screen is narrow. */
const FOLDED = { w: 900, side: 100 };
/** How high the wide felt may be for its width. */
const HEIGHTS = { least: 0.4, most: 0.7, folded: 0.9 };
/** Lower than this, all rows are even, so that each is as high as a finger needs. */
const LOW = 0.5;
const EVEN = 44;
/** What name, pays and chips take under each other. */
const NARROW_H = 78;
const TALL_W = 368;

type Has = ReadonlySet<string>;

/** A band of the felt from left to right; its share of the height. */
interface Band {
  readonly share: number;
  readonly lay: (where: Box) => Spot[];
}

/** What is laid besides the spots. */
interface Print {
  readonly labels: Label[];
  readonly plates: Map<number, Box>;
  readonly pucks: Map<number, Point>;
}

/** `height` is that of the room for its width; the wide felt fills it where it can. */
export function layLine(has: Has, shape: Shape, height: number): Zone {
  const print: Print = { labels: [], plates: new Map(), pucks: new Map() };
  const zone = shape === "tall" ? tall(has, print) : wide(has, print, shape === "folded", height);
  return { name: "line", lammers: [], tracks: [], ladders: [], ...print, ...zone };
}

// --- The two shapes ---

function wide(has: Has, print: Print, folded: boolean, height: number): Pick<Zone, "w" | "h" | "spots"> {
  const { w, side: sideW } = folded ? FOLDED : WIDE;
  const most = folded ? HEIGHTS.folded : HEIGHTS.most;
  const whole = box(0, 0, w, Math.round(w * Math.min(Math.max(height, HEIGHTS.least), most)));
  const low = folded || whole.h < whole.w * LOW;
  const bands = [numbersBand(has, folded ? 6 : 10, print, low), ...innerBands(has)];
  const lines = ["dont_pass", "pass"].filter((line) => has.has(line));
  const [first, ...others] = [...bands.map((band) => band.share), ...lines.map(() => 60), 62];
  const shares = [first!, ...others.map((share) => (low ? EVEN : share))];
  const found = rows(whole, shares);
  const inner = (row: Box) => box(row.x + sideW + GAP, row.y, row.w - sideW - GAP, row.h);
  const spots = bands.flatMap((band, n) => band.lay(inner(found[n]!)));
  const home = box(0, 0, sideW, found[0]!.h);
  spots.push(...dontComeBar(has, home, print));
  const top = found[1]!.y;
  const sides = columns(
    box(0, top, sideW, 0),
    lines.map(() => 1),
  ).reverse();
  let bend: Point = [8, 8];
  for (const [n, line] of lines.entries()) {
    const [side, bottom] = [sides[n]!, found[bands.length + n]!];
    spots.push(turningLine(line, side, bottom, top, bend));
    bend = [bend[0] + side.w + GAP, bend[1] + bottom.h + GAP];
  }
  spots.push(...oddsRow(has, inner(found.at(-1)!)));
  return { w: whole.w, h: whole.h, spots };
}

function tall(has: Has, print: Print): Pick<Zone, "w" | "h" | "spots"> {
  const numbers = numbersBand(has, has.has("come") ? 3 : 5, print, false);
  const flat = (id: string, word: FeltWord): Band => {
    return { share: 46, lay: (where) => [wideCell(id, where, word, 24)] };
  };
  const bands: Band[] = [
    { share: 46, lay: (where) => topRow(has, where, print) },
    numbers,
    ...innerBands(has, true).map(({ lay }) => ({ share: 56, lay })),
    ...(has.has("dont_pass") ? [flat("dont_pass", "dont_pass_bar")] : []),
    flat("pass", "pass_line"),
    { share: 46, lay: (where) => oddsRow(has, where) },
  ];
  const h = bands.reduce((sum, band) => sum + band.share + 4, -4);
  const found = rows(
    box(0, 0, TALL_W, h),
    bands.map((band) => band.share),
  );
  return { w: TALL_W, h, spots: bands.flatMap((band, n) => band.lay(found[n]!)) };
}

// --- Bands ---

function numbersBand(has: Has, across: number, print: Print, low: boolean): Band {
  const numbers = NUMBERS.filter((number) => has.has(`place.${number}`) || has.has(`come.${number}`));
  const narrow = across < 6;
  const shares = numberShares(has, narrow).map((share) => (low ? EVEN : share));
  const one = shares.reduce((sum, share) => sum + share + GAP, -GAP);
  const lines = Math.ceil(numbers.length / across);
  const each = Math.ceil(numbers.length / lines);
  const lay = (where: Box): Spot[] =>
    rows(where, Array(lines).fill(1)).flatMap((line, n) => {
      const here = numbers.slice(n * each, (n + 1) * each);
      const places = columns(line, Array(each).fill(1)).slice(0, here.length);
      return places.flatMap((place, at) => numberBox(has, here[at]!, rows(place, shares), print));
    });
  return { share: (one + GAP) * lines - GAP, lay };
}

/** The rows of a number's box, from the top: against it, Don't Come, the number itself, Come, for it. Without Don't
 * Come, Come is at the top (IB 2.4). */
function numberShares(has: Has, narrow: boolean): number[] {
  const against = has.has("lay.6") ? [narrow && has.has("place_to_lose.6") ? NARROW_H : 50] : [];
  const dontCome = has.has("dont_come") ? [50] : [];
  return [...against, ...dontCome, ...(has.has("come") ? [52, 52] : [70]), narrow ? NARROW_H : 66];
}

function numberBox(has: Has, number: number, found: Box[], print: Print): Spot[] {
  const spots: Spot[] = [];
  if (has.has(`lay.${number}`)) spots.push(...pair(has, found.shift()!, number, ["lay", "place_to_lose"]));
  if (has.has("dont_come")) spots.push(...travelled(found.shift()!, "dont_come", number));
  const comeAbove = has.has("come") && !has.has("dont_come");
  if (comeAbove) spots.push(...travelled(found.shift()!, "come", number));
  const plate = found.shift()!;
  const size = Math.min(60, plate.w * 0.5, plate.h * 1.05);
  print.labels.push({ figure: String(number), at: middle(plate), size, fit: plate.w, tone: "gold" });
  print.pucks.set(number, [plate.x + plate.w * 0.82, plate.y + plate.h / 2]);
  const last = found.at(-1)!;
  const frame = box(plate.x, plate.y, plate.w, last.y + last.h - plate.y);
  print.plates.set(number, frame);
  if (!has.has("come")) {
    return [...spots, { ...cell(`place.${number}`, last, "place", 18), outline: rounded(frame), box: frame }];
  }
  if (!comeAbove) spots.push(...travelled(found.shift()!, "come", number));
  return [...spots, ...pair(has, last, number, ["place", "buy"])];
}

/** One or two bets on a number, side by side. */
function pair(has: Has, where: Box, number: number, bets: readonly FeltWord[]): Spot[] {
  const here = bets.filter((bet) => has.has(`${bet}.${number}`));
  return columns(
    where,
    here.map(() => 1),
  ).map((place, n) => cell(`${here[n]!}.${number}`, place, here[n]!, 17));
}

/** Where a Come or Don't Come wager travels to, Don't Come at the right (IB 2.5), and its odds beside it. */
function travelled(where: Box, bet: "come" | "dont_come", number: number): Spot[] {
  const [left, right] = columns(where, [1, 1]) as [Box, Box];
  const [flat, odds] = bet === "come" ? [left, right] : [right, left];
  const word = bet === "come" ? "come_small" : "dont_come_small";
  const one = (id: string, place: Box, label: FeltWord): Spot => {
    const [x, y] = middle(place);
    const text = { word: label, at: [x, y - 9] as Point, size: 15, fit: place.w - 6, tone: "dim" as const };
    const pays = { at: [x, y + 10] as Point, size: 14, fit: place.w - 6 };
    return { id, outline: rounded(place), box: place, chip: [x, y], labels: [text], pays, faint: true };
  };
  return [one(`${bet}.${number}`, flat, word), one(`${bet}.${number}.odds`, odds, "odds")];
}

/** Come; then the Field with what lies left and right of it, or under it where all is narrow. */
function innerBands(has: Has, narrow = false): Band[] {
  const come: Band = { share: 84, lay: (where) => [wideCell("come", where, "come", 58, "coral")] };
  const around = ["big.6", "small", "low_field", "field", "high_field", "big", "big.8"].filter((id) => has.has(id));
  const others = around.filter((id) => id !== "field");
  const rowsOf = narrow && others.length ? [["field"], others] : [around];
  const fields = rowsOf.map((ids) => ({ share: 110, lay: (where: Box) => fieldRow(ids, where) }));
  return [...(has.has("come") ? [come] : []), ...fields];
}

function fieldRow(ids: readonly string[], where: Box): Spot[] {
  const size = where.w > 600 ? 24 : 17;
  return columns(
    where,
    ids.map((id) => (id === "field" ? 5 : 1)),
  ).map((place, n) => {
    const id = ids[n]!;
    if (id === "field") return field(place);
    const word = id.replace(".", "_") as FeltWord;
    return cell(id, place, word, size, id.startsWith("big.") ? "coral" : "ivory");
  });
}

function field(where: Box): Spot {
  const { x, y, w, h } = where;
  const figures = "2 · 3 · 4 · 9 · 10 · 11 · 12";
  const spot = { id: "field", outline: rounded(where), box: where };
  if (w > 10 * h) {
    const at = (share: number): Point => [x + w * share, y + h / 2];
    const labels: Label[] = [
      { word: "field", at: at(0.1), size: h * 0.5, fit: w * 0.18 },
      { figure: figures, at: at(0.4), size: h * 0.46, fit: w * 0.4, tone: "gold" },
    ];
    return { ...spot, chip: [x + w - 40, y + h / 2], labels, pays: { at: at(0.72), size: 16, fit: w * 0.2 } };
  }
  const free = w > 240 ? w : w - STACK_W;
  const middleX = x + free / 2;
  const labels: Label[] = [
    { figure: figures, at: [middleX, y + h * 0.22], size: Math.min(34, h * 0.28), fit: free - 10, tone: "gold" },
    { word: "field", at: [middleX, y + h * 0.54], size: Math.min(34, h * 0.3), fit: free * 0.5 },
  ];
  const chip: Point = [x + w - (w > 240 ? w * 0.12 : 24), y + h / 2];
  return { ...spot, chip, labels, pays: { at: [middleX, y + h * 0.83], size: 17, fit: free - 10 } };
}

/** The bar of Don't Come at the top left, with the home of the OFF puck; without the bet, the home alone. */
function dontComeBar(has: Has, where: Box, print: Print): Spot[] {
  const [x] = middle(where);
  print.pucks.set(0, [x, where.y + where.h * 0.83]);
  if (!has.has("dont_come")) {
    print.labels.push({ word: "come_out", at: middle(where), size: 26, fit: where.w - 12, tone: "dim" });
    return [];
  }
  const at = (share: number): Point => [x, where.y + where.h * share];
  const labelled: Label[] = [
    { word: "dont_come", at: at(0.1), size: 27, fit: where.w - 12 },
    { word: "bar", at: at(0.2), size: 18, fit: where.w - 12, tone: "dim" },
  ];
  const dice = { faces: [6, 6] as const, at: at(0.31), size: 26 };
  const pays = { at: at(0.43), size: 18, fit: where.w - 12 };
  return [{ id: "dont_come", outline: rounded(where), box: where, chip: at(0.57), labels: labelled, pays, dice }];
}

function topRow(has: Has, where: Box, print: Print): Spot[] {
  const [home, rest] = columns(where, [1, 4.6]) as [Box, Box];
  print.pucks.set(0, middle(home));
  return has.has("dont_come") ? [wideCell("dont_come", rest, "dont_come", 22)] : [];
}

function turningLine(line: string, side: Box, bottom: Box, top: number, bend: Point): Spot {
  const isPass = line === "pass";
  const down = box(side.x, top, side.w, 0);
  const along = box(side.x, bottom.y, bottom.w - side.x, bottom.h);
  const x = (along.x + along.w) / 2 + 70;
  const y = bottom.y + bottom.h / 2;
  const under = bottom.h >= 56;
  const turned: Point = [side.x + side.w / 2, (top + bottom.y) / 2 - 6];
  const size = isPass ? 38 : 30;
  const labels: Label[] = [
    { word: isPass ? "pass_line" : "dont_pass_bar", at: [x, under ? y - 11 : y], size, fit: 420 },
    { word: isPass ? "pass_line" : "dont_pass", at: turned, size: 26, fit: (bottom.y - top) * 0.8, turned: true },
  ];
  const spot = {
    id: line,
    outline: corner(down, along, bend),
    box: box(along.x, top, along.w, bottom.y + bottom.h - top),
    chip: [along.w * 0.9, y] as Point,
    labels,
    pays: { at: (under ? [x, y + 20] : [x - 240, y]) as Point, size: 18, fit: 120 },
  };
  return isPass ? spot : { ...spot, dice: { faces: [6, 6], at: [x + 250, y], size: 28 } };
}

function oddsRow(has: Has, where: Box): Spot[] {
  const ids = ["pass.odds", "dont_pass.odds"].filter((id) => has.has(id));
  return columns(
    where,
    ids.map(() => 1),
  ).map((place, n) => {
    const word = ids[n] === "pass.odds" ? "pass_odds" : "dont_pass_odds";
    return { ...wideCell(ids[n]!, place, word, 25), outline: rounded(place, Math.min(place.h / 2, 30)) };
  });
}

/** A long spot with its name in the middle, its pays under or beside it, and its chips at the right. */
function wideCell(id: string, where: Box, word: FeltWord, size: number, tone: Label["tone"] = "ivory"): Spot {
  const { x, y, w, h } = where;
  const fits = Math.min(size, h * 0.7);
  const under = w <= 700 || h >= 60;
  const middleX = x + w / 2 - (w < 260 ? STACK_W / 2 : 0);
  const nameY = under ? y + h * 0.32 : y + h / 2;
  const fit = w < 260 ? w - STACK_W - 12 : w * 0.5;
  const labels: Label[] = [{ word, at: [middleX, nameY], size: under ? Math.min(fits, h * 0.46) : fits, fit, tone }];
  const pays = under
    ? { at: [middleX, y + h * 0.76] as Point, size: h >= 60 ? 18 : 15, fit: w < 260 ? fit : w * 0.7 }
    : { at: [x + w * 0.26, y + h / 2] as Point, size: 18, fit: w * 0.3 };
  const chip: Point = [x + w - (w < 260 ? 24 : Math.min(w * 0.14, 120)), y + h / 2];
  return { id, outline: rounded(where), box: where, chip, labels, pays };
}
