/** The main part of the felt: numbers, Come, Field, the lines. Wide as on a table, or tall for narrow screens. The
 * server says which spots there are and names the zone of each; where a zone goes is decided here. */

import type { FeltSpot } from "../wire.ts";
import {
  box,
  cell,
  columns,
  corner,
  evenly,
  flat,
  GAP,
  middle,
  pairOf,
  rounded,
  rows,
  STACK_W,
  stacked,
  toneOf,
  type Band,
  type Box,
  type Label,
  type Point,
  type Spot,
  type Zone,
} from "./shapes.ts";

/** Wide as on a table; folded: the same, ten numbers in two rows; tall: three numbers a row, for a phone. */
export type Shape = "wide" | "folded" | "tall";

/** The spots of a zone in their order, of one number where it is given. */
export type At = (zone: string, number?: number) => readonly FeltSpot[];

/** The units across, how many of them the left side takes, and how many numbers a row has. */
const WIDE = { w: 1264, side: 134, across: 10 };
/** Fewer, so that all is drawn larger where the screen is narrow. */
const FOLDED = { w: 900, side: 100, across: 6 };
const TALL = { w: 368, row: 46, innerRow: 56 };
/** How high the wide felt may be for its width. */
const HEIGHTS = { least: 0.4, most: 0.7, folded: 0.9 };
/** Lower than this, all rows are even, so that each is as high as a finger needs. */
const LOW = 0.5;
const EVEN = 44;
/** What name, pays and chips take under each other. */
const NARROW_H = 78;
/** Numbers with fewer neighbours have narrow spots. */
const NARROW_ACROSS = 6;
/** The letters of pays where there is room, and the space that all letters leave at both sides together. */
const PAYS = 18;
const MARGIN = 12;
/** From the end of a short spot to the middle of its chips. */
const CHIP = 24;

/** What is laid besides the spots. */
interface Print {
  readonly labels: Label[];
  readonly plates: Map<number, Box>;
  readonly pucks: Map<number, Point>;
}

/** `height` is that of the room for its width; the wide felt fills it where it can. */
export function layMain(at: At, shape: Shape, height: number): Zone {
  const print: Print = { labels: [], plates: new Map(), pucks: new Map() };
  const zone = shape === "tall" ? tall(at, print) : wide(at, print, shape === "folded", height);
  return { name: "line", lammers: [], tracks: [], ladders: [], ...print, ...zone };
}

// --- The two shapes ---

/** The inner line first. */
const LINES = ["dont_pass_bar", "pass_line"];

function firsts(at: At, zones: readonly string[]): FeltSpot[] {
  return zones.flatMap((zone) => at(zone).slice(0, 1));
}

function wide(at: At, print: Print, folded: boolean, height: number): Pick<Zone, "w" | "h" | "spots"> {
  const { w, side: sideW, across } = folded ? FOLDED : WIDE;
  const most = folded ? HEIGHTS.folded : HEIGHTS.most;
  const whole = box(0, 0, w, Math.round(w * Math.min(Math.max(height, HEIGHTS.least), most)));
  const low = folded || whole.h < whole.w * LOW;
  const bands = [numbersBand(at, across, print, low), ...innerBands(at)];
  const lines = firsts(at, LINES);
  const [first, ...others] = [...bands.map((band) => band.share), ...lines.map(() => 60), 62];
  const shares = [first!, ...others.map((share) => (low ? EVEN : share))];
  const found = rows(whole, shares);
  const inner = (row: Box) => box(row.x + sideW + GAP, row.y, row.w - sideW - GAP, row.h);
  const spots = bands.flatMap((band, n) => band.lay(inner(found[n]!)));
  const home = box(0, 0, sideW, found[0]!.h);
  spots.push(...dontComeBar(at, home, print));
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
  spots.push(...oddsRow(at, inner(found.at(-1)!)));
  return { w: whole.w, h: whole.h, spots };
}

