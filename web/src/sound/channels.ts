/** What is heard, by channel, each with a volume of its own; and the effects, each on its channel. */

export const CHANNELS = ["announcements", "music", "effects", "alarm"] as const;
export type Channel = (typeof CHANNELS)[number];

/** By channel, from 0 to 10. */
export type Volumes = Readonly<Record<Channel, number>>;
export const VOLUME_MAX = 10;

export type Effect =
  | "chip"
  | "take"
  | "close"
  | "dice"
  | "knock"
  | "win"
  | "seven_out"
  | "refused"
  | "tick"
  | "alarm"
  /** For staff: a player calls, or gives a tip. */
  | "bell"
  | "tip";

export function channelOf(effect: Effect): Channel {
  return ["tick", "alarm", "bell"].includes(effect) ? "alarm" : "effects";
}
