/** What is printed on the spots, as the player chose: pays, the edge with them, or the limits instead. */

import { printed, type PayWords, type Printed } from "../felt/pays.ts";
import type { BetLimits, Placard, Shared } from "../wire.ts";

interface Writer extends PayWords {
  money(cents: number): string;
  percent(exact: string): string;
}

export function printing(
  placard: Placard,
  { power, limits }: Shared,
  { limits: showLimits, edges, easy }: Readonly<Record<"limits" | "edges" | "easy", boolean>>,
  write: Writer,
): Readonly<Record<string, Printed>> {
  const pays = printed(placard, power, write);
  if (!showLimits && !edges && !easy) return pays;
  const changed = Object.entries(pays).map(([spot, now]) => {
    const bet = placard.spots[spot]!;
    if (showLimits) return [spot, limited(limits.bets[bet], write)] as const;
    const edge = write.percent(placard.bets[bet]!.edge_per_bet_made);
    return [spot, { ...now, long: `${now.long}   ${edge}`, short: `${now.short} ${edge}` }] as const;
  });
  return Object.fromEntries(changed);
}

function limited(limits: BetLimits | undefined, write: Writer): Printed {
  if (!limits) return { long: "", short: "" };
  const [min, max] = limits;
  return { long: `${write.money(min)} – ${write.money(max)}`, short: `${min / 100}–${max / 100}` };
}
