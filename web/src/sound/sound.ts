/** What a screen plays through its speakers. It begins on its own if the browser allows it, otherwise at the first touch or
 * key: until then it is silent, and nothing is played late. */

import type { Shared } from "../wire.ts";
import type { Announcement } from "./announcements.ts";
import { VOLUME_MAX, type Channel, type Effect, type Volumes } from "./channels.ts";
import type { SoundPlayer } from "./player.ts";

/** It takes a tenth of a second to open the sound: first the screen is drawn, or what was touched. */
const OPENS_AFTER_MS = 200;
/** A touch counts for a browser when the finger leaves. */
const TOUCHES = ["pointerdown", "pointerup", "keydown"] as const;

/** What the game of the table lets be heard (ruling 58). */
type Allowed = Pick<Shared, "announcements" | "sound">;

export class Sound {
  /** Alarms always sound. */
  allowed: Allowed = { announcements: true, sound: true };
  #volumes: () => Volumes;
  #player: SoundPlayer | null = null;
  #opening = false;

  constructor(volumes: () => Volumes) {
    this.#volumes = volumes;
  }

  /** Begins as soon as it may. */
  begin(): void {
    for (const touch of TOUCHES) addEventListener(touch, () => this.wake(), { passive: true });
    this.wake();
  }

  wake(): void {
    if (this.#player) this.#player.resume();
    else if (!this.#opening) setTimeout(() => void this.#open(), OPENS_AFTER_MS);
    this.#opening = true;
  }

  play(effect: Effect): void {
    this.#player?.play(effect);
  }

  /** Says these, one after the other, in the language that is chosen. What was being said is broken off. */
  say(what: readonly Announcement[]): void {
    void this.#player?.voice.say(what);
  }

  /** From 0 to 1. */
  volume(channel: Channel): number {
    const { announcements, sound } = this.allowed;
    const heard = channel === "alarm" || (channel === "announcements" ? announcements : sound);
    return heard ? this.#volumes()[channel] / VOLUME_MAX : 0;
  }

  async #open(): Promise<void> {
    try {
      const { SoundPlayer } = await import("./player.ts");
      this.#player = new SoundPlayer((channel) => this.volume(channel));
    } catch {
      this.#opening = false; // the next touch tries again
    }
  }
}
