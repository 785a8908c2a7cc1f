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
  type Zone,
} from "./shapes.ts";
import type { FeltWord } from "../words/en.ts";

const W = 514;
type Has = ReadonlySet<string>;

/** Panels have neither puck nor numbers. */
const BARE = { labels: [], lammers: [], ladders: [], pucks: new Map<number, Point>(), plates: new Map<number, Box>() };

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
  const found = rows(box(0, 0, W, h), bands.map((band) => band.h));
  const spots = bands.flatMap(({ ids }, n) =>
    columns(found[n]!, ids.map(() => 1)).map((place, at) => proposition(ids[at]!, place)),
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
interface SideGame {
  readonly name: FeltWord;
  readonly ids: readonly string[];
  readonly totals: readonly number[];
  /** It pays by how far it gets. */
  readonly climbs?: boolean;
}
const SIDES: readonly SideGame[] = [
  { name: "lucky_roller", ids: ["lucky_roller.low", "lucky_roller.all", "lucky_roller.high"], totals: TEN },
  { name: "bonus", ids: ["bonus.small", "bonus.all", "bonus.tall"], totals: TEN },
  { name: "lucky_shooter", ids: ["lucky_shooter"], totals: [4, 5, 6, 8, 9, 10], climbs: true },
  { name: "hot_shooter", ids: ["hot_shooter"], totals: [], climbs: true },
  { name: "make_em_all", ids: ["make_em_all"], totals: TEN, climbs: true },
  { name: "fired_up", ids: ["fired_up"], totals: [], climbs: true },
];
const BLOCK_H = 128;
/** A game that is alone has more room. */
const ALONE_H = 180;

export function laySides(has: Has): Zone {
  const games = SIDES.filter(({ ids }) => ids.some((id) => has.has(id)));
  const across = games.length > 2 ? [1, 1] : [1];
  const lines = Math.ceil(games.length / across.length);
  const block = games.length === 1 ? ALONE_H : BLOCK_H;
  const h = Math.max(lines * (block + GAP) - GAP, 0);
  const found = rows(box(0, 0, W, h), Array(lines).fill(1)).flatMap((line) => columns(line, across));
  const labels: Label[] = [];
  const lammers: Lammers[] = [];
  const ladders: Ladder[] = [];
  const spots = games.flatMap(({ name, ids, totals, climbs }, n) => {
    const where = found[n]!;
    const at: Point = [where.x + where.w / 2, where.y + 14];
    labels.push({ word: name, at, size: 20, fit: where.w - 16, tone: "gold" });
    const step = Math.min((where.w - 8) / Math.max(totals.length, 1), 40);
    const left = where.x + (where.w - step * (totals.length - 1)) / 2;
    if (totals.length) lammers.push({ of: name, totals, at: [left, where.y + 43], step });
    const here = ids.filter((id) => has.has(id));
    const top = totals.length ? 62 : 30;
    const row = box(where.x, where.y + top, where.w, block - top);
    const [places, ladder] = climbs ? columns(row, [0.34, 0.66]) : [row];
    if (ladder) ladders.push({ of: name, where: ladder });
    return columns(places!, here.map(() => 1)).map((place, m) => sideSpot(here[m]!, place));
  });
  return { name: "sides", w: W, h, spots, ...BARE, labels, lammers, ladders };
}

function sideSpot(id: string, where: Box): Spot {
  const part = id.split(".")[1];
  return cell(id, where, part ? (`set_${part}` as FeltWord) : "bet", 17);
}
