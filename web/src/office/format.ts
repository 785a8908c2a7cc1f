/** How the office writes places, numbers and accounts. */

import { fill, named } from "../words/fill.ts";
import { words } from "../words/words.svelte.ts";
import { office } from "./texts.svelte.ts";

export const DAY_MS = 86_400_000;

export function count(n: number): string {
  return new Intl.NumberFormat(words.language).format(n);
}

/** Hundredths of a percent. */
export function rate(bp: number): string {
  const digits = { style: "percent", maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(words.language, digits).format(bp / 10_000);
}

/** The beginning of a digest, which is enough to tell two apart. */
export function short(digest: string): string {
  return digest.slice(0, 16);
}

/** An account by its name in the ledger. */
export function account(name: string): string {
  const { accounts } = office();
  const [kind = "", which = "", part = ""] = name.split(":");
  if (kind === "seat") return fill(part === "credit" ? accounts.credit : accounts.felt, { n: which });
  if (kind === "drawer") return fill(accounts.drawer, { badge: which });
  if (kind === "progressive") return fill(part ? accounts.reserve : accounts.progressive, { meter: which });
  return named(accounts as Readonly<Record<string, string>>, kind);
}

/** Where an account stands among the others: the table's own first, then seat by seat. */
export function accountOrder(name: string): string {
  const [kind = "", which = ""] = name.split(":");
  return kind === "seat" ? `1 ${which.padStart(3, "0")} ${name}` : `0 ${name}`;
}
