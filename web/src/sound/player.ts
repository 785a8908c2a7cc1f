/** Effects and music, made here, and the voice. Loaded when a screen begins to sound. */

import { channelOf, type Channel, type Effect } from "./channels.ts";
import { Voice } from "./voice.ts";

interface Note {
  readonly hz: number;
  readonly at_s: number;
  readonly for_s: number;
  readonly shape?: OscillatorType;
  readonly loud?: number;
}

const chord = (hz: readonly number[], step_s: number, for_s: number): Note[] =>
  hz.map((one, n) => ({ hz: one, at_s: n * step_s, for_s }));

const NOTES: Record<Exclude<Effect, "dice">, readonly Note[]> = {
  chip: [
    { hz: 2400, at_s: 0, for_s: 0.04, shape: "triangle" },
    { hz: 3100, at_s: 0.03, for_s: 0.05, shape: "triangle", loud: 0.6 },
  ],
  take: [{ hz: 1500, at_s: 0, for_s: 0.07, shape: "triangle" }],
  close: chord([660, 440], 0.12, 0.16),
  win: chord([523, 659, 784, 1047], 0.09, 0.35),
  seven_out: chord([392, 330, 262, 196], 0.14, 0.35),
  refused: [{ hz: 150, at_s: 0, for_s: 0.18, shape: "square", loud: 0.5 }],
  tick: [{ hz: 1000, at_s: 0, for_s: 0.03, shape: "square", loud: 0.4 }],
  alarm: chord([880, 660, 880, 660], 0.2, 0.18),
};
/** Slow, low and far apart: a room that breathes, no tune. */
const MUSIC_HZ = [110, 165, 220, 247, 330, 165];
const MUSIC_STEP_S = 2.4;
const MUSIC_LOOKS_MS = 1000;
const DEVICE_RETRY_MS = 2000;
const DICE_KNOCKS_S = [0, 0.09, 0.16, 0.21, 0.25];
/** Several tones at once must not be cut. */
const TONE = 0.25;
/** The chips of a whole table are one sound. */
const SAME_AGAIN_S = 0.08;

export class Player {
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
    setInterval(() => this.#playMusic(), MUSIC_LOOKS_MS);
    this.resume();
  }

  resume(): void {
    if (this.#context.state !== "running") this.#context.resume().catch(() => {}); // not allowed yet: the next touch
  }

  /** Now, or not at all: what a browser holds back would all sound at once when it lets go. */
  play(effect: Effect): void {
    const [context, volume] = [this.#context, TONE * this.#volume(channelOf(effect))];
    if (context.state !== "running" || !volume) return;
    const from_s = context.currentTime;
    if (from_s - (this.#last.get(effect) ?? -1) < SAME_AGAIN_S) return;
    this.#last.set(effect, from_s);
    if (effect === "dice") for (const knock of DICE_KNOCKS_S) this.#knock(from_s + knock, volume);
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

  /** A die on wood: a burst of noise. These dice do not count. */
  #knock(at_s: number, volume: number): void {
    const context = this.#context;
    const length = Math.floor(context.sampleRate * 0.05);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const wave = buffer.getChannelData(0);
    for (let n = 0; n < length; n++) wave[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 6;
    const [source, gain] = [context.createBufferSource(), context.createGain()];
    source.buffer = buffer;
    gain.gain.value = volume * 2;
    source.connect(gain).connect(context.destination);
    source.start(at_s);
  }

  #playMusic(): void {
    const [context, volume] = [this.#context, TONE * this.#volume("music") * 0.35];
    if (context.state !== "running" || !volume) return;
    this.#musicFrom_s = Math.max(this.#musicFrom_s, context.currentTime);
    while (this.#musicFrom_s < context.currentTime + 2) {
      const hz = MUSIC_HZ[this.#step % MUSIC_HZ.length]!;
      this.#tone({ hz, at_s: this.#musicFrom_s, for_s: MUSIC_STEP_S * 1.6 }, volume);
      this.#step += 1;
      this.#musicFrom_s += MUSIC_STEP_S;
    }
  }
}
