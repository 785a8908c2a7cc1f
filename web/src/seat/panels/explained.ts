/** A bet's card in the words of the chosen language. */

import { ratio } from "../../felt/pays.ts";
import type { BetCard, PaysLine, Stage } from "../../wire.ts";
import { fill } from "../../words/fill.ts";
import { words } from "../../words/words.svelte.ts";

function rolls(on: readonly string[]): string {
  return on.length ? on.map((one) => words.roll(one)).join(", ") : "–";
}

/** What a line of pays is for: numbers, a rung, or nothing where it is the only one. */
function paidFor({ rows, on }: PaysLine): string {
  const named = rows.map((row) => /\.([\d+–-]+(?:point)?)$/.exec(row)?.[1]?.replace("point", "●"));
  return named.every((name) => name !== undefined) ? named.join(", ") : rolls(on);
}

export function paysOf({ pays }: BetCard): readonly string[] {
  return pays.map((line) => {
    const better = line.group ? ` (★ ${ratio(line.low ?? "")}, ${ratio(line.high ?? "")})` : "";
    const said = (line.meter ? words.text.help.meter : words.pays(line.pays)) + better;
    return pays.length > 1 ? `${paidFor(line)}: ${said}` : said;
  });
}

/** Whether a stage is a wager at its own number: then its number stands for all of them. */
function ofItsNumber(rolls_: readonly string[], { name }: Stage): boolean {
  return rolls_.length === 1 && rolls_[0] === name;
}

const LISTED_MAX = 6;

/** What a bet on one roll loses on: all else, where that is long. */
function lost(on: readonly string[], one_roll: boolean): string {
  return one_roll && on.length > LISTED_MAX ? words.text.help.else : rolls(on);
}

/** When it wins and loses: on its first roll, and after it where that differs. */
export function conditions({ family, stages, one_roll }: BetCard): readonly (readonly [name: string, says: string])[] {
  const text = words.text.help;
  const [first, second] = stages;
  if (!first) return [[text.wins, words.text.side_rules[family as keyof typeof words.text.side_rules] ?? ""]];
  const its = (on: readonly string[], stage: Stage) => (ofItsNumber(on, stage) ? text.its_point : rolls(on));
  const numbered = /^\d+$/.test(first.name) && stages.length > 1;
  const said: [string, string][] = [
    [text.wins, numbered ? its(first.wins_on, first) : rolls(first.wins_on)],
    [text.loses, numbered ? its(first.loses_on, first) : lost(first.loses_on, one_roll)],
  ];
  if (!second || numbered) return said;
  const then = fill(text.then, { wins: its(second.wins_on, second), loses: its(second.loses_on, second) });
  return [...said, [text.after, then]];
}

export function limitsOf({ min_cents, max_cents, step_cents }: BetCard): string {
  if (min_cents === max_cents) return words.money(min_cents);
  const range = `${words.money(min_cents)} – ${words.money(max_cents)}`;
  return step_cents > 1 ? `${range} · ${fill(words.text.help.step, { amount: words.money(step_cents) })}` : range;
}

export function worksWhen({ one_roll, off_able, rests_on_come_out }: BetCard): string {
  const text = words.text.help;
  if (one_roll) return text.one_roll;
  return rests_on_come_out ? text.rests : off_able ? text.off_able : text.always;
}
