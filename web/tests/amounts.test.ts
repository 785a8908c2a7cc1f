import assert from "node:assert/strict";
import { test } from "node:test";
import { inSteps } from "../src/seat/amounts.ts";

test("a chip bets at most what it says: $5 on the Horn is $4, $25 is $24", () => {
  const horn = [400, 100_000, 400, 0] as const;
  assert.equal(inSteps(500, horn), 400);
  assert.equal(inSteps(2_500, horn), 2_400);
  assert.equal(inSteps(800, horn), 800);
});

test("a chip under the minimum bets nothing", () => {
  assert.equal(inSteps(100, [400, 100_000, 400, 0]), 0);
  assert.equal(inSteps(500, [600, 100_000, 600, 0]), 0);
});

test("a chip in whole steps bets what it says", () => {
  assert.equal(inSteps(500, [100, 100_000, 100, 0]), 500);
});
