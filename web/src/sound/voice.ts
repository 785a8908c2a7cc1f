/** Announcements: a casino's own recording if it has one, otherwise the browser's voice for the language, or the
 * recording that came with the program. */

import { words } from "../words/words.svelte.ts";
import { spoken, type Announcement } from "./announcements.ts";

const PACE = 1.1;

export class Voice {
  #context: AudioContext;
  #volume: () => number;
  /** What is being said, to be broken off. */
  #saying = new AbortController();
  /** Recordings by language and name, as they were first wanted. */
  #recordings = new Map<string, Promise<AudioBuffer | null>>();
  #own = ownRecordings();

  constructor(context: AudioContext, volume: () => number) {
    this.#context = context;
    this.#volume = volume;
    globalThis.speechSynthesis?.getVoices(); // the first time it only begins to look for them
  }

  async say(what: readonly Announcement[]): Promise<void> {
    this.#saying.abort();
    const { signal } = (this.#saying = new AbortController());
    for (const one of what) if (!signal.aborted && this.#volume()) await this.#sayOne(one, signal);
  }

  async #sayOne(one: Announcement, signal: AbortSignal): Promise<void> {
    const name = `${words.language}/${one}`;
    const voice = (await this.#own).has(name) ? undefined : voiceFor(words.language);
    if (voice && !signal.aborted && (await this.#speak(spoken(words.text)[one], voice, signal))) return;
    await this.#playRecording(name, signal);
  }

  /** Whether it was said, or broken off while it was. */
  #speak(text: string, voice: SpeechSynthesisVoice, signal: AbortSignal): Promise<boolean> {
    const said = new SpeechSynthesisUtterance(text);
    Object.assign(said, { voice, lang: voice.lang, volume: this.#volume(), rate: PACE });
    signal.addEventListener("abort", () => speechSynthesis.cancel());
    return new Promise((resolve) => {
      said.onend = () => resolve(true);
      said.onerror = () => resolve(signal.aborted);
      speechSynthesis.speak(said);
    });
  }

  async #playRecording(name: string, signal: AbortSignal): Promise<void> {
    const context = this.#context;
    const buffer = await this.#recording(name);
    if (!buffer || signal.aborted || context.state !== "running") return;
    const [source, gain] = [context.createBufferSource(), context.createGain()];
    source.buffer = buffer;
    gain.gain.value = this.#volume();
    source.connect(gain).connect(context.destination);
    signal.addEventListener("abort", () => source.stop());
    await new Promise((resolve) => {
      source.onended = resolve;
      source.start();
    });
  }

  /** Nothing where it cannot be had: its text is on the screen. It is asked for again the next time. */
  #recording(name: string): Promise<AudioBuffer | null> {
    const known = this.#recordings.get(name);
    if (known) return known;
    const loaded = load(this.#context, name).catch(() => {
      this.#recordings.delete(name);
      return null;
    });
    this.#recordings.set(name, loaded);
    return loaded;
  }
}

function voiceFor(language: string): SpeechSynthesisVoice | undefined {
  return globalThis.speechSynthesis?.getVoices().find(({ lang }) => lang.startsWith(language));
}

async function load(context: AudioContext, name: string): Promise<AudioBuffer> {
  const answer = await fetch(`/sounds/${name}`);
  if (!answer.ok) throw new Error(`/sounds/${name}: ${answer.status}`);
  return context.decodeAudioData(await answer.arrayBuffer());
}

/** Which announcements the casino has recorded itself. */
async function ownRecordings(): Promise<ReadonlySet<string>> {
  try {
    const answer = await fetch("/sounds");
    return new Set(((await answer.json()) as { own: string[] }).own);
  } catch {
    return new Set();
  }
}
