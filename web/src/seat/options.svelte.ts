/** What a player has chosen for their screen; it outlives a reload, and nothing of it reaches the table. */

import { VOLUME_MAX, type Channel } from "../sound/channels.ts";

export const SWITCHES = ["winnings", "hints", "limits", "edges", "easy"] as const;
export type Switch = (typeof SWITCHES)[number];

interface Chosen {
  readonly switches: Record<Switch, boolean>;
  /** From 0 to 10. */
  readonly volumes: Record<Channel, number>;
}

const KEY = "stickman-options";
const DEFAULTS: Chosen = {
  switches: { winnings: true, hints: true, limits: false, edges: false, easy: false },
  volumes: { announcements: 6, music: 0, effects: 6, alarm: 8 },
};

class Options {
  #chosen = $state<Chosen>(remembered());

  get switches(): Readonly<Record<Switch, boolean>> {
    return this.#chosen.switches;
  }

  get volumes(): Readonly<Record<Channel, number>> {
    return this.#chosen.volumes;
  }

  turn(name: Switch, on: boolean): void {
    this.#chosen.switches[name] = on;
    this.#remember();
  }

  setVolume(channel: Channel, volume: number): void {
    this.#chosen.volumes[channel] = Math.min(Math.max(volume, 0), VOLUME_MAX);
    this.#remember();
  }

  #remember(): void {
    localStorage.setItem(KEY, JSON.stringify(this.#chosen));
  }
}

/** What was chosen before, for whatever is still there to choose. */
function remembered(): Chosen {
  const { switches, volumes } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Chosen>;
  return {
    switches: { ...DEFAULTS.switches, ...switches },
    volumes: { ...DEFAULTS.volumes, ...volumes },
  };
}

export const options = new Options();
