/** A bet's card in the words of the chosen language. Facts come from the placard; only the words are the screen's. */

import { ratio, written } from "../../felt/pays.ts";
import type { BetCard, PaysLine, Placard, SideBet, Stage } from "../../wire.ts";
import { fill, keyOfBet } from "../../words/fill.ts";
import { words } from "../../words/words.svelte.ts";

/** What is said, under what it is about. */
export type Said = readonly [about: string, says: string];

function grouped<T>(values: readonly T[], key: (value: T) => string): readonly (readonly [string, readonly T[]])[] {
  const groups: Record<string, T[]> = {};
  for (const value of values) (groups[key(value)] ??= []).push(value);
  return Object.entries(groups);
}

function rolls(on: readonly string[]): string {
  return on.length ? on.map((one) => words.roll(one)).join(", ") : "–";
}

// --- What it pays ---

/** What a line of pays is for: numbers, how far it got, or nothing where it is the only one. */
function paidFor({ paid_for, on }: PaysLine, family: string): string {
  if (!paid_for.length) return rolls(on);
  const named = paid_for.map(written).join(", ");
  const rung = words.text.rungs[family as keyof typeof words.text.rungs];
  return rung ? fill(rung, { n: named }) : named;
}

export function paysOf({ pays, family }: BetCard): readonly string[] {
  return pays.map((line) => {
    const better = line.group ? ` (★ ${ratio(line.low ?? "", words)}, ${ratio(line.high ?? "", words)})` : "";
    const said = (line.meter ? words.text.card.meter : words.pays(line.pays)) + better;
    return pays.length > 1 ? `${paidFor(line, family)}: ${said}` : said;
  });
}

// --- When it wins and loses ---

/** Whether a stage is a wager at its own number: then its number stands for all of them. */
function ofItsNumber(rolls_: readonly string[], { name }: Stage): boolean {
  return rolls_.length === 1 && rolls_[0] === name;
}

const LISTED_MAX = 6;

/** What a bet on one roll loses on: all else, where that is long. */
function lost(on: readonly string[], one_roll: boolean): string {
  return one_roll && on.length > LISTED_MAX ? words.text.card.else : rolls(on);
}

/** When a bet wins that collects numbers. */
function collects({ family, pays }: BetCard, { collects: totals, sequences }: SideBet): string {
  const text = words.text.side_rules;
  const order = words.or(sequences.map((sequence) => sequence.join("-")));
  const from = pays[0]?.paid_for[0]?.at_least ?? "";
  const says = fill(text[family as keyof typeof text] ?? "", { totals: totals.join(", "), order, from });
  return sequences.length > 1 ? `${says} ${text.two_sequences}` : says;
}

/** When it wins and loses: on its first roll, and after it where that differs. */
export function conditions(card: BetCard): readonly Said[] {
  const { stages, one_roll, side_bet } = card;
  const text = words.text.card;
  const [first, second] = stages;
  const plays = side_bet && collects(card, side_bet);
  if (side_bet) return plays ? [[text.plays, plays]] : [];
  if (!first) return [];
  const its = (on: readonly string[], stage: Stage) => (ofItsNumber(on, stage) ? text.its_point : rolls(on));
  const numbered = /^\d+$/.test(first.name) && stages.length > 1;
  const said: Said[] = [[text.wins, numbered ? its(first.wins_on, first) : rolls(first.wins_on)]];
  if (numbered) said.push([text.loses, its(first.loses_on, first)]);
  else if (first.loses_on.length) said.push([text.loses, lost(first.loses_on, one_roll)]);
  if (first.pushes_on.length) said.push([text.pushes, fill(text.push, { rolls: rolls(first.pushes_on) })]);
  if (!second || numbered) return said;
  const then = fill(text.then, { wins: its(second.wins_on, second), loses: its(second.loses_on, second) });
  return [...said, [text.after, then]];
}

export function limitsOf({ min_cents, max_cents, step_cents }: BetCard): string {
  if (min_cents === max_cents) return words.money(min_cents);
  const range = `${words.money(min_cents)} – ${words.money(max_cents)}`;
  return step_cents > 1 ? `${range} · ${fill(words.text.card.step, { amount: words.money(step_cents) })}` : range;
}

// --- What may be done with it ---

function when({ window, needs, side, side_bet }: BetCard): string {
  const text = words.text.card;
  const any = side ? text.side_any_roll : text.any_roll;
  const main = fill(text.qualifying, { amount: words.money(side_bet?.qualifying_cents ?? 0) });
  const more = needs.map((need) => (need === "needs_main" ? main : words.text.why[need]));
  return [window ? words.text.why[window] : any, ...(side_bet?.again_when_complete ? [text.again] : []), ...more].join(
    " ",
  );
}

