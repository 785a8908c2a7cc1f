/** The panels beside the line: propositions, hops and special games. */

import {
  box,
  cell,
  columns,
  GAP,
  middle,
  rounded,
  rows,
  STACK_W,
  type Box,
  type Label,
  type Ladder,
  type Lammers,
  type Point,
  type PrintedDice,
  type Slot,
  type Spot,
  type Track,
  type Zone,
  LAMMER_DOWN,
} from "./shapes.ts";
import type { FeltWord } from "../words/en.ts";

const W = 514;
type Has = ReadonlySet<string>;

/** Panels have neither puck nor numbers. */
const BARE = {
  labels: [],
  lammers: [],
  tracks: [],
  ladders: [],
  pucks: new Map<number, Point>(),
  plates: new Map<number, Box>(),
};

// --- Propositions ---

const PROPOSITIONS: readonly { readonly h: number; readonly ids: readonly string[] }[] = [
  { h: 76, ids: ["hard.6", "hard.8"] },
  { h: 76, ids: ["hard.4", "hard.10"] },
  { h: 66, ids: ["seven", "any_craps"] },
  { h: 98, ids: ["horn.2", "horn.3", "horn.11", "horn.12"] },
  { h: 68, ids: ["c", "e", "c_and_e", "horn"] },
];
const HORN_DICE: Readonly<Record<string, readonly [number, number]>> = {
  "horn.2": [1, 1],
  "horn.3": [1, 2],
  "horn.11": [5, 6],
  "horn.12": [6, 6],
};

export function layProps(has: Has): Zone {
  const bands = PROPOSITIONS.map(({ h, ids }) => ({ h, ids: ids.filter((id) => has.has(id)) })).filter(
    ({ ids }) => ids.length,
  );
  const h = bands.reduce((sum, band) => sum + band.h + 4, -4);
  const found = rows(
    box(0, 0, W, h),
    bands.map((band) => band.h),
  );
  const spots = bands.flatMap(({ ids }, n) =>
    columns(
      found[n]!,
      ids.map(() => 1),
    ).map((place, at) => proposition(ids[at]!, place)),
  );
  return { name: "props", w: W, h, spots, ...BARE };
}

function proposition(id: string, where: Box): Spot {
  const [stem, number] = id.split(".") as [string, string | undefined];
  const [x, y] = middle(where);
  const right: Point = [where.x + where.w - 30, y];
  if (stem === "hard") {
    const half = Number(number) / 2;
    const at: Point = [where.x + 146, y - 13];
    const labels: Label[] = [{ word: `hard_${number}` as FeltWord, at, size: 23, fit: 104 }];
    const dice: PrintedDice = { faces: [half, half], at: [where.x + 48, y - 9], size: 34 };
    const note: Slot = { at: [where.x + 48, y + 26], size: 15, fit: 88 };
    return { ...spot(id, where, right, labels, { at: [at[0], y + 15], size: 19, fit: 100 }, dice), note };
  }
  if (number) {
    const dice: PrintedDice = { faces: HORN_DICE[id]!, at: [x, where.y + 18], size: 24 };
    const word = `horn_${number}` as FeltWord;
    const labels: Label[] = [{ word, at: [x, where.y + 42], size: 16, fit: where.w - 8 }];
    const pays = { at: [where.x + (where.w - STACK_W) / 2 + 4, where.y + 72] as Point, size: 18, fit: where.w - 54 };
    return spot(id, where, [where.x + where.w - 26, where.y + 70], labels, pays, dice);
  }
  if (where.w < 200) return cell(id, where, id as FeltWord, 21);
  const tone = id === "seven" ? "coral" : "ivory";
  const labels: Label[] = [{ word: id as FeltWord, at: [where.x + 84, y], size: 25, fit: 136, tone }];
  return spot(id, where, right, labels, { at: [where.x + 182, y], size: 19, fit: 48 });
}

function spot(id: string, where: Box, chip: Point, labels: readonly Label[], pays: Slot, dice?: PrintedDice): Spot {
  return { id, outline: rounded(where), box: where, chip, labels, pays, ...(dice && { dice }) };
}

// --- Hops ---

const HOPS_ACROSS = 6;

export function layHops(has: Has): Zone {
  const ids = [...has].filter((id) => id.startsWith("hop.")).sort(bySumThenPair);
  const lines = Math.ceil(ids.length / HOPS_ACROSS);
  const h = Math.max(lines * 74 - 4, 0);
  const found = rows(box(0, 0, W, h), Array(lines).fill(1));
  const spots = ids.map((id, n) => {
    const line = columns(found[Math.floor(n / HOPS_ACROSS)]!, Array(HOPS_ACROSS).fill(1));
    return hop(id, line[n % HOPS_ACROSS]!);
  });
  return { name: "hops", w: W, h, spots, ...BARE };
}

function pairOf(id: string): [number, number] {
  return id.slice("hop.".length).split("-").map(Number) as [number, number];
}

function bySumThenPair(one: string, other: string): number {
  const [[a, b], [c, d]] = [pairOf(one), pairOf(other)];
  return a + b - c - d || a - c;
}

function hop(id: string, where: Box): Spot {
  const [x] = middle(where);
  const dice: PrintedDice = { faces: pairOf(id), at: [x, where.y + 19], size: 25 };
  const low = where.y + where.h - 20;
  return spot(id, where, [where.x + where.w - 22, low], [], { at: [where.x + 21, low], size: 15, fit: 34 }, dice);
}

