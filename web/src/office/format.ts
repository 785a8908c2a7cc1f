/** How the office writes places, numbers and accounts. */

import type { AccountBalance } from "../wire.ts";
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

/** The name of an account. */
export function account({ kind, owner = "", part }: AccountBalance): string {
  const { accounts } = office();
  if (kind === "seat") return fill(part === "credit" ? accounts.credit : accounts.felt, { n: owner });
  if (kind === "drawer") return fill(accounts.drawer, { badge: owner });
  if (kind === "progressive") return fill(part ? accounts.reserve : accounts.progressive, { meter: owner });
  return named(accounts as Readonly<Record<string, string>>, kind);
}
