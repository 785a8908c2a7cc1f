import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { Floor, SIZES, type Size } from "./floor.ts";

const FINGER_PX = 44;

interface Target {
  readonly name: string;
  readonly w: number;
  readonly h: number;
  readonly left: number;
  readonly right: number;
}

/** What can be touched, as it is drawn. */
function targets(page: Page): Promise<Target[]> {
  return page.locator("button:not(.outside), [data-spot] > path").evaluateAll((found) =>
    found.map((one) => {
      const { width, height, left, right } = one.getBoundingClientRect();
      const name = one.closest<SVGGElement>("[data-spot]")?.dataset["spot"] ?? one.textContent?.trim() ?? "";
      return { name, w: width, h: height, left, right };
    }),
  );
}

for (const game of ["craps", "crapless", "shoot-to-win"]) {
  test(`everything that can be touched is large enough for a finger, at every size: ${game}`, async () => {
    const floor = await Floor.open(game, "automated");
    try {
      for (const [n, size] of (Object.keys(SIZES) as Size[]).entries()) {
        const page = await floor.screen(`seat ${n + 1}`, size);
        const small = (await targets(page)).filter(({ w, h }) => Math.min(w, h) < FINGER_PX);
        assert.deepEqual(small.map(({ name, w, h }) => `${size} ${name} ${w.toFixed(0)}×${h.toFixed(0)}`), []);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(wider, 0, `${size} is wider than its screen`);
      }
    } finally {
      await floor.close();
    }
  });
}
