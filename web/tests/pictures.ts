/** Takes pictures of the screens at a real table, to be looked at: `npm run pictures [-- GAMES [rounds]]`. */

import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { Floor, SIZES, type Size } from "./floor.ts";

const PLACED = ["pass", "field", "place.6", "place.8", "hard.6", "horn.11", "hop.2-4", "lucky_roller.all"];

async function bet(page: Page): Promise<void> {
  for (const spot of PLACED) {
    const target = page.locator(`[data-spot="${spot}"]`);
    if (await target.count()) await target.press("Enter");
  }
  await page.waitForFunction(() => !document.querySelector(".pending"));
}

async function takePictures(game: string, rounds: boolean): Promise<void> {
  const floor = await Floor.open(game, "automated");
  try {
    const seats: [string, Page][] = [];
    for (const [n, size] of (Object.keys(SIZES) as Size[]).entries()) {
      seats.push([`seat-${size}`, await floor.screen(`seat ${n + 1}`, size)]);
    }
    const pages: [string, Page][] = [...seats];
    for (const place of ["dealer", "table", "info", "office"]) {
      pages.push([place, await floor.screen(place, "desk")]);
    }
    for (const [, page] of seats) await bet(page);
    await each(pages, game, "");
    if (rounds) await playRound(pages, game);
    for (const problem of floor.problems) console.error(problem);
  } finally {
    await floor.close();
  }
}

async function each(pages: readonly [string, Page][], game: string, when: string): Promise<void> {
  for (const [name, page] of pages) await page.screenshot({ path: `pictures/${game}-${name}${when}.png` });
}

/** Waits for the dice to show and for the next bets, with a picture of each. */
async function playRound(pages: readonly [string, Page][], game: string): Promise<void> {
  const [, seat] = pages[0]!;
  await seat.waitForSelector(".result", { timeout: 90_000 });
  await each(pages, game, "-rolled");
  await seat.waitForSelector(".result", { state: "detached" });
  await each(pages, game, "-next");
}

mkdirSync("pictures", { recursive: true });
const [games = "craps,crapless,easy,roll-to-win,shoot-to-win", rounds = ""] = process.argv.slice(2);
for (const game of games.split(",")) await takePictures(game, rounds !== "");
