/** What a felt is laid in, for tests without a browser: its shape and its rooms, about as on screens of these sizes. */

import type { Room, Rooms, Shape } from "../src/felt/layout.ts";
import type { Size } from "./floor.ts";

/** Where one room is for all parts, by turns. */
function one(w: number, h: number): Rooms {
  const room: Room = { w, h };
  return { line: room, props: room, special: room };
}

export const ROOMS = {
  desk: ["wide", { line: { w: 1250, h: 720 }, props: { w: 478, h: 354 }, special: { w: 478, h: 310 } }],
  terminal: ["wide", one(1570, 860)],
  laptop: ["wide", one(1150, 484)],
  tablet: ["wide", one(1156, 490)],
  slate: ["folded", one(810, 700)],
  phone: ["tall", one(370, 400)],
  lying: ["tall", one(600, 366)],
} as const satisfies Partial<Record<Size, readonly [Shape, Rooms]>>;
