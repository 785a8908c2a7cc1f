/** What a display shows of one view after the other, and what a seat keeps of its player's choices. */

import { beforeEach, expect, test, vi } from "vitest";
import { FLIGHT_MS, Watch } from "../src/shared/display-view.svelte.ts";
import type { Dice, Shared, StayView } from "../src/wire.ts";

const table = (round: number, dice?: Dice, more: Partial<Shared> = {}): { shared: Shared } => {
  const past = dice && { dice, total: dice[0] + dice[1], puck_before: 0, puck_after: 0, mark: "" };
  const phase = dice ? "rolled" : "shooting";
  const shared = { round, phase, mode: "automated", paused: false, no_rolls: {}, history: past ? [past] : [], ...more };
  return { shared: shared as unknown as Shared };
};

test("a display shows the view before until the dice that it was told of have landed", () => {
  const watch = new Watch<{ shared: Shared }>(true);
  const [before, rolled] = [table(1), table(1, [3, 4])];
  watch.follow(before);
  watch.follow(rolled);
  expect([watch.flying, watch.shown]).toEqual([true, before]);
  const later = { ...rolled };
  watch.follow(later);
  expect(watch.shown).toBe(before);
  vi.advanceTimersByTime(FLIGHT_MS);
  expect(watch.flying).toBe(false);
  expect(watch.shown).toBe(later);
});

test("dice that a dealer rolled have landed already", () => {
  const watch = new Watch<{ shared: Shared }>(true);
  watch.follow(table(1, undefined, { mode: "dealer_assisted" }));
  const rolled = table(1, [3, 4], { mode: "dealer_assisted" });
  watch.follow(rolled);
  expect([watch.flying, watch.shown]).toEqual([false, rolled]);
});

test("a roll that does not count is told for nine seconds", () => {
  const watch = new Watch<{ shared: Shared }>(false);
  watch.follow(table(1));
  watch.follow(table(1, undefined, { no_rolls: { cocked: 1 } }));
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
