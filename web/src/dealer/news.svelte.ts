/** What a dealer should notice although it happens at a seat: tips, calls for service, new trouble. Each is a message
 * that goes away on its own, with a sound. */

import type { Effect } from "../sound/channels.ts";
import { troubles } from "../staff/deeds.ts";
import type { DealerView } from "../wire.ts";
import { fill } from "../words/fill.ts";
import { words } from "../words/words.svelte.ts";

const SHOWN_MS = 8_000;
const SHOWN_MAX = 3;

export interface Message {
  readonly says: string;
  readonly tone: "good" | "bad" | "plain";
  readonly sound?: Effect;
}

/** What is new at the seats from one view to the next. */
export function news(before: DealerView, after: DealerView): Message[] {
  const text = words.text.dealer;
  return Object.entries(after.seats).flatMap(([n, seat]) => {
    const was = before.seats[Number(n)] ?? {};
    const tip_cents = (seat.tips_cents ?? 0) - (was.tips_cents ?? 0);
    const [known, place] = [troubles(was), fill(words.text.seat.terminal, { n })];
    const found: Message[] = troubles(seat)
      .filter((says) => !known.includes(says))
      .map((says) => ({ says: `${place}: ${says}`, tone: "bad", sound: "bell" }));
    if (seat.service && !was.service) {
      found.push({ says: fill(text.service_called, { n }), tone: "bad", sound: "bell" });
    }
    if (tip_cents > 0) {
      const amount = words.money(tip_cents);
      found.push({ says: fill(text.tip_given, { n, amount }), tone: "good", sound: "tip" });
    }
    return found;
  });
}

export class News {
  shown = $state.raw<readonly Message[]>([]);
  #before: DealerView | null = null;
  #play: (effect: Effect) => void;

  constructor(play: (effect: Effect) => void) {
    this.#play = play;
  }

  follow(view: DealerView): void {
    const before = this.#before;
    this.#before = view;
    if (before && before !== view) for (const message of news(before, view)) this.tell(message);
  }

  tell(message: Message): void {
    this.shown = [...this.shown, message].slice(-SHOWN_MAX);
    if (message.sound) this.#play(message.sound);
    setTimeout(() => (this.shown = this.shown.filter((one) => one !== message)), SHOWN_MS);
  }
}
