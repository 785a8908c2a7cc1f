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
  type Box,
  type Label,
  type Point,
  type Spot,
  type Zone,
} from "./shapes.ts";
import type { FeltWord } from "../words/en.ts";

export type Shape = "wide" | "tall";

const NUMBERS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
const WIDE_W = 1264;
/** How high the wide felt may be for its width. */
const HEIGHTS = { least: 0.4, most: 0.7 };
/** Lower than this, all rows are even, so that each is as high as a finger needs. */
const LOW = 0.5;
const EVEN = 44;
const SIDE_W = 134;
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
  const h = Math.round(WIDE_W * Math.min(Math.max(height, HEIGHTS.least), HEIGHTS.most));
  const zone = shape === "wide" ? wide(has, print, box(0, 0, WIDE_W, h)) : tall(has, print);
  return { name: "line", lammers: [], ...print, ...zone };
}

// --- The two shapes ---

function wide(has: Has, print: Print, whole: Box): Pick<Zone, "w" | "h" | "spots"> {
  const low = whole.h < whole.w * LOW;
  const bands = [numbersBand(has, 10, print, low), ...innerBands(has)];
  const lines = ["dont_pass", "pass"].filter((line) => has.has(line));
  const [first, ...others] = [...bands.map((band) => band.share), ...lines.map(() => 60), 62];
  const shares = [first!, ...others.map((share) => (low ? EVEN : share))];
  const found = rows(whole, shares);
  const inner = (row: Box) => box(row.x + SIDE_W + 4, row.y, row.w - SIDE_W - 4, row.h);
  const spots = bands.flatMap((band, n) => band.lay(inner(found[n]!)));
  const home = box(0, 0, SIDE_W, found[0]!.h);
  spots.push(...dontComeBar(has, home, print));
  const top = found[1]!.y;
  const sides = columns(box(0, top, SIDE_W, 0), lines.map(() => 1)).reverse();
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
  const numbers = numbersBand(has, 3, print, false);
  const flat = (id: string, word: FeltWord): Band => {
    return { share: 46, lay: (where) => [wideCell(id, where, word, 24)] };
  };
  const bands: Band[] = [
    { share: 46, lay: (where) => topRow(has, where, print) },
    numbers,
    ...innerBands(has).map(({ lay }) => ({ share: 56, lay })),
    ...(has.has("dont_pass") ? [flat("dont_pass", "dont_pass_bar")] : []),
    flat("pass", "pass_line"),
    { share: 46, lay: (where) => oddsRow(has, where) },
  ];
  const h = bands.reduce((sum, band) => sum + band.share + 4, -4);
  const found = rows(box(0, 0, TALL_W, h), bands.map((band) => band.share));
  return { w: TALL_W, h, spots: bands.flatMap((band, n) => band.lay(found[n]!)) };
}

// --- Bands ---

function numbersBand(has: Has, across: number, print: Print, low: boolean): Band {
  const numbers = NUMBERS.filter((number) => has.has(`place.${number}`) || has.has(`come.${number}`));
  const shares = numberShares(has).map((share) => (low ? EVEN : share));
  const one = shares.reduce((sum, share) => sum + share + GAP, -GAP);
  const lines = Math.ceil(numbers.length / across);
  const lay = (where: Box): Spot[] =>
    rows(where, Array(lines).fill(1)).flatMap((line, n) => {
      const here = numbers.slice(n * across, (n + 1) * across);
      const places = columns(line, here.map(() => 1));
      return places.flatMap((place, at) => numberBox(has, here[at]!, rows(place, shares), print));
    });
  return { share: (one + GAP) * lines - GAP, lay };
}

/** The rows of a number's box, from the top: against it, Don't Come, the number itself, Come, for it. */
function numberShares(has: Has): number[] {
  const against = has.has("lay.6") ? [48] : [];
  const dontCome = has.has("dont_come") ? [48] : [];
  return [...against, ...dontCome, ...(has.has("come") ? [52, 52] : [70]), 64];
}

function numberBox(has: Has, number: number, found: Box[], print: Print): Spot[] {
  const spots: Spot[] = [];
  if (has.has(`lay.${number}`)) spots.push(...pair(has, found.shift()!, number, ["lay", "place_to_lose"]));
  if (has.has("dont_come")) spots.push(...travelled(found.shift()!, "dont_come", number));
  const plate = found.shift()!;
  const size = Math.min(60, plate.w * 0.5, plate.h * 1.05);
  print.labels.push({ figure: String(number), at: middle(plate), size, fit: plate.w, tone: "gold" });
  print.pucks.set(number, [plate.x + plate.w * 0.82, plate.y + plate.h / 2]);
  const last = found.at(-1)!;
  const frame = box(plate.x, plate.y, plate.w, last.y + last.h - plate.y);
  print.plates.set(number, frame);
  if (has.has("come")) {
    spots.push(...travelled(found.shift()!, "come", number), ...pair(has, last, number, ["place", "buy"]));
  } else {
    spots.push({ ...cell(`place.${number}`, last, "place", 18), outline: rounded(frame), box: frame });
  }
  return spots;
}

/** One or two bets on a number, side by side. */
function pair(has: Has, where: Box, number: number, bets: readonly FeltWord[]): Spot[] {
  const here = bets.filter((bet) => has.has(`${bet}.${number}`));
  return columns(where, here.map(() => 1)).map((place, n) => cell(`${here[n]!}.${number}`, place, here[n]!, 17));
}

