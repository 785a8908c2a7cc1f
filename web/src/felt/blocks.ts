/** Special games on a display: each in a block with all of its ladder. */

import type { FeltSpot } from "../wire.ts";
import { BARE, blankPrint, LAMMER_MAX, looseBands, nameOf, progress, sideGames, widthOf } from "./panels.ts";
import type { SideGame, SidePrint } from "./panels.ts";
import {
  box,
  cell,
  columns,
  evenly,
  GAP,
  middle,
  stacked,
  type Box,
  type Point,
  type Room,
  type Spot,
  type Zone,
} from "./shapes.ts";

/** How high a block is, with its ladder and without one. */
const BLOCK_H = { climbs: 120, flat: 98 };
/** How far from the top of a block its spots begin: under its name, or under a row of lammers. */
const TOPS = [26, 54] as const;

/** Games, each in its block; then bets that belong to no game. */
export function layBlocks(spots: readonly FeltSpot[], room: Room): Zone {
  const print = blankPrint();
  const bands = sideGames(spots).map((game) => {
    const h = BLOCK_H[game[0]!.climbs ? "climbs" : "flat"];
    return { least: h, share: h, lay: (where: Box) => sideGame(game, where, print) };
  });
  return { name: "sides", ...BARE, ...print, ...stacked(widthOf(room), [...bands, ...looseBands(spots)]) };
}

/** One special game: its name, what it waits for, then its spots and what it pays. */
function sideGame(bets: SideGame, where: Box, print: SidePrint): Spot[] {
  const [first] = bets as [FeltSpot];
  const at: Point = [middle(where)[0], where.y + 13];
  print.labels.push({ name: nameOf(bets), at, size: 22, fit: where.w - 16, tone: "gold" });
  const top = TOPS[first.ordered || first.collects?.length ? 1 : 0];
  const totals = new Set(bets.flatMap(({ collects = [] }) => collects)).size;
  const w = totals ? Math.min(where.w, totals * LAMMER_MAX) : where.w;
  const marks = box(where.x + (where.w - w) / 2, where.y + TOPS[0], w, top - TOPS[0] - GAP);
  if (top > TOPS[0]) progress(bets, marks, print);
  const row = box(where.x, where.y + top, where.w, where.h - top);
  const [places, ladder] = first.climbs ? columns(row, [0.3, 0.7]) : [row];
  if (ladder) print.ladders.push({ of: first.spot, where: ladder });
  return evenly(places!, bets, (bet, place) => cell(bet, place, 17));
}