// --- Special games ---

const TEN = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
const LOW = TEN.slice(0, 5);
const HIGH = TEN.slice(5);
interface SideGame {
  readonly name: FeltWord;
  /** By bet, the totals that it collects. */
  readonly bets: Readonly<Record<string, readonly number[]>>;
  /** It pays by how far it gets. */
  readonly climbs?: boolean;
  /** It waits for totals in an order. */
  readonly ordered?: boolean;
}
const SIDES: readonly SideGame[] = [
  { name: "lucky_roller", bets: { "lucky_roller.low": LOW, "lucky_roller.all": TEN, "lucky_roller.high": HIGH } },
  { name: "bonus", bets: { "bonus.small": LOW, "bonus.all": TEN, "bonus.tall": HIGH } },
  { name: "lucky_shooter", bets: { lucky_shooter: [4, 5, 6, 8, 9, 10] }, climbs: true },
  { name: "hot_shooter", bets: { hot_shooter: [] }, climbs: true },
  { name: "make_em_all", bets: { make_em_all: TEN }, climbs: true },
  { name: "fired_up", bets: { fired_up: [] }, climbs: true, ordered: true },
];
const BLOCK_H = 150;
/** A game that is alone has more room. */
const ALONE_H = 180;
/** How far from the top of a block its spots begin: under its name, under a row of lammers, or under two. */
const TOPS = [30, 62, 84] as const;
const LAMMER_MAX = 40;

/** The games of each line: where there are many, two beside each other, but for those with a bet for each set. */
function lines(games: readonly SideGame[]): readonly (readonly SideGame[])[] {
  if (games.length <= 2) return games.map((game) => [game]);
  const single = games.filter(({ bets }) => Object.keys(bets).length === 1);
  const pairs = single.flatMap((game, n) => (n % 2 ? [] : [[game, ...single.slice(n + 1, n + 2)]]));
  return [...games.filter((game) => !single.includes(game)).map((game) => [game]), ...pairs];
}

export function laySides(has: Has): Zone {
  const games = SIDES.filter(({ bets }) => Object.keys(bets).some((id) => has.has(id)));
  const found = lines(games);
  const block = games.length === 1 ? ALONE_H : BLOCK_H;
  const h = Math.max(found.length * (block + GAP) - GAP, 0);
  const places = rows(
    box(0, 0, W, h),
    found.map(() => 1),
  );
  const print = { labels: [] as Label[], lammers: [] as Lammers[], tracks: [] as Track[], ladders: [] as Ladder[] };
  const spots = found.flatMap((line, n) =>
    columns(
      places[n]!,
      line.map(() => 1),
    ).flatMap((where, m) => sideGame(line[m]!, where, has, print)),
  );
  return { name: "sides", w: W, h, spots, ...BARE, ...print };
}

interface SidePrint {
  readonly labels: Label[];
  readonly lammers: Lammers[];
  readonly tracks: Track[];
  readonly ladders: Ladder[];
}

/** One special game: its name, what it waits for, then its spots and what it pays. */
function sideGame({ name, bets, climbs, ordered }: SideGame, where: Box, has: Has, print: SidePrint): Spot[] {
  print.labels.push({
    word: name,
    at: [where.x + where.w / 2, where.y + 14],
    size: 20,
    fit: where.w - 16,
    tone: "gold",
  });
  const here = Object.entries(bets).filter(([id]) => has.has(id));
  const several = Object.keys(bets).length > 1;
  const top = TOPS[ordered || several ? 2 : here[0]![1].length ? 1 : 0];
  const marks = columns(
    box(where.x, where.y + TOPS[0], where.w, top - TOPS[0] - GAP),
    here.map(() => 1),
  );
  if (ordered) print.tracks.push({ of: name, where: marks[0]! });
  here.forEach(
    ([of, totals], n) =>
      totals.length && print.lammers.push(lammers(of, totals, marks[n]!, several ? 5 : totals.length)),
  );
  const row = box(where.x, where.y + top, where.w, where.h - top);
  const [places, ladder] = climbs ? columns(row, [0.34, 0.66]) : [row];
  if (ladder) print.ladders.push({ of: name, where: ladder });
  return columns(
    places!,
    here.map(() => 1),
  ).map((place, n) => sideSpot(here[n]![0], place));
}

/** Lammers in the middle of a box. */
function lammers(of: string, totals: readonly number[], where: Box, across: number): Lammers {
  const step = Math.min((where.w - 8) / across, LAMMER_MAX);
  const down = Math.ceil(totals.length / across);
  const [x, y] = middle(where);
  return { of, totals, at: [x - (step * (across - 1)) / 2, y - ((down - 1) * LAMMER_DOWN) / 2], step, across };
}

/** The sequences of a side bet as lammers, one under the other. */
export function tracks({ of, where }: Track, sequences: readonly (readonly number[])[]): readonly Lammers[] {
  return rows(
    where,
    sequences.map(() => 1),
  ).map((line, n) => lammers(of, sequences[n]!, line, sequences[n]!.length));
}

function sideSpot(id: string, where: Box): Spot {
  const part = id.split(".")[1];
  return cell(id, where, part ? (`set_${part}` as FeltWord) : "bet", 17);
}
