/** The main part of the felt: numbers, Come, Field, the lines. Wide as on a table, or tall for narrow screens. The
 * server says which spots there are and names the zone of each; where a zone goes is decided here. */

import type { FeltSpot } from "../wire.ts";
import {
  box,
  cell,
  columns,
  corner,
  evenly,
  FINGER,
  flat,
  GAP,
  middle,
  NARROW,
  NARROW_H,
  pairOf,
  rounded,
  rows,
  spread,
  STACK_W,
  stacked,
  together,
  toneOf,
  type Band,
  type Box,
  type Height,
  type Label,
  type Point,
  type Room,
  type Spot,
  type Zone,
} from "./shapes.ts";

/** Wide as on a table; folded: the same, ten numbers in two rows; tall: straight rows, for a handset, with what most
 * players bet at the top and what is against the shooter in a zone of its own. */
export type Shape = "wide" | "folded" | "tall";

/** The spots of a zone in their order, of one number where it is given. */
export type At = (zone: string, number?: number) => readonly FeltSpot[];

/** How wide a felt may be in its own units, how much of that the left side takes, and how many numbers a row has. */
const WIDE = { least: 760, most: 1264, side: 0.106, across: 10 };
const FOLDED = { least: 700, most: 900, side: 0.111, across: 6 };
const TALL = { least: 340, most: 640, home: 54 };
/** How high the wide felt may be for its width. */
const HEIGHTS = { wide: 0.86, folded: 0.9 };
/** From this width, a tall felt has all numbers next to each other. */
const LYING = 520;
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
type Laid = Pick<Zone, "w" | "h" | "spots">;

/** The main part, and on a tall felt what is against the shooter. */
export function layMain(at: At, shape: Shape, room: Room): { readonly line: Zone; readonly more: Zone } {
  const [line, more] = [blank(), blank()];
  const laid = shape === "tall" ? tall(at, line, room) : wide(at, line, shape === "folded", room);
  const against = shape === "tall" ? layAgainst(at, more, room) : { w: 0, h: 0, spots: [] };
  return { line: { name: "line", ...BARE, ...line, ...laid }, more: { name: "more", ...BARE, ...more, ...against } };
}

const BARE = { lammers: [], tracks: [], ladders: [], games: [] };

function blank(): Print {
  return { labels: [], plates: new Map(), pucks: new Map() };
}

function within(width: number, { least, most }: { least: number; most: number }): number {
  return Math.round(Math.min(Math.max(width, least), most));
}

// --- The shapes ---

/** The inner line first. */
const LINES = ["dont_pass_bar", "pass_line"];

function firsts(at: At, zones: readonly string[]): FeltSpot[] {
  return zones.flatMap((zone) => at(zone).slice(0, 1));
}

function wide(at: At, print: Print, folded: boolean, room: Room): Laid {
  const { side, across, ...widths } = folded ? FOLDED : WIDE;
  const w = within(room.w, widths);
  const sideW = Math.round(w * side);
  const lines = firsts(at, LINES);
  const inner = (row: Box) => box(row.x + sideW + GAP, row.y, row.w - sideW - GAP, row.h);
  const bands = [numbersBand(at, w - sideW - GAP, across, print, ALL_ROWS), ...comeBand(at), ...fieldBands(at)];
  const heights: Height[] = [
    ...bands,
    ...lines.map(() => ({ least: FINGER, share: 60 })),
    { least: FINGER, share: 62 },
  ];
  const high = Math.min(room.h / room.w, folded ? HEIGHTS.folded : HEIGHTS.wide) * w;
  const whole = box(0, 0, w, Math.round(Math.max(high, together(heights, "least"))));
  const found = spread(whole, heights);
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
    const [down, bottom] = [sides[n]!, found[bands.length + n]!];
    spots.push(turningLine(line, down, bottom, top, bend));
    bend = [bend[0] + down.w + GAP, bend[1] + bottom.h + GAP];
  }
  spots.push(...oddsRow(at, ODDS, inner(found.at(-1)!)));
  return { w: whole.w, h: whole.h, spots };
}

const ODDS = ["pass_line_odds", "dont_pass_odds"];

