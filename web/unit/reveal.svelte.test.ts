/** How a felt tells a result: its total, its chips, then all of it; and what lies on it meanwhile. */

import { beforeEach, expect, test, vi } from "vitest";
import { STEP_MS, Reveal, TOTAL_MS, type Shown } from "../src/felt/reveal.svelte.ts";
import { Counting } from "../src/shared/counting.svelte.ts";
import type { SpotLine } from "../src/wire.ts";

const motion = { matches: false };
beforeEach(() => {
  motion.matches = false;
  vi.stubGlobal("matchMedia", () => motion);
});

function shown(phase: string, cents: Record<string, number>, lines: readonly SpotLine[] = []): Shown {
  const stacks = Object.fromEntries(Object.entries(cents).map(([spot, each]) => [spot, { cents: each }]));
  const told = { phase, round: 1, history: [], no_rolls: {} } as unknown as Shown["told"];
  return { stacks, cents, lines, told, felt: [] };
}

const LOST: SpotLine = { spot: "field", decided: "lose", net_cents: -500, taken_cents: 500 };
const WON: SpotLine = { spot: "pass", decided: "win", net_cents: 1000, returned_cents: 1000 };

function rolled(...lines: SpotLine[]): { reveal: Reveal; lies: () => object } {
  const reveal = new Reveal();
  reveal.follow(shown("shooting", { field: 500, pass: 1000 }));
  reveal.follow(shown("rolled", {}, lines));
  const lies = () => Object.fromEntries(Object.entries(reveal.over({})).map(([spot, { cents }]) => [spot, cents]));
  return { reveal, lies };
}

test("a result is told in at most two seconds: the total, who loses, who is paid, and all home", () => {
  const { reveal, lies } = rolled(LOST, WON);
  expect([reveal.stage, reveal.waits]).toEqual(["total", true]);
  vi.advanceTimersByTime(100);
  expect(reveal.flights.map(({ wait_ms }) => wait_ms)).toEqual(
    [0, 1, 2].map((step) => TOTAL_MS - 100 + step * STEP_MS),
  );
  expect(lies()).toEqual({ field: 500, pass: 1000 });
  vi.advanceTimersByTime(TOTAL_MS - 100);
  expect([reveal.stage, [...reveal.wins]]).toEqual(["chips", [["pass", 1000]]]);
  expect(lies()).toEqual({ pass: 1000 });
  vi.advanceTimersByTime(2 * STEP_MS);
  expect([lies(), reveal.waits]).toEqual([{}, false]);
  vi.advanceTimersByTime(2000 - TOTAL_MS - 2 * STEP_MS);
  expect([reveal.stage, reveal.flights, reveal.wins.size]).toEqual(["all", [], 0]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a skipped result is told to its end at once, and stays so", () => {
  const { reveal, lies } = rolled(LOST, WON);
  vi.advanceTimersByTime(TOTAL_MS + 1);
  reveal.skip();
  expect([reveal.stage, reveal.flights, reveal.waits, lies()]).toEqual(["all", [], false, {}]);
  vi.advanceTimersByTime(2000);
  expect(reveal.stage).toBe("all");
});

test("once bets are open the felt shows only what is so", () => {
  const { reveal, lies } = rolled(LOST, WON);
  reveal.follow(shown("betting", {}));
  expect([reveal.stage, lies()]).toEqual(["all", {}]);
});

test("who wishes less motion sees the end at once, and the amounts that were won", () => {
  motion.matches = true;
  const { reveal, lies } = rolled(LOST, WON);
  expect([lies(), reveal.waits]).toEqual([{}, false]);
  vi.advanceTimersByTime(TOTAL_MS);
  expect([reveal.flights, reveal.wins.size]).toEqual([[], 1]);
});

test("a bet flies from the rack, but for one that a hand put there, and never many at once", () => {
  const reveal = new Reveal();
  reveal.follow(shown("betting", {}));
  reveal.follow(shown("betting", { pass: 500 }));
  expect(reveal.flights.map(({ way }) => way.at(-1))).toEqual(["pass"]);
  reveal.follow(shown("betting", { pass: 500, field: 500 }), true);
  expect(reveal.flights.length).toBe(1);
  for (let n = 1; n < 50; n += 1) reveal.follow(shown("betting", { pass: 500 + n, field: 500 }));
  expect(reveal.flights.length).toBe(6);
  vi.advanceTimersByTime(1000);
  expect(reveal.flights).toEqual([]);
});

test("the first view, and one that a screen missed the dice of, move nothing", () => {
  const reveal = new Reveal();
  reveal.follow(shown("rolled", {}, [LOST]));
  reveal.follow(shown("rolled", {}, [LOST]));
  expect([reveal.stage, reveal.flights]).toEqual(["all", []]);
});

test("an amount counts to what it has become, and is shown though nothing is painted", () => {
  let paint: FrameRequestCallback = () => {};
  vi.stubGlobal("requestAnimationFrame", (draw: FrameRequestCallback) => ((paint = draw), 1));
  vi.stubGlobal("cancelAnimationFrame", () => (paint = () => {}));
  const counting = new Counting(1000);
  counting.to(3000, 400);
  expect(counting.shown).toBe(1000);
  paint(performance.now() + 100);
  expect(counting.shown).toBe(1500);
  vi.advanceTimersByTime(400);
  expect(counting.shown).toBe(3000);
  counting.to(500, 0);
  expect(counting.shown).toBe(500);
});
