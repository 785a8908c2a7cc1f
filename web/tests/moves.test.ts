/** Which chips travel from one view to the next, when, and what lies on the felt meanwhile. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Stack } from "../src/felt/chips.ts";
import { afterRoll, betweenRolls, CREDIT, HOUSE, stacksAt, RACK, stepsOf, type Chips } from "../src/felt/moves.ts";
import { winSize } from "../src/shared/win-size.ts";

const felt = (cents: Chips["cents"], ...lines: Chips["lines"]): Chips => ({ cents, lines });
/** As the server names the bet of a spot: a wager that has its number is of the bet that it was. */
const betOf = (spot: string): string => spot.split(".")[0]!;
const after = (before: Chips, now: Chips) => afterRoll(before, now, betOf);
const stacks = (cents: Chips["cents"]): Record<string, Stack> =>
  Object.fromEntries(Object.entries(cents).map(([spot, each]) => [spot, { cents: each }]));

test("a loser is swept to the house, and lies there until its sweep begins", () => {
  const before = felt({ pass: 1000 });
  const now = felt({}, { spot: "pass", decided: "lose", net_cents: -1000, taken_cents: 1000 });
  const moves = after(before, now);
  assert.deepEqual(moves, [{ cents: 1000, way: ["pass", HOUSE], begins: 0 }]);
  assert.deepEqual(stacksAt(stacks(before.cents), {}, moves, -1), { pass: { cents: 1000 } });
  assert.deepEqual(stacksAt(stacks(before.cents), {}, moves, 0), {});
});

test("a winner that stays is paid beside its stack, and the pay goes on to the credit", () => {
  const now = felt({ "place.6": 600 }, { spot: "place.6", decided: "win", net_cents: 700 });
  const moves = after(felt({ "place.6": 600 }), now);
  assert.deepEqual(moves, [{ cents: 700, way: [HOUSE, "place.6", CREDIT], begins: 1 }]);
  for (const step of [-1, 0, 1, 2]) {
    assert.deepEqual(stacksAt(stacks(now.cents), stacks(now.cents), moves, step), { "place.6": { cents: 600 } });
  }
  assert.equal(stepsOf(moves), 3);
});

test("a winner that comes down goes to the credit with its pay, also where the pay is for one", () => {
  const pay = { cents: 1000, way: [HOUSE, "pass", CREDIT], begins: 1 };
  const stake = { cents: 500, way: ["pass", CREDIT], begins: 2 };
  for (const home of [{ returned_cents: 500 }, { taken_cents: 500 }]) {
    const moves = after(felt({ pass: 500 }), felt({}, { spot: "pass", decided: "win", net_cents: 1000, ...home }));
    assert.deepEqual(moves, [pay, stake]);
    assert.deepEqual(stacksAt({ pass: { cents: 500 } }, {}, moves, 1), { pass: { cents: 500 } });
    assert.deepEqual(stacksAt({ pass: { cents: 500 } }, {}, moves, 2), {});
  }
});

test("a push that stays moves nothing, one that is given back goes to the credit", () => {
  const stays = felt({ dont_pass: 500 }, { spot: "dont_pass", decided: "push" });
  assert.deepEqual(after(felt({ dont_pass: 500 }), stays), []);
  const odds = felt({}, { spot: "pass_odds", decided: "push", returned_cents: 2000 });
  assert.deepEqual(after(felt({ pass_odds: 2000 }), odds), [{ cents: 2000, way: ["pass_odds", CREDIT], begins: 2 }]);
});

test("a wager walks to its number, where one that won there makes room", () => {
  const before = felt({ come: 500, "come.6": 1000, dont_come: 300 });
  const won = { spot: "come.6", decided: "win", net_cents: 1000, returned_cents: 1000 } as const;
  const now = felt({ "come.6": 500, "dont_come.6": 300 }, won);
  const moves = after(before, now);
  assert.deepEqual(moves.slice(2), [
    { cents: 500, way: ["come", "come.6"], begins: 1 },
    { cents: 300, way: ["dont_come", "dont_come.6"], begins: 1 },
  ]);
  const lies = (step: number) => stacksAt(stacks(before.cents), stacks(now.cents), moves, step);
  assert.deepEqual(lies(0), stacks(before.cents));
  assert.deepEqual(lies(1), stacks({ "come.6": 1000 }));
  assert.deepEqual(lies(2), stacks({ "come.6": 500, "dont_come.6": 300 }));
});

test("of several seats on a spot, some lose, some are paid and some walk", () => {
  const before = felt({ come: 1500, "come.9": 2500 });
  const lost = { spot: "come.9", decided: "lose", net_cents: -1000, taken_cents: 1000 } as const;
  const won = { spot: "come.9", decided: "win", net_cents: 500, returned_cents: 500 } as const;
  assert.deepEqual(after(before, felt({ "come.9": 2500 }, lost, won)), [
    { cents: 1000, way: ["come.9", HOUSE], begins: 0 },
    { cents: 500, way: [HOUSE, "come.9", CREDIT], begins: 1 },
    { cents: 500, way: ["come.9", CREDIT], begins: 2 },
    { cents: 1500, way: ["come", "come.9"], begins: 1 },
  ]);
});

test("a mark that is no money moves nothing", () => {
  assert.deepEqual(after(felt({}), felt({})), []);
});

test("a bet comes from the rack and goes back to it", () => {
  assert.deepEqual(betweenRolls(felt({ pass: 500 }), felt({ pass: 1000, field: 500 })), [
    { cents: 500, way: [RACK, "pass"], begins: 0 },
    { cents: 500, way: [RACK, "field"], begins: 0 },
  ]);
  assert.deepEqual(betweenRolls(felt({ pass: 500, field: 500 }), felt({ pass: 200 })), [
    { cents: 300, way: ["pass", RACK], begins: 0 },
    { cents: 500, way: ["field", RACK], begins: 0 },
  ]);
});

test("a win is shown by what it is of the stakes; a loss or nothing is none", () => {
  const size = (net_cents: number) => winSize({ net_cents, staked_cents: 1000 });
  assert.deepEqual([-1, 0, 1, 4999, 5000, 25_000, 25_001].map(size), [
    "none",
    "none",
    "glow",
    "glow",
    "card",
    "card",
    "full",
  ]);
});