/** The line with its odds, the Field, the numbers; then the rest. */
function tall(at: At, print: Print, room: Room): Laid {
  const w = within(room.w, TALL);
  const [field, ...others] = fieldBands(at, true);
  const line = { least: FINGER, share: 46, lay: (where: Box) => lineRow(at, where, print) };
  const numbers = numbersBand(at, w, tallAcross(at, w), print, FOR_ROWS);
  const bands = [line, ...(field ? [field] : []), numbers, ...comeBand(at), ...others];
  return stacked(
    w,
    bands.map((band) => ({ ...band, share: Math.min(band.share, Math.max(band.least, TALL_ROW)) })),
  );
}

const TALL_ROW = 50;

function tallAcross(at: At, w: number): number {
  return w < LYING ? (travels(at) ? 3 : 5) : 6;
}

/** The home of the puck, the line, and the odds behind it. */
function lineRow(at: At, where: Box, print: Print): Spot[] {
  const home = box(where.x, where.y, TALL.home, where.h);
  const rest = box(where.x + TALL.home, where.y, where.w - TALL.home, where.h);
  print.pucks.set(0, middle(home));
  const spots = [...firsts(at, ["pass_line"]), ...at("pass_line_odds")];
  const places = columns(
    rest,
    spots.map((_, n) => (n ? 1 : 1.2)),
  );
  return spots.map((spot, n) => wideCell(spot, places[n]!, 22));
}

/** Don't Pass with its odds, Don't Come, and against each number. */
function layAgainst(at: At, print: Print, room: Room): Laid {
  const w = within(room.w, TALL);
  const lines = [
    firsts(at, ["dont_pass_bar"]).map(barred).concat(at("dont_pass_odds")),
    firsts(at, ["dont_come_box"]),
  ].filter((spots) => spots.length);
  const numbers = inZones(at, [...AGAINST, ...DONT_COME]).length
    ? [numbersBand(at, w, tallAcross(at, w), print, AGAINST_ROWS)]
    : [];
  const row = (spots: readonly FeltSpot[]): Band => ({
    least: FINGER,
    share: 48,
    lay: (where) => evenly(where, spots, (spot, place) => wideCell(spot, place, 22)),
  });
  return stacked(w, [...lines.map(row), ...numbers]);
}

/** Where dice are printed on a line, they bar it, and its name says so. */
function barred(line: FeltSpot): FeltSpot {
  return line.dice?.length ? { ...line, word: `${line.word}_bar` } : line;
}

// --- The numbers ---

/** A row of a number's box. */
interface NumberRow extends Height {
  /** The zones side by side, from the left; none: the number itself is printed there. */
  readonly zones: readonly string[];
  readonly draw: (spot: FeltSpot, where: Box) => Spot;
}

const AGAINST = ["number_lay", "number_against"];
/** Don't Come at the right (IB 2.5), the odds next to it. */
const DONT_COME = ["number_dont_come_odds", "number_dont_come"];
const COME = ["number_come", "number_come_odds"];
const FOR = ["number_place", "number_buy"];
const PLATE: readonly string[] = [];
/** The rows of a number's box from the top: against it, Don't Come, the number itself, Come, and for the number. Without
 * Don't Come, Come is at the top (IB 2.4). On a tall felt, those against it are in a zone of their own. */
const ALL_ROWS = [AGAINST, DONT_COME, PLATE, COME, FOR];
const NO_DONT_COME_ROWS = [AGAINST, COME, PLATE, FOR];
const FOR_ROWS = [PLATE, FOR, COME];
const AGAINST_ROWS = [PLATE, AGAINST, DONT_COME];

function inZones(at: At, zones: readonly string[], number?: number): FeltSpot[] {
  return zones.flatMap((zone) => at(zone, number));
}

/** Whether wagers travel to the numbers. */
function travels(at: At): boolean {
  return inZones(at, COME).length > 0;
}

type Rows = readonly (readonly string[])[];

