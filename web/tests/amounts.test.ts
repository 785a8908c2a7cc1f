import assert from "node:assert/strict";
import { test } from "node:test";
import { betOf } from "../src/seat/amounts.ts";
import type { Amounts } from "../src/wire.ts";

const any: Amounts = [100, 100_000, 100, 0];
const horn = { place: [400, 100_000, 400, 0] } as const;
/** Place 6: any dollar may be bet, sixes pay evenly. */
const sixes = { place: any, evens: [600, 99_600, 600, 0] } as const;

test("a chip bets the nearest amount that pays evenly", () => {
  for (const [chip, bets] of [
    [500, 600],
    [1_000, 1_200],
    [2_500, 2_400],
    [10_000, 10_200],
  ] as const)
    assert.equal(betOf(chip, sixes), bets);
});

test("of two that are equally near, the larger: $5 in twos is $6", () => {
  assert.equal(betOf(500, { place: any, evens: [200, 99_800, 200, 0] }), 600);
});

test("a chip bets at most half more than it says: then what it says", () => {
  assert.equal(betOf(100, sixes), 100);
  assert.equal(betOf(300, sixes), 300);
  assert.equal(betOf(400, sixes), 600);
});

test("a stack that pays unevenly is filled up: $5 on $5 of Place 6 is $7 more", () => {
  assert.equal(betOf(500, { place: any, evens: [100, 99_100, 600, 0] }), 700);
});

test("a chip bets in steps where only steps may be bet: $5 on the Horn is $4, $25 is $24", () => {
  assert.deepEqual(
    [500, 2_500, 800].map((chip) => betOf(chip, horn)),
    [400, 2_400, 800],
  );
});

test("a chip that is much smaller than the minimum bets nothing", () => {
  assert.equal(betOf(100, horn), 0);
  assert.equal(betOf(500, { place: [1_000, 100_000, 100, 0] }), 0);
});

test("a chip that is larger than the maximum bets the maximum", () => {
  assert.equal(betOf(500, { place: [100, 100, 100, 0] }), 100);
  assert.equal(betOf(10_000, { place: [100, 3_700, 100, 0], evens: [600, 3_600, 600, 0] }), 3_600);
});

test("nothing is bet where nothing may be", () => {
  assert.equal(betOf(500, { place: { why: "locked", detail: "" } }), 0);
});
