/** Pictures of the screens, compared with those of `tests/reference` and of the project's README. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import type { Size } from "./floor.ts";
import { GAMES, resize, type Evening, type Game, type Screen } from "./scenes.ts";

const REFERENCE = "tests/reference";
export const README = "../docs/pictures";
/** `npm run reference` makes the pictures that the others are compared with. */
export const WRITES = process.env["REFERENCE"] === "write";
/** How far a colour may be off, and how many of a thousand pixels: letters differ a little between machines. */
const COLOUR_OFF = 0.15;
const PER_MILLE_MAX = 4;

const LOOKS: readonly (readonly [Game, Screen, Size])[] = [
  ...GAMES.map((game) => [game, "seat", "desk"] as const),
  ["craps", "seat", "tablet"],
  ["craps", "seat", "phone"],
  ["craps", "dealer", "desk"],
  ["craps", "table", "desk"],
  ["craps", "info", "desk"],
  ["craps", "office", "desk"],
];

/** A picture without what the clock changes. */
async function taken(page: Page): Promise<PNG> {
  const clocks = page.locator("[role=timer], time");
  const show = (visibility: string) =>
    clocks.evaluateAll((all, how) => all.forEach((one) => ((one as HTMLElement).style.visibility = how)), visibility);
  await show("hidden"); // by hand, because the page's policy forbids a style sheet
  const now = await page.screenshot({ animations: "disabled" });
  await show("");
  return halved(PNG.sync.read(now));
}

/** Half as wide and high: what machines draw differently is mostly the edge of a letter. */
function halved({ width, height, data }: PNG): PNG {
  const half = new PNG({ width: width / 2, height: height / 2 });
  for (let n = 0; n < half.data.length; n += 1) {
    const pixel = n >> 2;
    const at = 4 * (2 * Math.floor(pixel / half.width) * width + 2 * (pixel % half.width)) + (n & 3);
    const below = at + 4 * width;
    half.data[n] = (data[at]! + data[at + 4]! + data[below]! + data[below + 4]! + 2) >> 2;
  }
  return half;
}

/** How many of a thousand pixels are not as in the reference; a picture of them is left to be looked at. */
function compare(folder: string, name: string, now: PNG): number {
  const wanted = PNG.sync.read(readFileSync(`${folder}/${name}.png`));
  assert.deepEqual([now.width, now.height], [wanted.width, wanted.height]);
  const diff = new PNG({ width: now.width, height: now.height });
  const off = pixelmatch(wanted.data, now.data, diff.data, now.width, now.height, { threshold: COLOUR_OFF });
  const perMille = (1000 * off) / (now.width * now.height);
  if (perMille > PER_MILLE_MAX) {
    writeFileSync(`pictures/${name}-now.png`, PNG.sync.write(now));
    writeFileSync(`pictures/${name}-diff.png`, PNG.sync.write(diff));
  }
  return perMille;
}

/** The two seats that nobody opened lose their link after ten seconds, which the dealer and the office are told. */
async function untilOthersAreGone(dealer: Page): Promise<void> {
  await dealer.getByText("not connected").nth(1).waitFor({ timeout: 30_000 });
}

/** The office asks again and again, so its network is never idle: its first tile must be there. */
async function reloaded(office: Page): Promise<void> {
  await office.reload();
  await office.locator("main article").first().waitFor();
}

/** What is taken of a game. */
export const picturesOf = (game: Game): (typeof LOOKS)[number][] => LOOKS.filter(([of]) => of === game);

export async function looksAsBefore(evening: Evening, [game, screen, size]: (typeof LOOKS)[number]): Promise<void> {
  await becomeStill(evening, screen, size);
  await isAsIn(REFERENCE, `${game}-${screen}-${size}`, evening[screen]);
}

/** Waits until nothing more changes on a screen of this size by itself. */
export async function becomeStill(evening: Evening, screen: Screen, size: Size): Promise<void> {
  const page = evening[screen];
  if (screen === "dealer" || screen === "office") await untilOthersAreGone(evening.dealer);
  if (screen === "office") await reloaded(page);
  await resize(page, size);
}

/** Compares a page with its picture in a folder, or writes that. */
export async function isAsIn(folder: string, name: string, page: Page): Promise<void> {
  const file = `${folder}/${name}.png`;
  const now = await taken(page);
  if (WRITES) return writeFileSync(file, PNG.sync.write(now, { deflateLevel: 9 }));
  assert.ok(existsSync(file), `${file} is missing: npm run reference`);
  mkdirSync("pictures", { recursive: true });
  const off = compare(folder, name, now);
  assert.ok(off <= PER_MILLE_MAX, `${off.toFixed(1)} of 1000 pixels differ: look at pictures/${name}-diff.png`);
}