function tall(at: At, print: Print): Pick<Zone, "w" | "h" | "spots"> {
  const bands: Band[] = [
    { share: TALL.row, lay: (where) => topRow(at, where, print) },
    numbersBand(at, travels(at) ? 3 : 5, print, false),
    ...innerBands(at, true).map(({ lay }) => ({ share: TALL.innerRow, lay })),
    ...firsts(at, LINES).map((line) => ({ share: TALL.row, lay: (where: Box) => [wideCell(barred(line), where, 24)] })),
    { share: TALL.row, lay: (where) => oddsRow(at, where) },
  ];
  return stacked(TALL.w, bands);
}

/** Where dice are printed on a line, they bar it, and its name says so. */
function barred(line: FeltSpot): FeltSpot {
  return line.dice?.length ? { ...line, word: `${line.word}_bar` } : line;
}

// --- The numbers ---

/** A row of a number's box. */
interface NumberRow {
  readonly share: number;
  /** The zones side by side, from the left; none: the number itself is printed there. */
  readonly zones: readonly string[];
  readonly draw: (spot: FeltSpot, where: Box) => Spot;
}

const AGAINST = ["number_lay", "number_against"];
/** Don't Come at the right (IB 2.5), the odds next to it. */
const DONT_COME = ["number_dont_come_odds", "number_dont_come"];
const COME = ["number_come", "number_come_odds"];
const FOR = ["number_place", "number_buy"];

function inZones(at: At, zones: readonly string[], number?: number): FeltSpot[] {
  return zones.flatMap((zone) => at(zone, number));
}

/** Whether wagers travel to the numbers. */
function travels(at: At): boolean {
  return inZones(at, COME).length > 0;
}

function numbersBand(at: At, across: number, print: Print, low: boolean): Band {
  const numbers = [...new Set(inZones(at, [...FOR, ...COME]).flatMap(({ number }) => number ?? []))].sort(
    (a, b) => a - b,
  );
  const kinds = numberRows(at, numbers, across < NARROW_ACROSS);
  const shares = kinds.map(({ share }) => (low ? EVEN : share));
  const one = shares.reduce((sum, share) => sum + share + GAP, -GAP);
  const lines = Math.ceil(numbers.length / across);
  const each = Math.ceil(numbers.length / lines);
  const lay = (where: Box): Spot[] =>
    rows(where, Array(lines).fill(1)).flatMap((line, n) => {
      const here = numbers.slice(n * each, (n + 1) * each);
      const places = columns(line, Array(each).fill(1));
      return here.flatMap((number, nth) => numberBox(at, number, kinds, rows(places[nth]!, shares), print));
    });
  return { share: (one + GAP) * lines - GAP, lay };
}

/** The rows of a number's box, from the top: against it, Don't Come, the number itself, Come, and for the number. Without Don't
 * Come, Come is at the top (IB 2.4). */
function numberRows(at: At, numbers: readonly number[], narrow: boolean): readonly NumberRow[] {
  const draw = (spot: FeltSpot, where: Box) => cell(spot, where, 17);
  const both = numbers.some((number) => inZones(at, AGAINST, number).length > 1);
  const against = { share: narrow && both ? NARROW_H : 50, zones: AGAINST, draw };
  const dontCome = { share: 50, zones: DONT_COME, draw: travelled };
  const come = { share: 52, zones: COME, draw: travelled };
  const number = { share: travels(at) ? 52 : 70, zones: [], draw };
  const bets = { share: narrow ? NARROW_H : 66, zones: FOR, draw };
  const given = (row: NumberRow) => inZones(at, row.zones).length > 0;
  const above = given(dontCome) ? [dontCome, number, come] : [come, number];
  return [against, ...above, bets].filter((row) => row === number || given(row));
}

function numberBox(at: At, number: number, kinds: readonly NumberRow[], found: readonly Box[], print: Print): Spot[] {
  const plate = found[kinds.findIndex(({ zones }) => !zones.length)]!;
  const size = Math.min(60, plate.w * 0.5, plate.h * 1.05);
  print.labels.push({ figure: String(number), at: middle(plate), size, fit: plate.w, tone: "gold" });
  print.pucks.set(number, [plate.x + plate.w * 0.82, plate.y + plate.h / 2]);
  const last = found.at(-1)!;
  const frame = box(plate.x, plate.y, plate.w, last.y + last.h - plate.y);
  print.plates.set(number, frame);
  return kinds.flatMap(({ zones, draw }, n) => {
    const here = inZones(at, zones, number);
    if (zones === FOR && here.length === 1 && !travels(at)) {
      return [{ ...cell(here[0]!, last, 18), outline: rounded(frame), box: frame }];
    }
    return evenly(found[n]!, here, draw);
  });
}

