/** What tests of the screens do again and again. */

import { test } from "node:test";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";

/** A page that draws no frame for so long is stuck. */
const DRAWN_MS = 30_000;

type Step = (name: string, run: () => Promise<void> | void) => void;

/** A story: its steps go on where the one before ended, so they are one test, which stops at the first that fails. */
export function story(name: string): Step {
  const steps: Parameters<Step>[] = [];
  test(name, async (t) => {
    await setImmediate(); // all steps are told by then
    let failed = false;
    for (const [each, run] of steps) {
      if (failed) return t.diagnostic(`not reached: ${each}`);
      await t.test(each, async () => {
        failed = true;
        await run();
        failed = false;
      });
    }
  });
  return (each, run) => void steps.push([each, run]);
}

export function spot(seat: Page, id: string): Locator {
  return seat.locator(`[data-spot="${id}"]`);
}

/** The spot of which this is said: its name, then its chips. */
export function lies(seat: Page, said: string): Locator {
  return seat.locator(`[data-spot][aria-label^="${said}"]`);
}

export function button(within: Page | Locator, name: string | RegExp): Locator {
  return within.getByRole("button", { name, exact: typeof name === "string" });
}

export function dialog(page: Page, name: string | RegExp = ""): Locator {
  return page.getByRole("dialog", name ? { name } : {});
}

export async function middle(where: Locator): Promise<[number, number]> {
  const box = (await where.boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 6 });
  await page.mouse.up();
}

/** Holds a place with the mouse for so long by the page's own clock. */
export async function holdFor(page: Page, at: [number, number], ms: number): Promise<void> {
  await page.clock.install();
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.clock.fastForward(ms);
  await page.mouse.up();
}

/** Waits until the fonts are there and what was asked for is drawn. */
export async function settle(page: Page): Promise<void> {
  const drawn = page.evaluate(async () => {
    await document.fonts.ready;
    for (let n = 0; n < 3; n += 1) await new Promise((next) => requestAnimationFrame(next));
    return true;
  });
  const late = sleep(DRAWN_MS, false, { ref: false });
  if (await Promise.race([drawn, late])) return;
  const state = page.evaluate(() => document.visibilityState);
  const script = await Promise.race([state, sleep(1_000, "its script is stuck", { ref: false })]);
  throw new Error(`${page.url()} draws nothing for ${DRAWN_MS / 1000} s (${script})`);
}

/** A picture to be looked at, where somebody wants to: `PICTURES=1 npm test`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env["PICTURES"]) await page.screenshot({ path: `pictures/${name}.png` });
}
