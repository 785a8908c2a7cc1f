/** The sounds of a seat, made here: four channels, each with its own volume. Nothing is heard before a first touch,
 * for browsers allow no sound until then. */

import { options, VOLUME_MAX, type Channel } from "./options.svelte.ts";

type Effect = "chip" | "take" | "dice" | "win" | "refused" | "tick" | "alarm";

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
  win: chord([523, 659, 784, 1047], 0.09, 0.35),
  refused: [{ hz: 150, at_s: 0, for_s: 0.18, shape: "square", loud: 0.5 }],
  tick: [{ hz: 1000, at_s: 0, for_s: 0.03, shape: "square", loud: 0.4 }],
  alarm: chord([880, 660, 880, 660], 0.2, 0.18),
};
const CHANNEL_OF: Record<Effect, Channel> = {
  chip: "effects",
  take: "effects",
  dice: "effects",
  win: "effects",
  refused: "effects",
  tick: "alarm",
  alarm: "alarm",
};
/** Slow, low and far apart: a room that breathes, no tune. */
const MUSIC_HZ = [110, 165, 220, 247, 330, 165];
const MUSIC_STEP_S = 2.4;
const DICE_KNOCKS_S = [0, 0.09, 0.16, 0.21, 0.25];
/** It takes a tenth of a second to open the sound. */
const OPENS_AFTER_MS = 200;

class Sound {
  #context: AudioContext | null = null;
  #opens = false;
  #musicFrom_s = 0;
  #step = 0;

  /** Called at every touch: the first one opens the sound, once what was touched has been painted. */
  wake(): void {
    if (this.#context) void this.#context.resume();
    else if (!this.#opens) setTimeout(() => this.#open(), OPENS_AFTER_MS);
    this.#opens = true;
  }

  #open(): void {
    this.#context = new AudioContext();
    setInterval(() => this.#playMusic(), 1000);
  }

  play(effect: Effect): void {
    const context = this.#context;
    const volume = this.#volume(CHANNEL_OF[effect]);
    if (!context || !volume) return;
    const from_s = context.currentTime;
    if (effect === "dice") for (const knock of DICE_KNOCKS_S) this.#knock(context, from_s + knock, volume);
    else for (const note of NOTES[effect]) this.#tone(context, { ...note, at_s: from_s + note.at_s }, volume);
  }

  /** Says it aloud, where this machine has a voice for the language. */
  say(text: string, language: string): void {
    const volume = this.#volume("announcements");
    if (!volume || !("speechSynthesis" in globalThis)) return;
    const voice = speechSynthesis.getVoices().find(({ lang }) => lang.startsWith(language));
    if (!voice) return;
    const said = new SpeechSynthesisUtterance(text);
    Object.assign(said, { voice, lang: voice.lang, volume: Math.min(volume * 4, 1), rate: 1.1 });
    speechSynthesis.cancel();
    speechSynthesis.speak(said);
  }

  #volume(channel: Channel): number {
    return (0.25 * options.volumes[channel]) / VOLUME_MAX;
  }

  #tone(context: AudioContext, { hz, at_s, for_s, shape = "sine", loud = 1 }: Note, volume: number): void {
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

  /** A die on wood: a burst of noise. It is no dice that count. */
  #knock(context: AudioContext, at_s: number, volume: number): void {
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
    const context = this.#context;
    const volume = this.#volume("music") * 0.35;
    if (!context || !volume) return;
    this.#musicFrom_s = Math.max(this.#musicFrom_s, context.currentTime);
    while (this.#musicFrom_s < context.currentTime + 2) {
      const hz = MUSIC_HZ[this.#step % MUSIC_HZ.length]!;
      this.#tone(context, { hz, at_s: this.#musicFrom_s, for_s: MUSIC_STEP_S * 1.6 }, volume);
      this.#step += 1;
      this.#musicFrom_s += MUSIC_STEP_S;
    }
  }
}

export const sound = new Sound();
