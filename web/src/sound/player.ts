/** Plays effects and music, which it makes from tones, and the voice. A screen loads it with its first sound. */

import { channelOf, type Channel, type Effect } from "./channels.ts";
import { Voice } from "./voice.ts";

interface Note {
  readonly hz: number;
  readonly at_s: number;
  readonly for_s: number;
  readonly shape?: OscillatorType;
  readonly loud?: number;
}

/** Notes one after the other; each begins `step_s` after the one before it. */
const sequence = (pitches: readonly number[], step_s: number, for_s: number): Note[] =>
  pitches.map((hz, n) => ({ hz, at_s: n * step_s, for_s }));

const NOTES: Record<Exclude<Effect, "dice" | "knock">, readonly Note[]> = {
  chip: [
    { hz: 2400, at_s: 0, for_s: 0.04, shape: "triangle" },
    { hz: 3100, at_s: 0.03, for_s: 0.05, shape: "triangle", loud: 0.6 },
  ],
  take: [{ hz: 1500, at_s: 0, for_s: 0.07, shape: "triangle" }],
  close: sequence([660, 440], 0.12, 0.16),
  win: sequence([523, 659, 784, 1047], 0.09, 0.35),
  seven_out: sequence([392, 330, 262, 196], 0.14, 0.35),
  refused: [{ hz: 150, at_s: 0, for_s: 0.18, shape: "square", loud: 0.5 }],
  tick: [{ hz: 1000, at_s: 0, for_s: 0.03, shape: "square", loud: 0.4 }],
  alarm: sequence([880, 660, 880, 660], 0.2, 0.18),
  bell: sequence([988, 784], 0.25, 0.5),
  tip: sequence([1319, 1568, 2093], 0.08, 0.2),
};
/** The background music: slow, low notes, far apart. */
const MUSIC_HZ = [110, 165, 220, 247, 330, 165];
const MUSIC_STEP_S = 2.4;
const MUSIC_NOTE_S = 3.84;
/** Every second, notes are scheduled for the next two. */
const MUSIC_CHECK_MS = 1000;
const MUSIC_AHEAD_S = 2;
const MUSIC_LOUDNESS = 0.35;
const DEVICE_RETRY_MS = 2000;
const DICE_KNOCKS_S = [0, 0.09, 0.16, 0.21, 0.25];
const KNOCK_S = 0.05;
const KNOCK_LOUDNESS = 2;
/** The volume of one tone: several at once must not overload the output. */
const TONE_VOLUME = 0.25;
/** An effect does not sound again within this time: the chips of a whole table are one sound. */
const SAME_AGAIN_S = 0.08;

export class SoundPlayer {
  readonly voice: Voice;
  #context = new AudioContext();
  #volume: (channel: Channel) => number;
  #last = new Map<Effect, number>();
  #musicFrom_s = 0;
  #step = 0;

  constructor(volume: (channel: Channel) => number) {
    this.#volume = volume;
    this.voice = new Voice(this.#context, () => volume("announcements"));
    // A sound device that fails suspends the context: nobody touches a display to wake it.
    this.#context.addEventListener("error", () => setTimeout(() => this.resume(), DEVICE_RETRY_MS));
    setInterval(() => this.#playMusic(), MUSIC_CHECK_MS);
    this.resume();
  }

  resume(): void {
    // A browser refuses before the first touch, which calls this again.
    if (this.#context.state !== "running") this.#context.resume().catch(() => {});
  }

  /** Play it now or not at all: a browser that waits for the first touch would play all waiting sounds at once. */
  play(effect: Effect): void {
    const [context, volume] = [this.#context, TONE_VOLUME * this.#volume(channelOf(effect))];
    if (context.state !== "running" || !volume) return;
    const from_s = context.currentTime;
    if (from_s - (this.#last.get(effect) ?? -1) < SAME_AGAIN_S) return;
    this.#last.set(effect, from_s);
    if (effect === "dice") for (const knock of DICE_KNOCKS_S) this.#knock(from_s + knock, volume);
    else if (effect === "knock") this.#knock(from_s, volume);
    else for (const note of NOTES[effect]) this.#tone({ ...note, at_s: from_s + note.at_s }, volume);
  }

  #tone({ hz, at_s, for_s, shape = "sine", loud = 1 }: Note, volume: number): void {
    const context = this.#context;
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.type = shape;
    oscillator.frequency.value = hz;
    gain.gain.setValueAtTime(0, at_s);
    gain.gain.linearRampToValueAtTime(volume * loud, at_s + Math.min(0.01, for_s / 4));
    gain.gain.exponentialRampToValueAtTime(0.0001, at_s + for_s);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at_s);
    oscillator.stop(at_s + for_s);
  }

  /** A die on wood: a burst of noise. This randomness decides no roll. */
  #knock(at_s: number, volume: number): void {
    const context = this.#context;
    const length = Math.floor(context.sampleRate * KNOCK_S);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const wave = buffer.getChannelData(0);
    for (let n = 0; n < length; n++) wave[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 6;
    const [source, gain] = [context.createBufferSource(), context.createGain()];
    source.buffer = buffer;
    gain.gain.value = volume * KNOCK_LOUDNESS;
    source.connect(gain).connect(context.destination);
    source.start(at_s);
  }

  #playMusic(): void {
    const [context, volume] = [this.#context, TONE_VOLUME * this.#volume("music") * MUSIC_LOUDNESS];
    if (context.state !== "running" || !volume) return;
    this.#musicFrom_s = Math.max(this.#musicFrom_s, context.currentTime);
    while (this.#musicFrom_s < context.currentTime + MUSIC_AHEAD_S) {
      const hz = MUSIC_HZ[this.#step % MUSIC_HZ.length]!;
      this.#tone({ hz, at_s: this.#musicFrom_s, for_s: MUSIC_NOTE_S }, volume);
      this.#step += 1;
      this.#musicFrom_s += MUSIC_STEP_S;
    }
  }
}
