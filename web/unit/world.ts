/** What the classes of a screen need of a browser: a server that the test is, a clock that it turns, a storage. */

import { afterEach, beforeEach, vi } from "vitest";
import type { Said, SeatView, Told } from "../src/wire.ts";

/** The server's end of the screen's line. */
export class FakeSocket {
  static last: FakeSocket;
  onopen: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly said: Said[] = [];

  constructor() {
    FakeSocket.last = this;
  }

  send(text: string): void {
    this.said.push(JSON.parse(text) as Said);
  }

  close(): void {}

  tell(told: Told): void {
    this.onmessage?.({ data: JSON.stringify(told) });
  }

  /** The requests so far, each with the id that its answer names. */
  get asks(): Extract<Said, { type: "ask" }>[] {
    return this.said.filter((said) => said.type === "ask");
  }

  answer(told: { type: "done" } | { type: "refused"; why: "under_min"; detail: string }, n = -1): void {
    const { id } = this.asks.at(n)!;
    this.tell((told.type === "done" ? { ...told, id, seq: 2 } : { ...told, id, says: "" }) as Told);
  }
}

export const FRAME_MS = 16;

const store = new Map<string, string>();
vi.stubGlobal("location", { pathname: "/seat/1", search: "", hash: "", protocol: "http:", host: "table" });
vi.stubGlobal("document", { documentElement: { lang: "en" }, elementFromPoint: () => null });
vi.stubGlobal("localStorage", {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, value: string) => void store.set(key, value),
});
vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, FRAME_MS));
vi.stubGlobal("WebSocket", FakeSocket);
vi.stubGlobal("fetch", async () => ({ ok: true, status: 200, json: async () => ({}) }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  store.clear();
});

/** A seat's view, as far as a hand needs it. */
export function seatView(more: Partial<SeatView> = {}): SeatView {
  const offers = { betting: null, spots: {}, buttons: {}, toggles: {}, wins: {} };
  const view = { screen: "seat", seat: 1, shared: { round: 1 }, wagers: {}, offers };
  const chips = { chips_cents: [100, 500, 1000, 2500], denomination_cents: 1 };
  return { ...view, ...chips, ...more } as unknown as SeatView;
}

/** Lets promises go on that wait for nothing else. */
export const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
