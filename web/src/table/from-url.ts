/** What the address of a table display asks for, because no one touches it: which part is shown, and how loud it is. */

import { CHANNELS, VOLUME_MAX, type Volumes } from "../sound/channels.ts";

/** The walls and the field (RTW 3.1 items 5 to 8), each also a page of its own. */
export const PARTS = ["left", "centre", "right", "field"] as const;
export type Part = (typeof PARTS)[number];

const LOUD: Volumes = { announcements: 6, music: 3, effects: 6, alarm: 8 };

/** The part in words, as it is asked for; empty: the whole display. */
export function askedPart(search: string): string {
  return new URLSearchParams(search).get("part") ?? "";
}

export function isPart(asked: string): asked is Part {
  return (PARTS as readonly string[]).includes(asked);
}

/** `sound=on` and `sound=off`; without them the whole display sounds, and a part is silent, so that a table of four
 * screens is not heard four times. Then a volume by channel, `music=0` to `music=10`. */
export function askedVolumes(search: string): Volumes {
  const asked = new URLSearchParams(search);
  const sound = asked.get("sound");
  const on = sound === "on" || (sound !== "off" && !askedPart(search));
  const volumes = CHANNELS.map((channel) => [channel, on ? (volume(asked.get(channel)) ?? LOUD[channel]) : 0]);
  return Object.fromEntries(volumes) as Volumes;
}

function volume(asked: string | null): number | null {
  return asked && /^\d{1,3}$/.test(asked) ? Math.min(Number(asked), VOLUME_MAX) : null;
}
