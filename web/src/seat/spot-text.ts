/** What is printed on the spots, as the player chose: pays, in plain words for a first-timer, the edge with them, or the
 * limits instead. */

import { printed, type PayWords, type Printed } from "../felt/pays.ts";
import type { BetLimits, PaysLine, Placard, Shared } from "../wire.ts";
import { fill } from "../words/fill.ts";

interface Writer extends PayWords {
  money(cents: number): string;
  percent(exact: string): string;
  readonly text: { readonly easy: { readonly wins: string } };
}

export function printing(
  placard: Placard,
  { power, limits }: Pick<Shared, "power" | "limits">,
  { limits: showLimits, edges, easy }: Readonly<Record<"limits" | "edges" | "easy", boolean>>,
  write: Writer,
): Readonly<Record<string, Printed>> {
  const pays = printed(placard, power, write);
  if (!showLimits && !edges && !easy) return pays;
  const changed = Object.entries(pays).map(([spot, now]) => {
    const bet = placard.spots[spot]!;
    if (showLimits) return [spot, limited(limits.bets[bet], write)] as const;
    if (easy) return [spot, plain(placard.bets[bet]!.pays, now, write)] as const;
    const edge = write.percent(placard.bets[bet]!.edge_per_bet_made);
    const more = { long: `${now.long}   ${edge}`, short: `${now.short} ${edge}`, least: now.short };
    return [spot, { ...now, ...more }] as const;
  });
  return Object.fromEntries(changed);
}

/** `7 to 6` in plain words where they fit: wins $7 for $6. What pays in several ways stays as it is printed. */
function plain([only, ...others]: readonly PaysLine[], printed: Printed, write: Writer): Printed {
  const [, win, stake] = /^(\d+) to (\d+)$/.exec(only?.pays ?? "") ?? [];
  if (!win || !stake || others.length || printed.power) return printed;
  const [wins, of] = [write.money(Number(win) * 100), write.money(Number(stake) * 100)];
  const says = fill(write.text.easy.wins, { win: wins, stake: of });
  return { ...printed, long: says };
}

function limited(limits: BetLimits | undefined, write: Writer): Printed {
  if (!limits) return { long: "", short: "" };
  const [min, max] = limits;
  return { long: `${write.money(min)} – ${write.money(max)}`, short: `${min / 100}–${max / 100}` };
}
