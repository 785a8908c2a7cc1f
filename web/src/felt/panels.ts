/** The panels beside the line: propositions, hops and special games. */

import {
  box,
  cell,
  columns,
  GAP,
  middle,
  rounded,
  rows,
  type Box,
  type Label,
  type Lammers,
  type Point,
  type PrintedDice,
  type Spot,
  type Zone,
} from "./shapes.ts";
import type { FeltWord } from "../words/en.ts";

const W = 514;
type Has = ReadonlySet<string>;

/** Panels have neither puck nor numbers. */
const BARE = { labels: [], lammers: [], pucks: new Map<number, Point>(), plates: new Map<number, Box>() };

// --- Propositions ---

const PROPOSITIONS: readonly { readonly h: number; readonly ids: readonly string[] }[] = [
  { h: 70, ids: ["hard.6", "hard.8"] },
  { h: 70, ids: ["hard.4", "hard.10"] },
  { h: 62, ids: ["seven", "any_craps"] },
  { h: 92, ids: ["horn.2", "horn.3", "horn.11", "horn.12"] },
  { h: 62, ids: ["c", "e", "c_and_e", "horn"] },
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
  if (stem === "hard") {
    const half = Number(number) / 2;
    const labels: Label[] = [{ word: `hard_${number}` as FeltWord, at: [where.x + 138, y], size: 24, fit: 90 }];
    const dice: PrintedDice = { faces: [half, half], at: [where.x + 48, y], size: 34 };
    return spot(id, where, [where.x + where.w - 38, y], labels, dice);
  }
  if (number) {
    const dice: PrintedDice = { faces: HORN_DICE[id]!, at: [x, where.y + 18], size: 24 };
    const word = `horn_${number}` as FeltWord;
    const labels: Label[] = [{ word, at: [x, where.y + 42], size: 16, fit: where.w - 8 }];
    return spot(id, where, [x, where.y + 71], labels, dice);
  }
  if (where.w < 200) return cell(id, where, id as FeltWord, 21);
  const tone = id === "seven" ? "coral" : "ivory";
  const labels: Label[] = [{ word: id as FeltWord, at: [where.x + 84, y], size: 25, fit: 136, tone }];
  return spot(id, where, [where.x + where.w - 38, y], labels);
}

function spot(id: string, where: Box, chip: Point, labels: readonly Label[], dice?: PrintedDice): Spot {
  return { id, outline: rounded(where), box: where, chip, labels, ...(dice && { dice }) };
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
  const dice: PrintedDice = { faces: pairOf(id), at: [x, where.y + 20], size: 26 };
  return spot(id, where, [x, where.y + where.h - 22], [], dice);
}

// --- Special games ---

const TEN = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
interface SideGame {
  readonly name: FeltWord;
  readonly ids: readonly string[];
  readonly totals: readonly number[];
}
const SIDES: readonly SideGame[] = [
  { name: "lucky_roller", ids: ["lucky_roller.low", "lucky_roller.all", "lucky_roller.high"], totals: TEN },
  { name: "bonus", ids: ["bonus.small", "bonus.all", "bonus.tall"], totals: TEN },
  { name: "lucky_shooter", ids: ["lucky_shooter"], totals: [4, 5, 6, 8, 9, 10] },
  { name: "hot_shooter", ids: ["hot_shooter"], totals: [] },
  { name: "make_em_all", ids: ["make_em_all"], totals: TEN },
  { name: "fired_up", ids: ["fired_up"], totals: [] },
];
const BLOCK_H = 128;

export function laySides(has: Has): Zone {
  const games = SIDES.filter(({ ids }) => ids.some((id) => has.has(id)));
  const across = games.length > 2 ? [1, 1] : [1];
  const lines = Math.ceil(games.length / across.length);
  const h = Math.max(lines * (BLOCK_H + GAP) - GAP, 0);
  const found = rows(box(0, 0, W, h), Array(lines).fill(1)).flatMap((line) => columns(line, across));
  const labels: Label[] = [];
  const lammers: Lammers[] = [];
  const spots = games.flatMap(({ name, ids, totals }, n) => {
    const where = found[n]!;
    const at: Point = [where.x + where.w / 2, where.y + 16];
    labels.push({ word: name, at, size: 20, fit: where.w - 16, tone: "gold" });
    const step = Math.min((where.w - 8) / Math.max(totals.length, 1), 40);
    const left = where.x + (where.w - step * (totals.length - 1)) / 2;
    lammers.push({ of: name, totals, at: [left, where.y + 46], step });
    const here = ids.filter((id) => has.has(id));
    const top = totals.length ? 64 : 34;
    const row = box(where.x, where.y + top, where.w, BLOCK_H - top);
    return columns(row, here.map(() => 1)).map((place, m) => sideSpot(here[m]!, place));
  });
  return { name: "sides", w: W, h, spots, ...BARE, labels, lammers };
}

function sideSpot(id: string, where: Box): Spot {
  const part = id.split(".")[1];
  return cell(id, where, part ? (`set_${part}` as FeltWord) : "bet", 17);
}
