/** An event of the journal in words: what happened, who did it, and what it says of it. */

import type { EventLine, Place, StackedPaper } from "../../wire.ts";
import { fill, masked, named } from "../../words/fill.ts";
import { words } from "../../words/words.svelte.ts";

type Names = Readonly<Record<string, string>>;

/** Shown in columns of their own, or for programs only: a job may be named by the number of a ticket. */
const APART = ["seq", "at_ms", "actor", "log", "event", "seat", "heads", "job"];
const DIGEST_SHOWN = 16;

export function eventName({ event }: EventLine): string {
  return named(words.text.dealer.events, event);
}

/** Who did it; the house where the record names nobody. */
export function actorName(actor: string): string {
  const [, seat] = /^seat (\d+)$/.exec(actor) ?? [];
  return seat ? fill(words.text.seat.terminal, { n: seat }) : ((words.text.dealer.actors as Names)[actor] ?? actor);
}

export function placed({ screen, table, seat }: Place): string {
  const { screens, tab_table } = words.text.dealer;
  if (!table) return screens[screen];
  const at = seat ? `, ${fill(words.text.seat.terminal, { n: seat })}` : "";
  return `${tab_table} ${table}, ${screens[screen]}${at}`;
}

export function eventDetail(line: EventLine): string {
  return fields(line, APART, ": ").join(" · ");
}

function fields(of: object, but: readonly string[], colon: string): string[] {
  return Object.entries(of)
    .filter(([name, value]) => !but.includes(name) && (name === "on" || !["", false, null].includes(value)))
    .map(([name, value]) => `${named(words.text.dealer.fields, name)}${colon}${told(name, value)}`);
}

function told(name: string, value: unknown): string {
  const { doors, roles, whys, lockups, faults } = words.text.dealer;
  const text = String(value);
  if (name.endsWith("cents")) return words.meter(Number(value));
  if (name === "place") return placed(value as Place);
  if (name === "terms") return fields(value as object, [], " ").join(", ");
  if (name === "took" || name === "hand_pays") return bySeat(value as Readonly<Record<string, number>>);
  if (name === "number") return masked(text);
  if (name === "of") return copied(value as { readonly number: string; readonly cents: number });
  if (name === "counted" || name === "booked") return stackerText(value as Partial<StackedPaper>);
  if (name === "moved_ms") return words.time(Number(value), "full");
  if (["fingerprint", "sha256", "ours"].includes(name)) return text.slice(0, DIGEST_SHOWN);
  if (name === "mode") return words.text.dealer[`modes_${text as "automated"}`];
  if (name === "on") return value ? words.text.felt.on : words.text.felt.off;
  if (value === true) return words.text.seat.yes;
  if (Array.isArray(value)) return value.join("-");
  const known: Names = { ...words.text.no_rolls, ...lockups, ...doors, ...roles, ...faults, ...whys };
  return known[text] ?? masked(text);
}

function copied({ number, cents }: { readonly number: string; readonly cents: number }): string {
  return `${words.meter(cents)} ${masked(number)}`;
}

/** Bills and tickets that were counted: `3 × $20, 1 ticket`. */
export function stackerText({ bills = {}, tickets = 0 }: Partial<StackedPaper>): string {
  const text = words.text.dealer.devices;
  const each = Object.entries(bills).map(([cents, n]) => fill(text.bills, { n, amount: words.money(Number(cents)) }));
  return [...each, ...(tickets ? [fill(text.tickets, { n: tickets })] : [])].join(", ") || text.nothing;
}

function bySeat(cents: Readonly<Record<string, number>>): string {
  const each = Object.entries(cents);
  return each.map(([n, sum]) => `${fill(words.text.seat.terminal, { n })} ${words.meter(sum)}`).join(", ");
}
