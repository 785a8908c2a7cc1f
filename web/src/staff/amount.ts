/** Amounts as they are typed, in dollars with a point, and the digits of a ticket; never through a float. */

import { TICKET_DIGITS } from "../shared/cash.ts";

/** What may stand there of what was typed: up to seven digits, a point, two digits. */
export function cleanAmount(typed: string): string {
  return /^\d{0,7}(?:\.\d{0,2})?/.exec(typed.replace(/[^\d.]/g, "").replace(/^0+(?=\d)/, ""))![0];
}

/** The cents that were typed; none where nothing was. */
export function centsOf(typed: string): number | null {
  const [, dollars = "", rest = ""] = /^(\d*)\.?(\d*)$/.exec(typed) ?? [];
  return dollars || rest ? Number(dollars) * 100 + Number(rest.padEnd(2, "0")) : null;
}

/** An amount as it would be typed. */
export function typedAmount(cents: number): string {
  const rest = cents % 100;
  return `${(cents - rest) / 100}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** A ticket's number, however its groups are written. */
export function cleanNumber(typed: string): string {
  return typed.replace(/\D/g, "").slice(0, TICKET_DIGITS);
}
