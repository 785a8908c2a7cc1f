/** The felt of a game as data: every spot where a bet may lie. Knows no rules, only places. */

import { layLine, type Shape } from "./line.ts";
import { layHops, layProps, laySides } from "./panels.ts";
import type { Zone } from "./shapes.ts";

export type { Shape } from "./line.ts";
export type * from "./shapes.ts";

export interface Layout {
  readonly line: Zone;
  readonly props: Zone;
  readonly hops: Zone;
  readonly sides: Zone;
}

/** The felt for these bets, which the view lists with their limits; for a room that is so high for its width. */
export function lay(bets: Iterable<string>, shape: Shape, height = 0.58): Layout {
  const has = withTravels(new Set(bets));
  return { line: layLine(has, shape, height), props: layProps(has), hops: layHops(has), sides: laySides(has) };
}

/** A Come wager's own spots are no bets of their own: they lie where their odds do. */
function withTravels(bets: ReadonlySet<string>): ReadonlySet<string> {
  const odds = [...bets].filter((id) => /^(dont_)?come\.\d+\.odds$/.test(id));
  return new Set([...bets, ...odds.map((id) => id.slice(0, -".odds".length))]);
}

export function zones(layout: Layout): readonly Zone[] {
  return [layout.line, layout.props, layout.hops, layout.sides];
}
