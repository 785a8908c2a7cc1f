/** What a refusal adds to its reason, in words: the server sends the id of a bet, or a key with values. */

import type { Detailed } from "../wire.ts";
import type { Catalogue } from "./en.ts";
import { fill, keyOfBet } from "./fill.ts";
import type { StaffCatalogue } from "./staff/en.ts";

type Names = Readonly<Record<string, string>>;

/** Nothing where the screen has no words for it: a code says nothing to a reader. */
export function detailed(
  detail: string | Detailed,
  text: Catalogue & Partial<StaffCatalogue>,
  money: (cents: number) => string,
): string {
  if (typeof detail === "string") return named(detail, text.bets) || (/^[a-z]/.test(detail) ? "" : detail);
  const known: Names = { ...text.floor_details, ...text.details };
  const roles: Names = text.dealer?.roles ?? {};

  function written(name: string, value: number | string): string {
    if (name.endsWith("cents")) return money(Number(value));
    if (name === "bets") return named(String(value), text.bets);
    if (name === "lockups") return named(String(value), text.lockups);
    if (name === "role") return roles[value] ?? "";
    return String(value);
  }

  const values = Object.entries(detail.values).map(([name, value]) => [
    name,
    (typeof value === "object" ? value : [value]).map((each) => written(name, each)).join(", "),
  ]);
  return fill(known[detail.key] ?? "", Object.fromEntries(values) as Names);
}

function named(id: string, names: Names): string {
  const [key, n] = keyOfBet(id);
  return fill(names[key] ?? "", { n });
}
