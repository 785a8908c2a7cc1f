/** The felt of a game as data: every spot where a bet may lie. Knows no bets and no rules, only places. */

import type { FeltSpot } from "../wire.ts";
import { layMain, type At, type Shape } from "./main-zone.ts";
import { layHops, layProps, laySides } from "./panels.ts";
import type { Room, Zone } from "./shapes.ts";

export type { Shape } from "./main-zone.ts";
export type * from "./shapes.ts";

export interface Layout {
  readonly line: Zone;
  /** On a handset, what is against the shooter; empty elsewhere. */
  readonly more: Zone;
  readonly props: Zone;
  readonly hops: Zone;
  readonly sides: Zone;
}

/** The rooms of a felt: of its line, of the propositions, and of special games and hops. */
export interface Rooms {
  readonly line: Room;
  readonly props: Room;
  readonly special: Room;
}

/** The felt with these spots. What no other part has a place for goes to the special games: each in a row, unless they are
 * laid in another way. */
export function lay(felt: readonly FeltSpot[], shape: Shape, rooms: Rooms, laySpecial = laySides): Layout {
  const at: At = (zone, number) =>
    felt.filter((spot) => spot.zone === zone && (number === undefined || spot.number === number));
  const main = layMain(at, shape, rooms.line);
  const [props, hops] = [layProps(at, rooms.props), layHops(at, rooms.special)];
  const laid = new Set([main.line, main.more, props, hops].flatMap(({ spots }) => spots.map(({ id }) => id)));
  const special = felt.filter(({ spot }) => !laid.has(spot));
  return { ...main, props, hops, sides: laySpecial(special, rooms.special) };
}

export function zones({ line, more, props, hops, sides }: Layout): readonly Zone[] {
  return [line, more, props, hops, sides];
}
