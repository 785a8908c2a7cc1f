/** What a refusal adds to its reason, in words: the server sends ids, amounts, codes or an English sentence. */

import type { Catalogue } from "./en.ts";
import { fill, keyOfBet } from "./fill.ts";

/**
 * Names of bets and of lock-ups for their ids. A code says nothing to a reader. A sentence is English: other readers get
 * the amounts in it, or nothing.
 */
export function detailed(detail: string, { bets, lockups }: Catalogue, english: boolean): string {
  const known: Record<string, string> = { ...lockups, ...bets };
  const names = detail.split(", ").map((id) => {
    const [key, n] = keyOfBet(id);
    return fill(known[key] ?? "", { n });
  });
  if (names.every(Boolean)) return names.join(", ");
  if (/^[a-z]\w*(\.\w+)*$/.test(detail)) return "";
  return english || !/^[a-z]/.test(detail) ? detail : (detail.match(/\$[\d,.]*\d/g) ?? []).join(", ");
}