/** Where a Come or Don't Come wager travels to, and its odds. */
function travelled(spot: FeltSpot, where: Box): Spot {
  const [x, y] = middle(where);
  const fit = where.w - MARGIN / 2;
  const label = { name: spot, at: [x, y - 9] as Point, size: 15, fit, tone: "dim" as const };
  const pays = { at: [x, y + 10] as Point, size: 14, fit };
  return { ...flat(spot, where), chip: [x, y], labels: [label], pays, faint: true };
}

// --- Come, the Field and what is around it ---

const FIELD = "field_strip";
const LEFT_OF_FIELD = ["corner_6", "big_small_left", "field_left"];
const RIGHT_OF_FIELD = ["field_right", "big_small_right", "corner_8"];
/** How many times as wide as its neighbours the Field is. */
const FIELD_WIDER = 5;
/** Spots in a narrower row have smaller letters. */
const AROUND_NARROW = 600;

/** Come; then the Field with what is left and right of it, or under it where all is narrow. */
function innerBands(at: At, narrow = false): Band[] {
  const come = firsts(at, ["come_box"]).map((spot) => ({
    share: 84,
    lay: (where: Box) => [wideCell(spot, where, 58)],
  }));
  const [left, strip, right] = [LEFT_OF_FIELD, [FIELD], RIGHT_OF_FIELD].map((zones) => firsts(at, zones));
  const around = narrow ? [strip!, [...left!, ...right!]] : [[...left!, ...strip!, ...right!]];
  const fields = around.filter((spots) => spots.length);
  return [...come, ...fields.map((spots) => ({ share: 110, lay: (where: Box) => fieldRow(spots, where) }))];
}

function fieldRow(spots: readonly FeltSpot[], where: Box): Spot[] {
  const size = where.w > AROUND_NARROW ? 24 : 17;
  const places = columns(
    where,
    spots.map(({ zone }) => (zone === FIELD ? FIELD_WIDER : 1)),
  );
  return spots.map((spot, n) => (spot.zone === FIELD ? field(spot, places[n]!) : cell(spot, places[n]!, size)));
}

/** If it is this many times as wide as high, all of the Field is in one line; up to this width, its chips need room. */
const FIELD_FLAT = 10;
const FIELD_NARROW = 240;

function field(spot: FeltSpot, where: Box): Spot {
  const { x, y, w, h } = where;
  const figure = (spot.collects ?? []).join(" · ");
  const drawn = flat(spot, where);
  if (w > FIELD_FLAT * h) {
    const at = (share: number): Point => [x + w * share, y + h / 2];
    const labels: Label[] = [
      { name: spot, at: at(0.1), size: h * 0.5, fit: w * 0.18 },
      { figure, at: at(0.4), size: h * 0.46, fit: w * 0.4, tone: "gold" },
    ];
    return { ...drawn, chip: [x + w - 40, y + h / 2], labels, pays: { at: at(0.72), size: 16, fit: w * 0.2 } };
  }
  const roomy = w > FIELD_NARROW;
  const free = roomy ? w : w - STACK_W;
  const at = (share: number): Point => [x + free / 2, y + h * share];
  const labels: Label[] = [
    { figure, at: at(0.22), size: Math.min(34, h * 0.28), fit: free - 10, tone: "gold" },
    { name: spot, at: at(0.54), size: Math.min(34, h * 0.3), fit: free * 0.5 },
  ];
  const chip: Point = [x + w - (roomy ? w * 0.12 : CHIP), y + h / 2];
  return { ...drawn, chip, labels, pays: { at: at(0.83), size: 17, fit: free - 10 } };
}

// --- Don't Come and the lines ---

