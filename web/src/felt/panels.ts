/** The panels next to the line: propositions, hops and special games. */

import type { FeltSpot } from "../wire.ts";
import type { At } from "./main-zone.ts";
import {
  box,
  cell,
  columns,
  evenly,
  flat,
  GAP,
  LAMMER_DOWN,
  middle,
  pairOf,
  rows,
  STACK_W,
  stacked,
  toneOf,
  type Box,
  type Label,
  type Ladder,
  type Lammers,
  type Point,
  type Slot,
  type Spot,
  type Track,
  type Zone,
} from "./shapes.ts";

const W = 514;

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

/** A kind of propositions: the zone, how many stand side by side at most, how high they are, and how each is drawn. */
interface PropRows {
  readonly zone: string;
  readonly across: number;
  readonly h: number;
  readonly draw: (spot: FeltSpot, where: Box) => Spot;
}
const PROPOSITIONS: readonly PropRows[] = [
  { zone: "props_hard", across: 2, h: 76, draw: hardWay },
  { zone: "props_wide", across: 2, h: 66, draw: plain },
  { zone: "props_dice", across: 6, h: 98, draw: onDice },
  { zone: "props_small", across: 6, h: 68, draw: plain },
];

/** Spots in lines of at most `across`, as even as can be. */
function inLines<T>(all: readonly T[], across: number): T[][] {
  const each = Math.ceil(all.length / Math.ceil(all.length / across));
  return all.flatMap((_, n) => (n % each ? [] : [all.slice(n, n + each)]));
}

/** Nearest to 7 first: those are rolled most. */
function byChance(one: FeltSpot, other: FeltSpot): number {
  const far = ({ number = 0 }: FeltSpot) => Math.abs(7 - number);
  return far(one) - far(other);
}

export function layProps(at: At): Zone {
  const bands = PROPOSITIONS.flatMap(({ zone, across, h, draw }) => {
    const spots = zone === "props_hard" ? [...at(zone)].sort(byChance) : at(zone);
    return inLines(spots, across).map((line) => ({ share: h, lay: (where: Box) => evenly(where, line, draw) }));
  });
  return { name: "props", ...BARE, ...stacked(W, bands) };
}

/** The pair that wins a hard way at the left, with what is noted under it. */
function hardWay(spot: FeltSpot, where: Box): Spot {
  const [, y] = middle(where);
  const at: Point = [where.x + 146, y - 13];
  const labels: Label[] = [{ name: spot, at, size: 23, fit: 104 }];
  const note: Slot = { at: [where.x + 48, y + 26], size: 15, fit: 88 };
  const pays = { at: [at[0], y + 15] as Point, size: 19, fit: 100 };
  return { ...flat(spot, where), chip: atRight(where), labels, pays, ...pairOf(spot, [where.x + 48, y - 9], 34), note };
}

/** The dice above, the name under them. */
function onDice(spot: FeltSpot, where: Box): Spot {
  const [x] = middle(where);
  const labels: Label[] = [{ name: spot, at: [x, where.y + 42], size: 16, fit: where.w - 8 }];
  const pays = { at: [where.x + (where.w - STACK_W) / 2 + 4, where.y + 72] as Point, size: 18, fit: where.w - 54 };
  const chip: Point = [where.x + where.w - 26, where.y + 70];
  return { ...flat(spot, where), chip, labels, pays, ...pairOf(spot, [x, where.y + 18], 24) };
}

/** Narrower than this, the pays have no room next to the name. */
const BESIDE_W = 200;

function plain(spot: FeltSpot, where: Box): Spot {
  if (where.w < BESIDE_W) return cell(spot, where, 21);
  const [, y] = middle(where);
  const labels: Label[] = [{ name: spot, at: [where.x + 84, y], size: 25, fit: 136, tone: toneOf(spot) }];
  return { ...flat(spot, where), chip: atRight(where), labels, pays: { at: [where.x + 182, y], size: 19, fit: 48 } };
}

function atRight(where: Box): Point {
  return [where.x + where.w - 30, middle(where)[1]];
}

// --- Hops ---

const HOPS_ACROSS = 6;
const HOP_H = 70;

export function layHops(at: At): Zone {
  const hops = [...at("hops")].sort(bySumThenPair);
  const bands = hops.flatMap((_, first) => {
    const line = hops.slice(first, first + HOPS_ACROSS);
    const lay = (where: Box) => line.map((spot, n) => hop(spot, columns(where, Array(HOPS_ACROSS).fill(1))[n]!));
    return first % HOPS_ACROSS ? [] : [{ share: HOP_H, lay }];
  });
  return { name: "hops", ...BARE, ...stacked(W, bands) };
}

function bySumThenPair({ dice: [a = 0, b = 0] = [] }: FeltSpot, { dice: [c = 0, d = 0] = [] }: FeltSpot): number {
  return a + b - c - d || a - c;
}

