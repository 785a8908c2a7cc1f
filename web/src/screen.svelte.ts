/** What a screen shows and does: the last view, how its line stands, and asking, with refusals kept to be shown. */

import { ask } from "./http.ts";
import { here } from "./place.ts";
import { isWhyNot } from "./offers.ts";
import { Connection, ENDED, type Socket, type Standing } from "./connection.ts";
import type { Done, Lesson, Refused, Request, View } from "./wire.ts";
import { words } from "./words/words.svelte.ts";

const REFUSAL_SHOWN_MS = 3500;
const UNPAINTED_MS = 100;
/** Quick lines wait for slower ones: until then a result is not shown anywhere, so that all screens tell it together. */
const TOGETHER_MS = 100;
/** What a roll did is shown so long after the roll itself. */
const AFTERWARDS_MS = 150;
const RETRY_MS = 2000;

export interface ShownRefusal {
  /** Where it is shown: a spot or the name of a button. */
  readonly at: string;
  readonly says: string;
  readonly why: Refused["why"];
}

export class Screen<V extends View = View> {
  view = $state.raw<V | null>(null);
  standing = $state<Standing | "no_code" | "no_answer">("joining");
  refusal = $state.raw<ShownRefusal | null>(null);
  /** By place, how many requests are on their way. */
  pending = $state<Record<string, number>>({});
  /** The step of a lesson; none at a real table. */
  lesson = $state.raw<Lesson | null>(null);
  /** Another screen is shown in its place, whose felt is the one that is spoken of. */
  hidden = false;
  #sees: ((view: View) => void) | null = null;
  #line: Connection | null = null;
  #left = false;
  /** A result whose dice are still in the air. */
  #held: V | null = null;
  #landing: ReturnType<typeof setTimeout> | null = null;
  /** The newest view, while the one before is still shown, and when that will be over. */
  #newest: V | null = null;
  #shown: Promise<void> = Promise.resolve();

