/** How the office writes places, numbers and accounts. */

import { net } from "../staff/net.ts";
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

/** What a table or a floor won, and which part that is of what was wagered there. */
export function hold(hold_cents: number, handle_cents: number): string {
  if (!handle_cents) return net(hold_cents);
  return `${net(hold_cents)} (${rate((hold_cents / handle_cents) * 10_000).replace("-", "−")})`;
}

/** The beginning of a digest, which is enough to tell two apart. */
export function short(digest: string): string {
  return digest.slice(0, 16);
}

/** The name of an account. */
export function account({ kind, owner = "", part }: AccountBalance): string {
  const { accounts } = office();
  if (kind === "seat") return fill(accounts[part as "credit" | "felt" | "printing"], { n: owner });
  if (kind === "drawer") return fill(accounts.drawer, { badge: owner });
  if (kind === "progressive") return fill(part ? accounts.reserve : accounts.progressive, { meter: owner });
  return named(accounts as Readonly<Record<string, string>>, kind);
}