/** Where a Come or Don't Come wager travels to, and its odds beside it. */
function travelled(where: Box, bet: "come" | "dont_come", number: number): Spot[] {
  const [flat, odds] = columns(where, [1, 1]) as [Box, Box];
  const word = bet === "come" ? "come_small" : "dont_come_small";
  const one = (id: string, place: Box, label: FeltWord): Spot => {
    const at = middle(place);
    const text = { word: label, at, size: 15, fit: place.w - 6, tone: "dim" as const };
    return { id, outline: rounded(place), box: place, chip: at, labels: [text], faint: true };
  };
  return [one(`${bet}.${number}`, flat, word), one(`${bet}.${number}.odds`, odds, "odds")];
}

/** Come; then the Field with what lies left and right of it. */
function innerBands(has: Has): Band[] {
  const come: Band = { share: 84, lay: (where) => [wideCell("come", where, "come", 58, "coral")] };
  return [...(has.has("come") ? [come] : []), { share: 110, lay: (where) => fieldRow(has, where) }];
}

function fieldRow(has: Has, where: Box): Spot[] {
  const around = ["big.6", "small", "low_field", "field", "high_field", "big", "big.8"].filter((id) => has.has(id));
  const wideRow = where.w > 600;
  const share = (id: string) => (id === "field" ? (wideRow ? 5 : 2) : 1);
  const size = wideRow ? 24 : 17;
  return columns(where, around.map(share)).map((place, n) => {
    const id = around[n]!;
    if (id === "field") return field(place);
    const word = id.replace(".", "_") as FeltWord;
    return cell(id, place, word, size, id.startsWith("big.") ? "coral" : "ivory");
  });
}

function field(where: Box): Spot {
  const [x, y] = middle(where);
  const flat = where.w > 10 * where.h;
  const size = flat ? where.h * 0.55 : Math.min(34, where.w / 9, where.h * 0.32);
  const [figuresAt, nameAt]: [Point, Point] = flat
    ? [[x + where.w * 0.12, y], [x - where.w * 0.2, y]]
    : [[x, y - size * 0.6], [x, y + size * 0.75]];
  const labels: Label[] = [
    { figure: "2 · 3 · 4 · 9 · 10 · 11 · 12", at: figuresAt, size, fit: where.w - 12, tone: "gold" },
    { word: "field", at: nameAt, size, fit: where.w * 0.4 },
  ];
  const chip: Point = [where.x + where.w * 0.86, flat ? y : where.y + where.h * 0.66];
  return { id: "field", outline: rounded(where), box: where, chip, labels };
}

/** The bar of Don't Come at the top left, with the home of the OFF puck; without the bet, the home alone. */
function dontComeBar(has: Has, where: Box, print: Print): Spot[] {
  const [x] = middle(where);
  print.pucks.set(0, [x, where.y + where.h - 44]);
  if (!has.has("dont_come")) {
    print.labels.push({ word: "come_out", at: middle(where), size: 26, fit: where.w - 12, tone: "dim" });
    return [];
  }
  const y = where.y + where.h * 0.16;
  const labelled: Label[] = [
    { word: "dont_come", at: [x, y], size: 27, fit: where.w - 12 },
    { word: "bar", at: [x, y + 32], size: 18, fit: where.w - 12, tone: "dim" },
  ];
  const dice = { faces: [6, 6] as const, at: [x, y + 66] as Point, size: 26 };
  const chip: Point = [x, where.y + where.h * 0.62];
  return [{ id: "dont_come", outline: rounded(where), box: where, chip, labels: labelled, dice }];
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
  const turned: Point = [side.x + side.w / 2, (top + bottom.y) / 2 - 6];
  const size = isPass ? 40 : 30;
  const labels: Label[] = [
    { word: isPass ? "pass_line" : "dont_pass_bar", at: [x, y], size, fit: 520 },
    { word: isPass ? "pass_line" : "dont_pass", at: turned, size: 26, fit: (bottom.y - top) * 0.8, turned: true },
  ];
  const spot = {
    id: line,
    outline: corner(down, along, bend),
    box: box(along.x, top, along.w, bottom.y + bottom.h - top),
    chip: [along.w * 0.9, y] as Point,
    labels,
  };
  return isPass ? spot : { ...spot, dice: { faces: [6, 6], at: [x + 250, y], size: 28 } };
}

function oddsRow(has: Has, where: Box): Spot[] {
  const ids = ["pass.odds", "dont_pass.odds"].filter((id) => has.has(id));
  return columns(where, ids.map(() => 1)).map((place, n) => {
    const word = ids[n] === "pass.odds" ? "pass_odds" : "dont_pass_odds";
    return { ...wideCell(ids[n]!, place, word, 25), outline: rounded(place, place.h / 2) };
  });
}

/** A long spot with its name in the middle and its chips at the right. */
function wideCell(id: string, where: Box, word: FeltWord, size: number, tone: Label["tone"] = "ivory"): Spot {
  const [x, y] = middle(where);
  const fits = Math.min(size, where.h * 0.7);
  const labels: Label[] = [{ word, at: [x, y], size: fits, fit: where.w * 0.5, tone }];
  const chip: Point = [where.x + where.w - Math.min(where.w * 0.14, 120), y];
  return { id, outline: rounded(where), box: where, chip, labels };
}