/** Bets that keep another one out: those of a kind together. */
function keepOut({ bet, excluded_by }: BetCard): string {
  const own = keyOfBet(bet)[1];
  const kinds = grouped(excluded_by, (id) => keyOfBet(id)[0]);
  const named = kinds.map(([, ids]) => {
    const number = keyOfBet(ids[0]!)[1];
    if (ids.length === 1 && number !== own) return words.bet(ids[0]!);
    const kind = words.kindOfBet(ids[0]!, "").replace(/\s+/g, " ").trim();
    if (!number) return kind;
    return `${kind} (${ids.length > 1 ? words.text.card.any_number : words.text.card.same_number})`;
  });
  return named.join(", ");
}

function afterWin({ side, stays_up, comes_down }: BetCard): string {
  const text = words.text.card;
  if (side) return text.side_over;
  if (!stays_up.length) return text.comes_down;
  return comes_down.length
    ? fill(text.stays_on, { rolls: words.or(stays_up.map((on) => words.roll(on))) })
    : text.stays;
}

/** An exact `p/q` as a number of times. */
function times(exact: string): string {
  const [over, under] = exact.split("/").map(Number) as [number, number];
  return String(+(over / under).toFixed(2));
}

/** The most odds behind a bet: once where all points have the same. */
function oddsBehind({ odds }: BetCard): string {
  const text = words.text.card;
  const [first, ...others] = Object.values(odds);
  if (first && others.every((other) => other === first)) return fill(text.odds_every, { times: times(first) });
  const each = Object.entries(odds).map(([point, most]) => `${point}: ${times(most)}×`);
  return fill(text.odds_some, { odds: each.join(" · ") });
}

/** When a wager works, and what becomes of one that is off. */
export function worksWhen(card: BetCard): string {
  const text = words.text.card;
  if (card.one_roll) return text.one_roll;
  if (!card.off_able) return text.always;
  const more = (["starts_off", "off_comes_on", "off_returned"] as const).filter((fact) => card[fact]);
  return [card.rests_on_come_out ? text.rests : text.off_able, ...more.map((fact) => text[fact])].join(" ");
}

/** What may be done with a bet, and what becomes of it. */
export function may(card: BetCard, { side_games }: Placard): readonly Said[] {
  const text = words.text.card;
  const { aggregate_max_cents = 0, aggregate_per } = side_games[card.family] ?? {};
  const { commission, commission_rate, contract, excluded_by, odds, one_roll, side_bet } = card;
  const cap = aggregate_per === "hand" ? text.cap_hand : text.cap_roll;
  const said: readonly (Said | false)[] = [
    [text.when, when(card)],
    excluded_by.length > 0 && [text.excluded, keepOut(card)],
    !one_roll && [text.change, contract ? text[contract] : text.free],
    [text.win, afterWin(card)],
    Object.keys(odds).length > 0 && [text.odds, oddsBehind(card)],
    [text.works, worksWhen(card)],
    commission !== "" && [text.commission, fill(text[commission], { percent: words.percent(commission_rate) })],
    !!side_bet?.winners && [text.winners, text[side_bet.winners]],
    aggregate_max_cents > 0 && [text.cap, fill(cap, { amount: words.money(aggregate_max_cents) })],
  ];
  return said.filter((one) => one !== false);
}

/** Bets with which the same may be done. */
export interface Alike {
  readonly name: string;
  readonly said: readonly Said[];
}

/** From this many on, numbers are not listed. */
const NUMBERS_MAX = 10;

/** Bets of one kind by its name, with the numbers that are meant. */
function named(bets: readonly BetCard[]): string {
  const numbers = bets.map(({ bet }) => keyOfBet(bet)[1]);
  return words.kindOfBet(bets[0]!.bet, numbers.length > NUMBERS_MAX ? "" : numbers.join(" · ")).trim();
}

/** What may be done with the bets of a game, together where it is the same. */
export function mayOf(placard: Placard): readonly Alike[] {
  return grouped(Object.values(placard.bets), (card) => JSON.stringify(may(card, placard))).map(([, cards]) => {
    const kinds = grouped(cards, ({ bet }) => keyOfBet(bet)[0]);
    return { name: kinds.map(([, those]) => named(those)).join(", "), said: may(cards[0]!, placard) };
  });
}
