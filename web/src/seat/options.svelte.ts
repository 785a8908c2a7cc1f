/** What a player has chosen for their screen. It is theirs for as long as they stay (ruling 29): a reload keeps it, and
 * with the end of the stay the house's own come back. Nothing of it reaches the table. */

import { keep, recall } from "../kept.ts";
import { here } from "../place.ts";
import { CHANNELS, VOLUME_MAX, type Channel } from "../sound/channels.ts";
import type { StayView } from "../wire.ts";
import { asked } from "../words/from-url.ts";
import { languageOf, words, type Language } from "../words/words.svelte.ts";

export const SWITCHES = ["winnings", "hints", "limits", "edges", "easy"] as const;
export type Switch = (typeof SWITCHES)[number];

/** The last chip of the rack as the player set it, and at which denomination: it scales as the others do. */
export interface OwnChip {
  readonly cents: number;
  readonly denomination_cents: number;
}

interface Chosen {
  switches: Record<Switch, boolean>;
  /** From 0 to 10. */
  volumes: Record<Channel, number>;
  language: Language;
  /** None: as the house has it. */
  chip: OwnChip | null;
  /** Whether the player is new to the game was asked, or is known by a bet. */
  welcomed: boolean;
}

/** Each seat has its own, where one browser shows several. */
const KEY = `stickman${here(location.pathname)}`;

/** As the house has it; its language may stand in the address. */
function defaults(): Chosen {
  return {
    switches: { winnings: true, hints: true, limits: false, edges: false, easy: false },
    volumes: { announcements: 6, music: 0, effects: 6, alarm: 8 },
    language: asked(),
    chip: null,
    welcomed: false,
  };
}

class Options {
  #chosen = $state<Chosen>(defaults());
  /** Whose choices these are. */
  #of = "";

  get switches(): Readonly<Record<Switch, boolean>> {
    return this.#chosen.switches;
  }

  get volumes(): Readonly<Record<Channel, number>> {
    return this.#chosen.volumes;
  }

  get language(): Language {
    return this.#chosen.language;
  }

  get chip(): OwnChip | null {
    return this.#chosen.chip;
  }

  get welcomed(): boolean {
    return this.#chosen.welcomed;
  }

  welcome(): void {
    this.#chosen.welcomed = true;
    this.#remember();
  }

  turn(name: Switch, on: boolean): void {
    this.#chosen.switches[name] = on;
    this.#remember();
  }

  setVolume(channel: Channel, volume: number): void {
    this.#chosen.volumes[channel] = Math.min(Math.max(volume, 0), VOLUME_MAX);
    this.#remember();
  }

  setChip(chip: OwnChip): void {
    this.#chosen.chip = chip;
    this.#remember();
  }

  /** Goes with the seat's stay; says whether all is as the house has it again. What is chosen while nobody stays is for
   * the stay that begins next. */
  follow({ number, ended, since_ms }: StayView): boolean {
    const nobody = ended || !number;
    const of = nobody ? `before ${number + 1}` : `${number} ${since_ms}`;
    if (of === this.#of) return false;
    const kept = this.#of ? { of: this.#of, chosen: this.#chosen } : remembered();
    const same = kept.of === of || (!nobody && kept.of === `before ${number}`);
    this.#of = of;
    this.#chosen = same ? kept.chosen : defaults();
    this.#remember();
    this.speakAgain();
    return !same;
  }

  /** Speaks as this player chose, after the stay changed or staff spoke another language. */
  speakAgain(): void {
    words.keep = (language) => this.#speak(language);
    void words.choose(this.#chosen.language);
  }

  #speak(language: Language): void {
    this.#chosen.language = language;
    this.#remember();
  }

  #remember(): void {
    keep(KEY, { of: this.#of, ...this.#chosen });
  }
}

/** What this browser has kept, for whatever is still there to choose; nothing of it is trusted. */
function remembered(): { readonly of: string; readonly chosen: Chosen } {
  const kept = record(recall(KEY));
  const [switches, volumes] = [record(kept["switches"]), record(kept["volumes"])];
  const chosen = defaults();
  for (const name of SWITCHES) if (typeof switches[name] === "boolean") chosen.switches[name] = switches[name];
  for (const channel of CHANNELS) if (isCount(volumes[channel], VOLUME_MAX)) chosen.volumes[channel] = volumes[channel];
  chosen.language = languageOf(kept["language"]) ?? chosen.language;
  chosen.welcomed = kept["welcomed"] === true;
  const { cents, denomination_cents } = record(kept["chip"]);
  if (isCount(cents) && isCount(denomination_cents) && cents && denomination_cents)
    chosen.chip = { cents, denomination_cents };
  return { of: String(kept["of"]), chosen };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function isCount(value: unknown, most = Infinity): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

export const options = new Options();