  /** Trade the code of the link, if there is one, then join; an office says which table. */
  async open(search = location.search): Promise<void> {
    const has = await enrolled(() => (this.standing = "no_answer"));
    if (this.#left) return;
    if (has) this.#join(`/ws${search}`);
    else this.standing = "no_code";
  }

  /** Joins a practice table, which is there for this lesson only. */
  practise(lesson: Lesson["lesson"]): void {
    this.#join(`/ws/practice?lesson=${lesson}`);
  }

  #join(path: string): void {
    this.#line = new Connection(browser(path), {
      shows: (view) => this.#show(view as V),
      stands: (standing) => this.#stand(standing),
      teaches: (lesson) => (this.lesson = lesson),
    });
  }

  /** Ask for something at a place of the screen; a refusal is shown there. Says whether it was done. Where two people
   * are needed, `second` asks for the other one, who gives their password on this screen: their badge. */
  async ask(request: Request, at = "", second?: () => Promise<string>): Promise<boolean> {
    return (await this.done(request, at, second)) !== null;
  }

  /** The same, with the answer if it was done. */
  async done(request: Request, at = "", second?: () => Promise<string>): Promise<Done | null> {
    const answer = await this.answer(request, at, second);
    if (answer?.type === "refused") this.refuse(at, answer);
    return answer?.type === "done" ? answer : null;
  }

  /** The answer itself; a refusal is its asker's to show. Nothing where there is no line, or where it ends first. */
  async answer(request: Request, at = "", second?: () => Promise<string>): Promise<Done | Refused | null> {
    const refused = this.refusal;
    this.pending[at] = (this.pending[at] ?? 0) + 1;
    let answer = await this.#asked(request);
    if (answer?.type === "refused" && answer.why === "needs_two" && second) {
      const approver = await second();
      if (approver) answer = await this.#asked(request, approver);
    }
    await this.#shown; // what was done is seen before it stops being on its way
    this.pending[at] -= 1;
    // What was refused before is no longer what happened last; what was refused meanwhile is.
    if (answer?.type === "done" && this.refusal === refused) this.refusal = null;
    return answer;
  }

  async #asked(request: Request, approver = ""): Promise<Done | Refused | null> {
    return (await this.#line?.ask(request, approver).catch(() => null)) ?? null;
  }

  /** A button for what the server offers: where it does not, it is dim and a touch says why. Else it asks, or acts. */
  button(at: string, offer: unknown, asks: Request | (() => void)): { "aria-disabled": boolean; onclick: () => void } {
    const onclick = (): void => {
      if (isWhyNot(offer)) this.refuse(at, offer);
      else if (typeof asks === "function") asks();
      else void this.ask(asks, at);
    };
    return { "aria-disabled": isWhyNot(offer), onclick };
  }

  /** Calls back with every view as it comes, also with one that is never drawn because the next is quicker. */
  seeAll(sees: (view: V) => void): void {
    this.#sees = sees as (view: View) => void;
    if (this.view) sees(this.view);
  }

  /** A line that has ended brings nothing new: what was shown, with its money, goes with it. */
  #stand(standing: Standing): void {
    this.standing = standing;
    if (!(ENDED as readonly string[]).includes(standing)) return;
    clearTimeout(this.#landing ?? undefined);
    this.view = this.#landing = this.#held = this.#newest = null;
  }

  /** A result is shown when its dice land, on all screens together. */
  #show(view: V): void {
    this.#sees?.(view);
    const early = this.#untilLanded(view);
    if (early > 0) {
      this.#landing ??= setTimeout(() => this.#held && this.#land(this.#held), early);
      this.#held = view;
    } else {
      this.#draw(view);
    }
  }

  /** The milliseconds until a result may be shown: its dice have landed for certain. Never more than a flight, whatever
   * the clocks say. */
  #untilLanded({ shared: { phase, flight } }: V): number {
    if (phase !== "rolled" || !flight) return 0;
    const landed = flight.lands_at_ms - (this.#line?.certainNow() ?? this.serverNow());
    const together = flight.lands_at_ms + TOGETHER_MS - this.serverNow();
    return Math.min(Math.max(landed, together), flight.ms);
  }

  /** The roll itself is shown at once, without waiting for a frame. What it did is more work for a page, so that comes
   * a moment later: screens that share a machine would otherwise show the roll one after the other. */
  #land(view: V): void {
    const { history } = view.shared;
    if (this.view) this.view = { ...this.view, shared: { ...this.view.shared, history } };
    this.#landing = setTimeout(() => this.#held && this.#draw(this.#held), AFTERWARDS_MS);
  }

  /** Views that come between two paints are drawn once. */
  #draw(view: V): void {
    clearTimeout(this.#landing ?? undefined);
    this.#landing = this.#held = null;
    const waits = this.#newest !== null;
    this.#newest = view;
    if (waits) return;
    this.#shown = beforePaint().then(() => {
      if (!this.#newest) return;
      this.view = this.#newest;
      if (!this.hidden) words.felt = this.#newest.shared.felt;
      this.#newest = null;
    });
  }

  refuse(at: string, { why, detail }: Pick<Refused, "why" | "detail">): void {
    const shown = { at, says: words.why(why, detail, at), why };
    this.refusal = shown;
    setTimeout(() => {
      if (this.refusal === shown) this.refusal = null;
    }, REFUSAL_SHOWN_MS);
  }

  /** Leaves the table. */
  close(): void {
    this.#left = true;
    this.#line?.close();
  }

  serverNow(): number {
    return this.#line?.serverNow() ?? Date.now();
  }
}

/** The next paint is about to come; a page that is not painted waits no longer for it. */
function beforePaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, UNPAINTED_MS);
  });
}

function browser(path: string): ConstructorParameters<typeof Connection>[0] {
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${here(path)}`;
  return {
    connect: () => new WebSocket(url) as unknown as Socket,
    now: () => Math.round(performance.timeOrigin + performance.now()), // it never jumps
    later: (run, ms) => setTimeout(run, ms),
    name: Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("-"),
  };
}

/** Whether this screen has a place, once the code of its link is traded. A server that does not answer is asked again,
 * and `waits` is called. */
export async function enrolled(waits: () => void): Promise<boolean> {
  const code = location.hash.slice(1);
  if (code) {
    const has = await answered("/api/enrol", waits, { method: "POST", body: JSON.stringify({ code }) });
    history.replaceState(null, "", location.pathname + location.search);
    if (has) return true;
  }
  return answered("/api/place", waits);
}

/** Whether an address says yes, as soon as it says anything. */
async function answered(path: string, waits: () => void, request?: RequestInit): Promise<boolean> {
  for (;;) {
    const answer = await ask(path, request);
    if (answer && answer.status < 500) return answer.ok;
    waits();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