function hop(spot: FeltSpot, where: Box): Spot {
  const low = where.y + where.h - 20;
  const pays = { at: [where.x + 21, low] as Point, size: 15, fit: 34 };
  const at: Point = [middle(where)[0], where.y + 19];
  return { ...flat(spot, where), chip: [where.x + where.w - 22, low], labels: [], pays, ...pairOf(spot, at, 25) };
}

// --- Special games ---

const BLOCK_H = 150;
/** A game that is alone has more room. */
const ALONE_H = 180;
/** How far from the top of a block its spots begin: under its name, under a row of lammers, or under two. */
const TOPS = [30, 62, 84] as const;
const LAMMER_MAX = 40;
/** Bets of no game, in lines. */
const LOOSE = { across: 4, h: 68 };

/** The bets of a game, the one with the most totals in the middle. */
type SideGame = readonly FeltSpot[];

function sideGames(spots: readonly FeltSpot[]): SideGame[] {
  const names = [...new Set(spots.flatMap(({ game }) => game ?? []))];
  return names.map((name) => {
    const [most, ...others] = spots
      .filter(({ game }) => game === name)
      .sort((one, other) => (other.collects?.length ?? 0) - (one.collects?.length ?? 0));
    return others.toSpliced(others.length / 2, 0, most!);
  });
}

/** The games of each line: where there are many, two next to each other, except those with a bet for each set. */
function lines(games: readonly SideGame[]): SideGame[][] {
  if (games.length <= 2) return games.map((game) => [game]);
  const single = games.filter((bets) => bets.length === 1);
  return [...games.filter((game) => !single.includes(game)).map((game) => [game]), ...inLines(single, 2)];
}

/** Games, each in its block; then bets that belong to no game. */
export function laySides(spots: readonly FeltSpot[]): Zone {
  const games = sideGames(spots);
  const block = games.length === 1 ? ALONE_H : BLOCK_H;
  const print = { labels: [] as Label[], lammers: [] as Lammers[], tracks: [] as Track[], ladders: [] as Ladder[] };
  const loose = inLines(
    spots.filter(({ game }) => !game),
    LOOSE.across,
  );
  const draw = (game: SideGame, where: Box) => sideGame(game, where, print);
  const bands = [
    ...lines(games).map((line) => ({ share: block, lay: (where: Box) => evenly(where, line, draw) })),
    ...loose.map((line) => ({ share: LOOSE.h, lay: (where: Box) => evenly(where, line, plain) })),
  ];
  return { name: "sides", ...BARE, ...print, ...stacked(W, bands) };
}

interface SidePrint {
  readonly labels: Label[];
  readonly lammers: Lammers[];
  readonly tracks: Track[];
  readonly ladders: Ladder[];
}

/** One special game: its name, what it waits for, then its spots and what it pays. */
function sideGame(bets: SideGame, where: Box, print: SidePrint): Spot[] {
  const [first] = bets as [FeltSpot];
  const name = { word: first.game ?? "", title: first.game_title ?? first.title };
  print.labels.push({ name, at: [where.x + where.w / 2, where.y + 14], size: 20, fit: where.w - 16, tone: "gold" });
  const several = bets.length > 1;
  const top = TOPS[first.ordered || several ? 2 : first.collects?.length ? 1 : 0];
  const marks = columns(
    box(where.x, where.y + TOPS[0], where.w, top - TOPS[0] - GAP),
    bets.map(() => 1),
  );
  if (first.ordered) print.tracks.push({ of: first.spot, where: marks[0]! });
  for (const [n, { spot, collects = [], own_point = false }] of bets.entries()) {
    const across = several ? 5 : collects.length;
    if (collects.length) print.lammers.push(lammers(spot, collects, marks[n]!, across, own_point));
  }
  const row = box(where.x, where.y + top, where.w, where.h - top);
  const [places, ladder] = first.climbs ? columns(row, [0.34, 0.66]) : [row];
  if (ladder) print.ladders.push({ of: first.spot, where: ladder });
  return evenly(places!, bets, (bet, place) => cell(bet, place, 17));
}

/** Lammers in the middle of a box. */
function lammers(of: string, totals: readonly number[], where: Box, across: number, pointed = false): Lammers {
  const step = Math.min((where.w - 8) / across, LAMMER_MAX);
  const down = Math.ceil(totals.length / across);
  const [x, y] = middle(where);
  const at: Point = [x - (step * (across - 1)) / 2, y - ((down - 1) * LAMMER_DOWN) / 2];
  return { of, totals, at, step, across, pointed };
}

/** The sequences of a side bet as lammers, one under the other. */
export function tracks({ of, where }: Track, sequences: readonly (readonly number[])[]): readonly Lammers[] {
  return rows(
    where,
    sequences.map(() => 1),
  ).map((line, n) => lammers(of, sequences[n]!, line, sequences[n]!.length));
}
