/** The significant events of a journal, newest first, and older ones on request. */

import type { EventLine } from "../../wire.ts";
import type { Told } from "../asked.ts";

interface Page {
  /** Oldest first. */
  readonly events: readonly EventLine[];
  readonly before: number;
  readonly more: boolean;
}

const NEWEST = 10 ** 12;
/** How often further back is looked where nothing was found. */
const TRIES = 5;

export class EventLog {
  lines = $state.raw<readonly EventLine[]>([]);
  more = $state(false);
  loaded = $state(false);
  /** Why it could not be read. */
  says = $state("");
  #get: (path: string) => Promise<Told<Page>>;
  #stream = 0;
  #before = NEWEST;

  constructor(get: (path: string) => Promise<Told<Page>>) {
    this.#get = get;
  }

  /** From the newest on: of a table, or of the floor (0). */
  async begin(stream: number): Promise<void> {
    [this.lines, this.#before, this.loaded, this.#stream] = [[], NEWEST, false, stream];
    await this.further();
  }

  async further(): Promise<void> {
    const stream = this.#stream;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const told = await this.#get(`/api/events?table=${stream}&before=${this.#before}`);
      if (stream !== this.#stream) return;
      this.says = told.ok ? "" : told.says;
      if (!told.ok) return;
      this.lines = [...this.lines, ...told.value.events.toReversed()];
      [this.#before, this.more] = [told.value.before, told.value.more];
      if (told.value.events.length || !this.more) break;
    }
    this.loaded = true;
  }
}
