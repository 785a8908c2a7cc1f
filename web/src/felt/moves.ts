/** The paths of chips between two views: from, via, to, and when each begins. */

import type { SpotLine } from "../wire.ts";
import type { Stack } from "./chips.ts";

/** The casino's bank, at the far edge of the felt: losers go there, pays come from there. */
export const HOUSE = "@house";
/** The credit meter: what a roll gives the player goes there. */
export const CREDIT = "@credit";
/** The chip selector: bets come from there, and go back there when they are taken down. */
export const RACK = "@rack";
/** The id of a spot, or one of these three. */
export type Place = string;

export interface Journey {
  readonly cents: number;
  /** The places that it passes, the first and the last included; from each to the next takes one step. */
  readonly way: readonly Place[];
  /** The number of the step with which it sets out. */
  readonly begins: number;
}

/** A felt in one view. */
export interface Chips {
  /** By spot, what is on it. */
  readonly cents: Readonly<Record<string, number>>;
  /** What the last roll did to each wager. */
  readonly lines: readonly SpotLine[];
}

/** The steps of a result: losers leave, then pays come and wagers walk, then what the player gets goes to credit. */
const SWEEPS = 0;
const PAYS = 1;
export const GOES_HOME = 2;

/** What a roll moves. `betOf` names the bet whose wagers lie on a spot: a Come bet that gets its number leaves one spot
 * and appears on another of the same bet, so it has walked there. */
export function afterRoll(before: Chips, after: Chips, betOf: (spot: string) => string | undefined): Journey[] {
  const fromLines = after.lines.flatMap(byLine);
  const left = { ...before.cents };
  for (const { cents, way } of fromLines) if (way[0] !== HOUSE) left[way[0]!] = (left[way[0]!] ?? 0) - cents;
  const { gone, come } = difference(left, after.cents);
  const walks = gone.flatMap((from) => {
    const to = come.find(({ spot, cents }) => cents && betOf(spot) === betOf(from.spot));
    if (!to) return [];
    const cents = Math.min(from.cents, to.cents);
    from.cents -= cents;
    to.cents -= cents;
    return [{ cents, way: [from.spot, to.spot], begins: PAYS }];
  });
  const rest = [...gone.map(goes(CREDIT, GOES_HOME)), ...come.map(comes(PAYS))];
  return [...fromLines, ...walks, ...rest].filter(({ cents }) => cents > 0);
}

/** What betting moves, and what the house gives back. */
export function betweenRolls(before: Chips, after: Chips): Journey[] {
  const { gone, come } = difference(before.cents, after.cents);
  return [...gone.map(goes(RACK, 0)), ...come.map(comes(0))];
}

/** A loser is swept. A winner is paid at its spot, and the pay goes on to credit. So does the stake if it does not stay: a
 * bet that pays "for 1" takes the stake (`taken_cents`) and gives it back in its pay, and `net_cents` is without it. */
function byLine({ spot, decided, net_cents = 0, returned_cents = 0, taken_cents = 0 }: SpotLine): Journey[] {
  if (decided === "lose") return [{ cents: taken_cents, way: [spot, HOUSE], begins: SWEEPS }];
  const pay = { cents: net_cents, way: [HOUSE, spot, CREDIT], begins: PAYS };
  const stake = { cents: returned_cents + taken_cents, way: [spot, CREDIT], begins: GOES_HOME };
  return [pay, stake].filter(({ cents }) => cents > 0);
}

interface Change {
  readonly spot: string;
  cents: number;
}

function difference(before: Chips["cents"], after: Chips["cents"]): { gone: Change[]; come: Change[] } {
  const spots = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const more = spots.map((spot) => ({ spot, cents: (after[spot] ?? 0) - (before[spot] ?? 0) }));
  return {
    gone: more.filter(({ cents }) => cents < 0).map(({ spot, cents }) => ({ spot, cents: -cents })),
    come: more.filter(({ cents }) => cents > 0),
  };
}

function goes(to: Place, begins: number): (change: Change) => Journey {
  return ({ spot, cents }) => ({ cents, way: [spot, to], begins });
}

function comes(begins: number): (change: Change) => Journey {
  return ({ spot, cents }) => ({ cents, way: [RACK, spot], begins });
}

/** How many steps these take together: at that step, all have arrived. */
export function stepsOf(journeys: readonly Journey[]): number {
  return Math.max(0, ...journeys.map(({ way, begins }) => begins + way.length - 1));
}

/** The stacks on the felt at a step: what set out is gone, what is still on its way has not arrived. A pay is next to its
 * stack, not in it. */
export function stacksAt(
  before: Readonly<Record<string, Stack>>,
  after: Readonly<Record<string, Stack>>,
  journeys: readonly Journey[],
  step: number,
): Readonly<Record<string, Stack>> {
  const shown: Record<string, Stack> = { ...after };
  const touched = new Set(journeys.filter(({ way }) => way[0] !== HOUSE).flatMap(({ way }) => way));
  for (const spot of touched) {
    const look = before[spot] ?? after[spot];
    const cents = journeys.reduce((sum, one) => sum + moved(one, spot, step), before[spot]?.cents ?? 0);
    if (look && cents > 0) shown[spot] = { ...look, cents };
    else delete shown[spot];
  }
  return shown;
}

/** What a journey has taken from a spot, or brought to it, by a step. */
function moved({ way, cents, begins }: Journey, spot: string, step: number): number {
  if (way[0] === HOUSE) return 0;
  if (way[0] === spot) return step >= begins ? -cents : 0;
  return way.at(-1) === spot && step > begins ? cents : 0;
}