/** The bar of Don't Come at the top left, with the home of the OFF puck; without the bet, the home alone. */
function dontComeBar(at: At, where: Box, print: Print): Spot[] {
  const [spot] = at("dont_come_box");
  const fit = where.w - MARGIN;
  const down = (share: number): Point => [middle(where)[0], where.y + where.h * share];
  print.pucks.set(0, down(0.83));
  if (!spot) {
    print.labels.push({ word: "come_out", at: middle(where), size: 26, fit, tone: "dim" });
    return [];
  }
  const labels: Label[] = [
    { name: spot, at: down(0.1), size: 27, fit },
    { word: "bar", at: down(0.2), size: 18, fit, tone: "dim" },
  ];
  const pays = { at: down(0.43), size: PAYS, fit };
  return [{ ...flat(spot, where), chip: down(0.57), labels, pays, ...pairOf(spot, down(0.31), 26) }];
}

function topRow(at: At, where: Box, print: Print): Spot[] {
  const [home, rest] = columns(where, [1, 4.6]) as [Box, Box];
  print.pucks.set(0, middle(home));
  return firsts(at, ["dont_come_box"]).map((spot) => wideCell(spot, rest, 22));
}

/** A line along the bottom: from this height its pays are under its name, otherwise next to it. */
const LINE_UNDER = 56;
/** How far right of the middle its name is, because the corner takes a part of the left. */
const LINE_RIGHT = 70;

function turningLine(line: FeltSpot, side: Box, bottom: Box, top: number, bend: Point): Spot {
  const down = box(side.x, top, side.w, 0);
  const along = box(side.x, bottom.y, bottom.w - side.x, bottom.h);
  const x = (along.x + along.w) / 2 + LINE_RIGHT;
  const y = bottom.y + bottom.h / 2;
  const under = bottom.h >= LINE_UNDER;
  const turned: Point = [side.x + side.w / 2, (top + bottom.y) / 2 - 6];
  const size = line.zone === "pass_line" ? 38 : 30;
  const labels: Label[] = [
    { name: barred(line), at: [x, under ? y - 11 : y], size, fit: 420 },
    { name: line, at: turned, size: 26, fit: (bottom.y - top) * 0.8, turned: true },
  ];
  return {
    id: line.spot,
    outline: corner(down, along, bend),
    box: box(along.x, top, along.w, bottom.y + bottom.h - top),
    chip: [along.w * 0.9, y],
    labels,
    pays: { at: under ? [x, y + 20] : [x - 240, y], size: PAYS, fit: 120 },
    ...pairOf(line, [x + 250, y], 28),
  };
}

function oddsRow(at: At, where: Box): Spot[] {
  return evenly(where, inZones(at, ["pass_line_odds", "dont_pass_odds"]), (spot, place) => {
    return { ...wideCell(spot, place, 25), outline: rounded(place, Math.min(place.h / 2, 30)) };
  });
}

/** In a wide spot pays fit next to the name, unless it is high; in a short one chips take of their room. */
const SPOT_WIDE = 700;
const SPOT_HIGH = 60;
const SPOT_SHORT = 260;

/** A long spot with its name in the middle, its pays under or next to it, and its chips at the right. */
function wideCell(spot: FeltSpot, where: Box, size: number): Spot {
  const { x, y, w, h } = where;
  const [short, high] = [w < SPOT_SHORT, h >= SPOT_HIGH];
  const under = w <= SPOT_WIDE || high;
  const middleX = x + w / 2 - (short ? STACK_W / 2 : 0);
  const fit = short ? w - STACK_W - MARGIN : w * 0.5;
  const at: Point = [middleX, under ? y + h * 0.32 : y + h / 2];
  const labels: Label[] = [{ name: spot, at, size: Math.min(size, h * (under ? 0.46 : 0.7)), fit, tone: toneOf(spot) }];
  const pays = under
    ? { at: [middleX, y + h * 0.76] as Point, size: high ? PAYS : 15, fit: short ? fit : w * 0.7 }
    : { at: [x + w * 0.26, y + h / 2] as Point, size: PAYS, fit: w * 0.3 };
  const chip: Point = [x + w - (short ? CHIP : Math.min(w * 0.14, 120)), y + h / 2];
  return { ...flat(spot, where), chip, labels, pays };
}