function numbersBand(at: At, w: number, across: number, print: Print, shown: Rows): Band {
  const numbers = [...new Set(inZones(at, [...FOR, ...COME]).flatMap(({ number }) => number ?? []))].sort(
    (a, b) => a - b,
  );
  const pair = Math.max(...shown.flatMap((zones) => numbers.map((number) => inZones(at, zones, number).length)));
  const fits = Math.max(Math.floor((w + GAP) / (pair * (FINGER + GAP))), 1);
  const lines = Math.ceil(numbers.length / Math.min(across, fits));
  const each = Math.ceil(numbers.length / lines);
  const top = shown === ALL_ROWS && !inZones(at, DONT_COME).length ? NO_DONT_COME_ROWS : shown;
  const kinds = numberRows(at, numbers, (w - GAP * (each - 1)) / each, top);
  const one = { least: together(kinds, "least"), share: together(kinds, "share") };
  const lay = (where: Box): Spot[] =>
    rows(where, Array(lines).fill(1)).flatMap((line, n) => {
      const here = numbers.slice(n * each, (n + 1) * each);
      const places = columns(line, Array(each).fill(1));
      return here.flatMap((number, nth) => numberBox(at, number, kinds, spread(places[nth]!, kinds), print));
    });
  const all = Array<Height>(lines).fill(one);
  return { least: together(all, "least"), share: together(all, "share"), lay };
}

/** The rows of a number's box that have spots, and how high they are: where two spots in a row are narrow, name, pays and
 * chips are under each other. */
function numberRows(at: At, numbers: readonly number[], w: number, shown: Rows): readonly NumberRow[] {
  const most = (zones: readonly string[]) => Math.max(...numbers.map((number) => inZones(at, zones, number).length));
  const bets = (zones: readonly string[], share: number): Height => {
    const n = most(zones);
    const narrow = (w - GAP * (n - 1)) / n < NARROW;
    return narrow ? { least: NARROW_H, share: NARROW_H } : { least: FINGER, share };
  };
  const draw = (spot: FeltSpot, where: Box) => cell(spot, where, 17);
  const plate = { least: 36, share: travels(at) ? 52 : 70 };
  return shown
    .filter((zones) => !zones.length || inZones(at, zones).length)
    .map((zones) => {
      if (!zones.length) return { ...plate, zones, draw };
      if (zones === COME || zones === DONT_COME) return { least: FINGER + 2, share: 52, zones, draw: travelled };
      return { ...bets(zones, zones === FOR ? 66 : 50), zones, draw };
    });
}

/** On a narrower plate, the number makes room for the puck. */
const PLATE_NARROW = 130;

