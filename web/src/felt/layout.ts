/** The felt of a game as data: every spot where a bet may lie. Knows no bets and no rules, only places. */

import type { FeltSpot } from "../wire.ts";
import { layMain, type At, type Shape } from "./main-zone.ts";
import { layHops, layProps, laySides } from "./panels.ts";
import type { Zone } from "./shapes.ts";

export type { Shape } from "./main-zone.ts";
export type * from "./shapes.ts";

export interface Layout {
  readonly line: Zone;
  readonly props: Zone;
  readonly hops: Zone;
  readonly sides: Zone;
}

/** The felt with these spots, for a room that is so high for its width. What no other part has a place for goes to the
 * special games. */
export function lay(felt: readonly FeltSpot[], shape: Shape, height = 0.58): Layout {
  const at: At = (zone, number) =>
    felt.filter((spot) => spot.zone === zone && (number === undefined || spot.number === number));
  const [line, props, hops] = [layMain(at, shape, height), layProps(at), layHops(at)];
  const laid = new Set([line, props, hops].flatMap(({ spots }) => spots.map(({ id }) => id)));
  return { line, props, hops, sides: laySides(felt.filter(({ spot }) => !laid.has(spot))) };
}

export function zones(layout: Layout): readonly Zone[] {
  return [layout.line, layout.props, layout.hops, layout.sides];
}
