/** What is printed on the felt of what the placard says. Knows no rules: it writes what the server sends. */

import type { BetCard, PaidFor, PaysLine, Placard, Shared } from "../wire.ts";
import { ems } from "./fit.ts";

/** The pays of a spot, in full and as short as they go. */
export interface Printed {
  readonly long: string;
  readonly short: string;
  /** Without what is only good to know. */
  readonly least?: string;
  /** Power Odds show here for this roll. */
  readonly power?: boolean;
}

/** A rung of a special game's ladder. */
export interface Rung {
  /** How far one must get. */
  readonly at: PaidFor;
  readonly pays: string;
}

/** What a special game pays by how far it gets, and how far it is. */
export interface Climb {
  /** The smallest first. */
  readonly rungs: readonly Rung[];
  readonly count: number;
  /** Of the last rungs, the lowest of them first. */
  readonly names?: readonly string[];
}

type Power = Shared["power"];
/** With more lines than this, only the first and the last are printed where room is short. */
const LINES_SHORT = 3;

/** How a language writes what is not a ratio. */
export interface PayWords {
  /** `3 for 1`. */
  pays(printed: string): string;
  /** For the award of a progressive. */
  readonly progressive: string;
}

/** `9 to 5` as it is printed on a felt, `9:5`. `3 for 1` is not the same as 3:1, so it is written in words. */
export function ratio(pays: string, write: PayWords): string {
  return pays.includes(" for ") ? write.pays(pays) : pays.replace(" to ", ":");
}

function now({ pays, meter, group = "", low = "", high = "" }: PaysLine, power: Power, write: PayWords): string {
  const shows = power[group];
  return meter ? write.progressive : ratio(shows === "high" ? high : shows === "low" ? low : pays, write);
}

/** What a row of pays is for: `6`, `8–15`, `50+`, `5+●`. */
export function written({ kind, at_least, at_most = 0 }: PaidFor): string {
  if (kind === "range") return at_most ? `${at_least}–${at_most}` : `${at_least}+`;
  return kind === "point" ? `${at_least}+●` : String(at_least);
}

/** Which numbers a line of pays is for: those that its rows name, otherwise the rolls that win it. */
function numbers({ paid_for, on }: PaysLine): string {
  return (paid_for.length ? paid_for.map(written) : on).join("/");
}

function printedPays({ pays }: BetCard, power: Power, write: PayWords): Printed {
  const shown = pays.map((line) => now(line, power, write));
  const short = pays.length > LINES_SHORT ? `${shown[0]} … ${shown.at(-1)}` : shown.join(" · ");
  const long = pays.length > 1 ? pays.map((line, n) => `${numbers(line)} ${shown[n]}`).join(" | ") : short;
  const better = pays.some(({ group = "" }) => group in power);
  return { long, short, ...(better && { power: true }) };
}

/** By spot, what is printed there. */
export function printed(placard: Placard, power: Power, write: PayWords): Readonly<Record<string, Printed>> {
  const cards = Object.entries(placard.bets).map(([id, card]) => [id, printedPays(card, power, write)] as const);
  const byBet = Object.fromEntries(cards);
  return Object.fromEntries(Object.entries(placard.spots).map(([spot, bet]) => [spot, byBet[bet]!]));
}

/** The longest that fits. */
export function fitting({ long, short, least = short }: Printed, size: number, fit: number): string {
  return [long, short].find((text) => ems(text) * size <= fit) ?? least;
}

/** The rungs of a bet that pays by how far it gets, the smallest first. */
export function rungs({ pays }: BetCard, meter: (name: string) => string, write: PayWords): readonly Rung[] {
  return pays.flatMap(({ paid_for: [at], pays, meter: of }) =>
    at ? [{ at, pays: of ? meter(of) : ratio(pays, write) }] : [],
  );
}

/** Whether a count is at a rung: within `8–15`, at least `50+`, at least `4`. */
export function reached({ at: { at_least, at_most = 0 } }: Rung, count: number): boolean {
  return count >= at_least && (!at_most || count <= at_most);
}