function numberBox(at: At, number: number, kinds: readonly NumberRow[], found: readonly Box[], print: Print): Spot[] {
  const plate = found[kinds.findIndex(({ zones }) => !zones.length)]!;
  const size = Math.min(60, plate.w * 0.5, plate.h * 1.05);
  const [x, y] = middle(plate);
  const written: Point = [plate.w < PLATE_NARROW ? plate.x + plate.w * 0.36 : x, y];
  print.labels.push({ figure: String(number), at: written, size, fit: plate.w, tone: "gold" });
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

const TRAVELLED_R = 14;

/** Where a Come or Don't Come wager travels to, and its odds. Chips lie on the name, never on the pays. */
function travelled(spot: FeltSpot, where: Box): Spot {
  const { y, h } = where;
  const [x] = middle(where);
  const fit = where.w - MARGIN / 2;
  const pays = { at: [x, y + 10] as Point, size: 14, fit };
  const chip: Point = [x, y + h - TRAVELLED_R - 1];
  const label = { name: spot, at: [x, y + 10 + (h - 10) / 2] as Point, size: 15, fit, tone: "dim" as const };
  return { ...flat(spot, where), chip, r: TRAVELLED_R, labels: [label], pays, faint: true };
}

// --- Come, the Field and what is around it ---

const FIELD = "field_strip";
const LEFT_OF_FIELD = ["corner_6", "big_small_left", "field_left"];
const RIGHT_OF_FIELD = ["field_right", "big_small_right", "corner_8"];
/** How many times as wide as its neighbours the Field is. */
const FIELD_WIDER = 5;
/** The least height of the Field: numbers, name and pays. */
const FIELD_LEAST = 52;
/** Spots in a narrower row have smaller letters; in a higher one their numbers have room. */
const AROUND_NARROW = 600;
const AROUND_HIGH = 80;

function comeBand(at: At): Band[] {
  return firsts(at, ["come_box"]).map((spot) => ({
    least: FINGER,
    share: 84,
    lay: (where) => [wideCell(spot, where, 58)],
  }));
}

/** The Field with what is left and right of it, or under it where all is narrow. */
function fieldBands(at: At, narrow = false): Band[] {
  const [left, strip, right] = [LEFT_OF_FIELD, [FIELD], RIGHT_OF_FIELD].map((zones) => firsts(at, zones));
  const around = narrow ? [strip!, [...left!, ...right!]] : [[...left!, ...strip!, ...right!]];
  return around
    .filter((spots) => spots.length)
    .map((spots) => {
      const least = spots.some(({ zone }) => zone === FIELD) ? FIELD_LEAST : FINGER;
      return { least, share: 110, lay: (where) => fieldRow(spots, where) };
    });
}

function fieldRow(spots: readonly FeltSpot[], where: Box): Spot[] {
  const size = where.w > AROUND_NARROW ? 24 : 17;
  const places = columns(
    where,
    spots.map(({ zone }) => (zone === FIELD ? FIELD_WIDER : 1)),
  );
  return spots.map((spot, n) => (spot.zone === FIELD ? field(spot, places[n]!) : aroundField(spot, places[n]!, size)));
}

/** What is next to the Field, with the numbers that it wins on where it wins on some. */
function aroundField(spot: FeltSpot, where: Box, size: number): Spot {
  const drawn = cell(spot, where, size);
  const figure = (spot.collects ?? []).join(" · ");
  if (!figure || where.h < AROUND_HIGH) return drawn;
  const at: Point = [middle(where)[0], where.y + where.h * 0.4];
  return { ...drawn, labels: [...drawn.labels, { figure, at, size: 20, fit: where.w - 8, tone: "gold" }] };
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
  return { ...drawn, chip, labels, pays: { at: at(0.83), size: Math.min(17, h * 0.28), fit: free - 10 } };
}

// --- Don't Come and the lines ---

/** From the middle of the OFF puck to what is under its home, and to the middle of the word above it: no less. */
const HOME = 26;
const COME_OUT = 40;

/** The bar of Don't Come at the top left, with the home of the OFF puck; without the bet, the home alone. */
function dontComeBar(at: At, where: Box, print: Print): Spot[] {
  const [spot] = at("dont_come_box");
  const fit = where.w - MARGIN;
  const down = (share: number): Point => [middle(where)[0], where.y + where.h * share];
  const puck = Math.min(0.83, 1 - HOME / where.h);
  print.pucks.set(0, down(puck));
  if (!spot) {
    const at = down(Math.min(0.5, puck - COME_OUT / where.h));
    print.labels.push({ word: "come_out", at, size: 26, fit, tone: "dim" });
    return [];
  }
  const labels: Label[] = [
    { name: spot, at: down(0.1), size: 27, fit },
    { word: "bar", at: down(0.2), size: 18, fit, tone: "dim" },
  ];
  const pays = { at: down(0.43), size: PAYS, fit };
  return [{ ...flat(spot, where), chip: down(0.57), labels, pays, ...pairOf(spot, down(0.31), 26) }];
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
    { name: barred(line), at: [x, under ? y - 11 : y], size: under ? Math.min(size, bottom.h * 0.56) : size, fit: 420 },
    { name: line, at: turned, size: 26, fit: (bottom.y - top) * 0.8, turned: true },
  ];
  return {
    id: line.spot,
    outline: corner(down, along, bend),
    box: box(along.x, top, along.w, bottom.y + bottom.h - top),
    chip: [along.w * 0.9, y],
    labels,
    pays: { at: under ? [x, y + bottom.h * 0.3] : [x - 240, y], size: PAYS, fit: 120 },
    ...pairOf(line, [x + 250, y], 28),
  };
}

function oddsRow(at: At, zones: readonly string[], where: Box): Spot[] {
  return evenly(where, inZones(at, zones), (spot, place) => {
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
