/** The messages of a display, and what a seat keeps of its player's choices. */

import { beforeEach, expect, test, vi } from "vitest";
import { Watch } from "../src/shared/display-view.svelte.ts";
import type { Shared, StayView } from "../src/wire.ts";

const table = (more: Partial<Shared> = {}): Shared =>
  ({
    round: 1,
    phase: "shooting",
    paused: false,
    no_rolls: {},
    jackpots: [],
    history: [],
    ...more,
  }) as unknown as Shared;

test("a roll that does not count is told for nine seconds", () => {
  const watch = new Watch();
  watch.follow(table());
  watch.follow(table({ no_rolls: { cocked: 1 } }));
  expect(watch.notice).not.toBe(null);
  vi.advanceTimersByTime(9_000);
  expect(watch.notice).toBe(null);
});

// --- Options ---

const stay = (number: number, more: Partial<StayView> = {}): StayView =>
  ({ number, ended: false, since_ms: number * 1000, ...more }) as StayView;

/** The options as a page has them that was opened just now. */
async function fresh(): Promise<typeof import("../src/seat/options.svelte.ts").options> {
  vi.resetModules();
  return (await import("../src/seat/options.svelte.ts")).options;
}

let options: Awaited<ReturnType<typeof fresh>>;
beforeEach(async () => {
  options = await fresh();
  options.follow(stay(1));
});

test("what a player chose is there after a reload, and gone for the next player", async () => {
  options.turn("easy", true);
  options.setVolume("music", 4);
  options.setChip({ cents: 1500, denomination_cents: 1 });
  const reloaded = await fresh();
  reloaded.follow(stay(1));
  expect([reloaded.switches.easy, reloaded.volumes.music, reloaded.chip?.cents]).toEqual([true, 4, 1500]);
  expect(reloaded.follow(stay(2))).toBe(true);
  expect([reloaded.switches.easy, reloaded.volumes.music, reloaded.chip]).toEqual([false, 0, null]);
});

test("what is chosen while nobody stays is for the stay that begins next", () => {
  options.follow(stay(1, { ended: true }));
  options.turn("limits", true);
  expect(options.follow(stay(2))).toBe(false);
  expect(options.switches.limits).toBe(true);
});

test("a storage that holds nonsense is as good as none", async () => {
  for (const nonsense of ["{", "7", '{"of":"1 1000","chosen":{"switches":{"easy":"yes"}}}']) {
    localStorage.setItem("stickman/seat/1", nonsense);
    const read = await fresh();
    read.follow(stay(1));
    expect(read.switches.easy).toBe(false);
    expect(read.volumes.alarm).toBeGreaterThan(0);
  }
});

test("no volume is under 0 or over 10", () => {
  options.setVolume("effects", 14);
  options.setVolume("alarm", -3);
  expect([options.volumes.effects, options.volumes.alarm]).toEqual([10, 0]);
});
