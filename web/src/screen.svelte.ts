/** What a screen shows and does: the last view, how its line stands, and asking, with refusals kept to be shown. */

import { ask } from "./http.ts";
import { isWhyNot } from "./offers.ts";
import { Connection, type Socket, type Standing } from "./connection.ts";
import type { Done, Refused, Request, View } from "./wire.ts";
import { words } from "./words/words.svelte.ts";

const REFUSAL_SHOWN_MS = 3500;
const UNPAINTED_MS = 100;
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
  #line: Connection | null = null;
  #left = false;
  /** The newest view, while the one before is still shown, and when that will be over. */
  #newest: V | null = null;
  #shown: Promise<void> = Promise.resolve();

  /** Trade the code of the link, if there is one, then join; an office says which table. */
  async open(search = location.search): Promise<void> {
    const has = await enrolled(() => (this.standing = "no_answer"));
    if (this.#left) return;
    if (has) {
      this.#line = new Connection(browser(search), {
        shows: (view) => this.#show(view as V),
        stands: (standing) => (this.standing = standing),
      });
    } else {
      this.standing = "no_code";
    }
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
    this.pending[at] = (this.pending[at] ?? 0) + 1;
    let answer = await this.#asked(request);
    if (answer?.type === "refused" && answer.why === "needs_two" && second) {
      const approver = await second();
      if (approver) answer = await this.#asked(request, approver);
    }
    await this.#shown; // what was done is seen before it stops being on its way
    this.pending[at] -= 1;
    if (answer?.type === "done") this.refusal = null; // what was refused before is no longer what happened last
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

  /** Views that come between two paints are drawn once. */
  #show(view: V): void {
    const waits = this.#newest !== null;
    this.#newest = view;
    if (waits) return;
    this.#shown = beforePaint().then(() => {
      this.view = this.#newest;
      words.felt = this.#newest!.shared.felt;
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

function browser(search: string): ConstructorParameters<typeof Connection>[0] {
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${search}`;
  return {
    connect: () => new WebSocket(url) as unknown as Socket,
    now: () => Date.now(),
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
