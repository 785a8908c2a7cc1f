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
  const ofStaff = text.dealer;
  const names: Readonly<Record<string, Names | undefined>> = {
    bets: text.bets,
    lockups: text.lockups,
    role: ofStaff?.roles,
    doors: ofStaff?.doors,
    parts: ofStaff?.screens,
    devices: ofStaff?.screens,
    faults: ofStaff?.faults,
  };

  function written(name: string, value: number | string): string {
    if (name.endsWith("cents")) return money(Number(value));
    return name in names ? named(String(value), names[name] ?? {}) : String(value);
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
