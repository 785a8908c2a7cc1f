/** Pages whose clocks are wrong and whose messages are late, and what they show of a roll and when. */

import type { Page, WebSocketRoute } from "playwright-core";

/** What a page showed and when, by the machine's own clock. */
export interface Shown {
  /** How many rolls the history had, from when on. */
  readonly rolls: readonly (readonly [at: number, count: number])[];
  /** How often dice flew. */
  readonly flights: number;
  /** When a finger, a mouse or a key was last lifted. */
  readonly lifted: number;
  /** What was drawn while dice flew, and while chips travelled after a roll. */
  readonly flight: Drawn;
  readonly sweep: Drawn;
}

interface Drawn {
  readonly frames: number;
  readonly ms: number;
  /** The longest time between two frames. */
  readonly longest_ms: number;
}

/** A page whose clock is wrong and whose messages are late, by as much there as back, or one way more than the other. */
export class World {
  /** The last landing that the server has named. */
  landsAt = 0;
  /** When a page that was cut off was first told something again. */
  backAt = 0;
  /** Whether the last result is shown without waiting for a landing. */
  atOnce = false;
  #lines = new Set<WebSocketRoute>();
  #skewMs: number;
  #thereMs: number;
  #backMs: number;

  constructor(skewMs: number, thereMs: number, backMs = thereMs) {
    this.#skewMs = skewMs;
    this.#thereMs = thereMs;
    this.#backMs = backMs;
  }

  readonly around = async (page: Page): Promise<void> => {
    await page.addInitScript(watch, this.#skewMs);
    await page.routeWebSocket(/\/ws/, (here) => {
      const server = here.connectToServer();
      this.#lines.add(here);
      here.onMessage((data) => void setTimeout(() => server.send(data), this.#thereMs));
      server.onMessage((data) => {
        this.#read(String(data));
        setTimeout(() => {
          this.backAt ||= Date.now();
          here.send(data);
        }, this.#backMs);
      });
    });
  };

  #read(data: string): void {
    const [, lands] = /"lands_at_ms":(\d+)/.exec(data) ?? [];
    if (lands) this.landsAt = Number(lands);
    if (data.includes('"shared":{"phase":"rolled"')) this.atOnce = data.includes('"flight":null');
  }

  /** The page loses its lines, and comes back. */
  async cut(): Promise<void> {
    for (const line of this.#lines) await line.close({ code: 1012 });
    this.#lines.clear();
    this.backAt = 0;
  }
}

/** Runs in a page before its own code. */
function watch(skewMs: number): void {
  const now = Date.now.bind(Date);
  const origin = performance.timeOrigin;
  Date.now = () => now() + skewMs;
  Object.defineProperty(performance, "timeOrigin", { value: origin + skewMs });
  const nothing = { frames: 0, ms: 0, longest_ms: 0 };
  const shown = {
    rolls: [] as [number, number][],
    flights: 0,
    lifted: 0,
    flight: { ...nothing },
    sweep: { ...nothing },
  };
  Object.assign(globalThis, { shown });
  for (const lifts of ["pointerup", "keyup"]) addEventListener(lifts, () => (shown.lifted = now()), true);

  /** Counts frames from one call to the next, until `moves` says no. */
  function count(drawn: { -readonly [key in keyof Drawn]: Drawn[key] }, moves: () => boolean): void {
    let last = 0;
    const draws = (ms: number): void => {
      if (last) {
        drawn.frames += 1;
        drawn.ms += ms - last;
        drawn.longest_ms = Math.max(drawn.longest_ms, ms - last);
      }
      last = ms;
      if (moves()) requestAnimationFrame(draws);
    };
    requestAnimationFrame(draws);
  }

  const inAir = () => document.querySelector(".flight") !== null;
  /** Chips are drawn before they set out. */
  const travels = () =>
    document
      .querySelector(".travel > svg")
      ?.getAnimations()
      .some(({ playState, currentTime, effect }) => {
        const { delay = 0 } = effect?.getTiming() ?? {};
        return playState === "running" && Number(currentTime) >= delay;
      }) ?? false;
  let [flies, sweeps] = [false, false];
  const looks = (): void => {
    if (!sweeps && travels()) count(shown.sweep, travels);
    sweeps = travels();
    if (document.querySelector(".travel > svg")) requestAnimationFrame(looks);
    else looking = false;
  };
  let looking = false;
  new MutationObserver(() => {
    const history = document.querySelector('ol[aria-label="Last rolls"]');
    if (history && history.childElementCount !== shown.rolls.at(-1)?.[1]) {
      shown.rolls.push([now(), history.childElementCount]);
    }
    if (inAir() && !flies) {
      shown.flights += 1;
      count(shown.flight, inAir);
    }
    flies = inAir();
    if (!looking && document.querySelector(".travel > svg")) {
      looking = true;
      requestAnimationFrame(looks);
    }
  }).observe(document, { childList: true, subtree: true });
}

export function shown(page: Page): Promise<Shown> {
  return page.evaluate(() => (globalThis as unknown as { shown: Shown }).shown);
}
