/** What an event is called, and its details in words. */

import type { EventLine } from "../../wire.ts";
import { named } from "../../words/fill.ts";
import { words } from "../../words/words.svelte.ts";

type Names = Readonly<Record<string, string>>;

/** The words that only the office has. */
export interface MoreNames {
  readonly kinds: Names;
  /** Of the details: an event of the office says what each is. */
  readonly fields: Names;
  readonly whys: Names;
  /** The heading of the records' numbers, and what is said if there are none. */
  readonly record: string;
  readonly none: string;
  actor(name: string): string;
  count(n: number): string;
  told(field: string, value: unknown): string | null;
}

/** What a row has a column for. */
const COLUMNS = ["seq", "at_ms", "actor", "log", "event", "seat"];

export function eventName({ event }: EventLine, more?: MoreNames): string {
  return named({ ...words.text.dealer.events, ...more?.kinds }, event);
}

export function eventDetail(line: EventLine, more?: MoreNames): string {
  return Object.entries(line)
    .filter(([field, value]) => !COLUMNS.includes(field) && value !== "" && (value !== false || field === "on"))
    .map(([field, value]) => {
      const says = more?.told(field, value) ?? told(field, value, more);
      return more ? `${named(more.fields, field)}: ${says}` : says;
    })
    .join(" · ");
}

/** A detail in words if there are some; amounts as money, dice as dice. */
function told(field: string, value: unknown, more?: MoreNames): string {
  const { doors, roles, lockups } = words.text.dealer;
  if (field.endsWith("cents")) return words.meter(value as number);
  if (field === "door") return named(doors, String(value));
  if (field === "mode") return words.text.dealer[`modes_${value as "automated"}`];
  if (["role", "before", "after"].includes(field)) return named(roles, String(value));
  if (["reason", "why", "alarm"].includes(field))
    return named({ ...words.text.no_rolls, ...lockups, ...more?.whys }, String(value));
  if (typeof value === "boolean") return value ? words.text.felt.on : words.text.felt.off;
  if (Array.isArray(value)) return value.join("-");
  return Object(value) === value
    ? Object.values(value as object)
        .filter(Boolean)
        .join(" ")
    : String(value);
}
