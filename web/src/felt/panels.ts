/** The panels next to the line: propositions, hops and special games. */

import type { FeltSpot } from "../wire.ts";
import type { At } from "./main-zone.ts";
import {
  box,
  cell,
  columns,
  evenly,
  flat,
  lowCell,
  middle,
  pairOf,
  rows,
  SMALL_STACK,
  STACK_W,
  stacked,
  together,
  toneOf,
  type Band,
  type Box,
  type GameRow,
  type Height,
  type Label,
  type Ladder,
  type Lammers,
  type Named,
  type Point,
  type Room,
  type Slot,
  type Spot,
  type Track,
  type Zone,
} from "./shapes.ts";

/** How wide a panel may be in its own units. */
const LEAST_W = 340;
const PANEL_W = 514;

export function widthOf({ w }: Room): number {
  return Math.min(Math.max(w, LEAST_W), PANEL_W);
}

/** Panels have neither puck nor numbers. */
export const BARE = {
  labels: [],
  lammers: [],
  tracks: [],
  ladders: [],
  games: [],
  pucks: new Map<number, Point>(),
  plates: new Map<number, Box>(),
};

// --- Propositions ---

/** A kind of propositions: the zone, how many stand side by side at most, how high they are, and how each is drawn. */
interface PropRows {
  readonly zone: string;
  readonly across: number;
  readonly height: Height;
  readonly draw: (spot: FeltSpot, where: Box) => Spot;
}
const PROPOSITIONS: readonly PropRows[] = [
  { zone: "props_hard", across: 2, height: { least: 66, share: 76 }, draw: hardWay },
  { zone: "props_wide", across: 2, height: { least: 46, share: 66 }, draw: plain },
  { zone: "props_dice", across: 6, height: { least: 92, share: 98 }, draw: onDice },
  { zone: "props_small", across: 6, height: { least: 62, share: 68 }, draw: plain },
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

export function layProps(at: At, room: Room): Zone {
  const bands = PROPOSITIONS.flatMap(({ zone, across, height, draw }) => {
    const spots = zone === "props_hard" ? [...at(zone)].sort(byChance) : at(zone);
    return inLines(spots, across).map((line) => ({ ...height, lay: (where: Box) => evenly(where, line, draw) }));
  });
  return { name: "props", ...BARE, ...inRoom(bands, room) };
}

/** Bands as wide and as high as the room, within what they may be. A low room is filled by wider bands. */
function inRoom(bands: readonly Band[], room: Room): Pick<Zone, "w" | "h" | "spots"> {
  const most = together(bands, "share");
  const w = Math.max(widthOf(room), Math.min(1, most / room.h) * room.w);
  return stacked(w, bands, Math.min((room.h * w) / room.w, most));
}

/** The pair that wins a hard way at the left, with what is noted under it. */
function hardWay(spot: FeltSpot, where: Box): Spot {
  const [, y] = middle(where);
  const free = where.w - STACK_W - DICE_W;
  const x = where.x + DICE_W + free / 2;
  const labels: Label[] = [{ name: spot, at: [x, y - 13], size: 23, fit: free - 4 }];
  const note: Slot = { at: [where.x + DICE_W / 2, y + 23], size: 15, fit: DICE_W - 4 };
  const pays = { at: [x, y + 14] as Point, size: 19, fit: free - 4 };
  const dice = pairOf(spot, [where.x + DICE_W / 2, y - 9], 30);
  return { ...flat(spot, where), chip: atRight(where), labels, pays, ...dice, note };
}

/** A pair of dice with a note under it. */
const DICE_W = 82;

/** The dice above, the name under them, then pays and chips. */
function onDice(spot: FeltSpot, where: Box): Spot {
  const [x] = middle(where);
  const labels: Label[] = [{ name: spot, at: [x, where.y + 38], size: 16, fit: where.w - 6 }];
  const beside = where.w - SMALL_STACK.w;
  const pays = { at: [where.x + beside / 2 + 2, where.y + where.h - 22] as Point, size: 17, fit: beside - 2 };
  const chip: Point = [where.x + where.w - 20, where.y + where.h - 22];
  return { ...flat(spot, where), chip, r: SMALL_STACK.r, labels, pays, ...pairOf(spot, [x, where.y + 16], 22) };
}

/** Narrower than this, the pays have no room next to the name. */
const BESIDE_W = 160;

function plain(spot: FeltSpot, where: Box): Spot {
  if (where.w < BESIDE_W) return cell(spot, where, 21);
  const [, y] = middle(where);
  const free = where.w - STACK_W - PAYS_W;
  const labels: Label[] = [
    { name: spot, at: [where.x + free / 2 + 4, y], size: 25, fit: free - 8, tone: toneOf(spot) },
  ];
  const pays = { at: [where.x + free + PAYS_W / 2, y] as Point, size: 19, fit: PAYS_W - 4 };
  return { ...flat(spot, where), chip: atRight(where), labels, pays };
}

/** The pays next to a name. */
const PAYS_W = 48;

function atRight(where: Box): Point {
  return [where.x + where.w - 24, middle(where)[1]];
}

// --- Hops ---

const [HOPS_LEAST, HOPS_MOST] = [4, 6];
const HOP = { least: 68, share: 76 };

/** Fewer are next to each other where there is room for more lines. */
function hopsAcross(hops: number, room: Room): number {
  const lines = Math.floor((room.h * widthOf(room)) / room.w / HOP.share);
  return Math.min(Math.max(Math.ceil(hops / Math.max(lines, 1)), HOPS_LEAST), HOPS_MOST);
}

export function layHops(at: At, room: Room): Zone {
  const hops = [...at("hops")].sort(bySumThenPair);
  const across = hopsAcross(hops.length, room);
  const bands = hops.flatMap((_, first) => {
    const line = hops.slice(first, first + across);
    const lay = (where: Box) => line.map((spot, n) => hop(spot, columns(where, Array(across).fill(1))[n]!));
    return first % across ? [] : [{ ...HOP, lay }];
  });
  return { name: "hops", ...BARE, ...inRoom(bands, room) };
}

function bySumThenPair({ dice: [a = 0, b = 0] = [] }: FeltSpot, { dice: [c = 0, d = 0] = [] }: FeltSpot): number {
  return a + b - c - d || a - c;
}

/** The dice above; pays and chips under them, so that chips hide neither. */
function hop(spot: FeltSpot, where: Box): Spot {
  const low = where.y + where.h - HOP_R - 3;
  const beside = where.w - 2 * HOP_R - 4;
  const pays = { at: [where.x + beside / 2 + 1, low] as Point, size: 15, fit: beside };
  const chip: Point = [where.x + where.w - HOP_R - 3, low];
  const at: Point = [middle(where)[0], where.y + 14];
  return { ...flat(spot, where), chip, r: HOP_R, labels: [], pays, ...pairOf(spot, at, 21) };
}

const HOP_R = 14;

// --- Special games, each in a row ---

/** How high a row is; and where its info is above its spots instead of next to them. */
const ROW = { least: 46, share: 60 };
const STACKED_ROW = { least: 96, share: 96 };
const STACKED_TO = 420;
/** How many times as high as it asks for a row may be. */
const ROW_GROWS = 1.6;
/** From this width on, two rows next to each other. */
const TWO_FROM = 880;
/** Of a row, what its name and its progress take. */
const INFO_SHARE = 0.42;
/** The mark that says that a touch explains it, before the name. */
const MARK_W = 26;
export const LAMMER_MAX = 34;
/** Bets of no game, in lines. */
const LOOSE = { across: 4, height: { least: 62, share: 68 } };

/** The bets of a game, the one with the most totals in the middle. */
export type SideGame = readonly FeltSpot[];

export function sideGames(spots: readonly FeltSpot[]): SideGame[] {
  const names = [...new Set(spots.flatMap(({ game }) => game ?? []))];
  return names.map((name) => {
    const [most, ...others] = spots
      .filter(({ game }) => game === name)
      .sort((one, other) => (other.collects?.length ?? 0) - (one.collects?.length ?? 0));
    return others.toSpliced(others.length / 2, 0, most!);
  });
}

/** What is printed of special games besides their spots. */
export interface SidePrint {
  readonly labels: Label[];
  readonly lammers: Lammers[];
  readonly tracks: Track[];
  readonly ladders: Ladder[];
  readonly games: GameRow[];
}

export function blankPrint(): SidePrint {
  return { labels: [], lammers: [], tracks: [], ladders: [], games: [] };
}

export function nameOf([first]: SideGame): Named {
  return { word: first?.game ?? "", title: first?.game_title ?? first?.title ?? "" };
}

/** The bets that belong to no game. */
export function looseBands(spots: readonly FeltSpot[]): Band[] {
  const loose = spots.filter(({ game }) => !game);
  return inLines(loose, LOOSE.across).map((line) => {
    return { ...LOOSE.height, lay: (where: Box) => evenly(where, line, plain) };
  });
}

/** Games, each in a row; then bets that belong to no game. */
export function laySides(spots: readonly FeltSpot[], room: Room): Zone {
  const print = blankPrint();
  const across = room.w >= TWO_FROM ? 2 : 1;
  const w = Math.max(room.w, LEAST_W);
  const height = w < STACKED_TO ? STACKED_ROW : ROW;
  const bands = [
    ...inLines(sideGames(spots), across).map((line) => {
      const lay = (where: Box) => columns(where, Array(across).fill(1)).flatMap((place, n) => gameIn(line[n], place));
      return { ...height, lay };
    }),
    ...looseBands(spots),
  ];
  const gameIn = (game: SideGame | undefined, where: Box) => (game ? gameRow(game, where, print) : []);
  const most = together(bands, "share") * ROW_GROWS;
  return { name: "sides", ...BARE, ...print, ...stacked(w, bands, Math.min(room.h, most)) };
}

/** A game as a row: name and progress, which open its ladder, then its spots. */
function gameRow(bets: SideGame, where: Box, print: SidePrint): Spot[] {
  const above = where.w < STACKED_TO;
  const [info, places] = above ? rows(where, [45, 47]) : columns(where, [INFO_SHARE, 1 - INFO_SHARE]);
  const name = nameOf(bets);
  print.games.push({ game: bets[0]!.game ?? "", name, where: info! });
  const half = info!.h / 2;
  const [line, marks] = rows(box(info!.x + 4, info!.y + 3, info!.w - 8, info!.h - 6), [half - 1, half + 3]);
  const title = box(line!.x + MARK_W, line!.y, line!.w - MARK_W, line!.h);
  print.labels.push({
    name,
    at: [title.x, middle(title)[1]],
    size: Math.min(title.h * 0.95, 22),
    fit: title.w,
    tone: "gold",
    begins: true,
  });
  progress(bets, marks!, print);
  return evenly(places!, bets, (bet, place) => (bets.length > 1 ? lowCell(bet, place, 19) : single(bet, place)));
}

/** What a game waits for and how far it is: totals, sequences, or the steps of its ladder. */
export function progress(bets: SideGame, where: Box, print: SidePrint): void {
  const [first] = bets as [FeltSpot];
  const totals = [...new Set(bets.flatMap(({ collects = [] }) => collects))].sort((one, other) => one - other);
  if (first.ordered) print.tracks.push({ of: first.spot, where, across: 2 });
  else if (totals.length) print.lammers.push(lammers(bets, totals, where, totals.length, first.own_point));
  else if (first.climbs) print.ladders.push({ of: first.spot, where, steps: true });
}

/** The only spot of a game: what it pays at best, and its chips. */
function single(spot: FeltSpot, where: Box): Spot {
  const [, y] = middle(where);
  const free = where.w - STACK_W;
  const [name, pays] = columns(box(where.x + 4, where.y, free - 4, where.h), [0.34, 0.66]);
  return {
    ...flat(spot, where),
    chip: atRight(where),
    r: Math.min(19, where.h / 2 - 4),
    labels: [{ name: spot, at: [middle(name!)[0], y], size: 18, fit: name!.w - 4, tone: toneOf(spot) }],
    pays: { at: [middle(pays!)[0], y], size: 20, fit: pays!.w - 4 },
  };
}

/** Lammers in a box, from its left where there is more room than they take. */
function lammers(bets: SideGame, totals: readonly number[], where: Box, across: number, pointed = false): Lammers {
  const step = Math.min(where.w / across, LAMMER_MAX, where.h * 1.1);
  const [, y] = middle(where);
  const of = bets[0]?.game ?? "";
  return { of, bets, totals, at: [where.x + step / 2, y], step, pointed };
}

/** The sequences of a side bet as lammers. */
export function tracks({ of, where, across }: Track, sequences: readonly (readonly number[])[]): readonly Lammers[] {
  const places = columns(where, Array(Math.max(across, sequences.length)).fill(1));
  return sequences.map((sequence, n) => {
    return { ...lammers([], sequence, places[n]!, Math.max(sequence.length, 5)), of };
  });
}
