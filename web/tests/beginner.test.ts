/** Beginner mode: the advice and the few bets that it speaks of are both in sight, on every screen. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { Floor, type Size } from "./floor.ts";
import { coveredPrints, examine, hiddenSpots, smallLetters } from "./geometry.ts";
import { ALL, LANGUAGES, quiet, resize, speak, type Game } from "./scenes.ts";

const GAMES: readonly Game[] = ALL ? ["craps", "easy", "roll-to-win"] : ["craps"];
const SIZES: readonly Size[] = ALL ? ["laptop", "tablet", "square", "desk", "phone"] : ["laptop", "phone"];
/** Where all bets of a game fit without scrolling. */
const WHOLE: readonly Size[] = SIZES.filter((size) => size !== "square" && size !== "phone");

/** A seat whose player has said that the game is new. */
async function beginner(game: Game): Promise<[Floor, Page]> {
  const floor = await Floor.open(game, "automated");
  const page = await floor.screen("seat 1", "desk");
  await page.getByRole("button", { name: "Beginner mode" }).click();
  await page.getByRole("note").getByText("becomes the point").waitFor();
  await page.mouse.move(0, 0);
  return [floor, page];
}

/** On a busy machine a part of the page may come late: then it is looked at again. */
const LOOKS = 3;

/** What is wrong with how a felt and the advice for it are seen, once the page stands still. */
async function faults(page: Page): Promise<string[]> {
  let found: string[] = [];
  for (let n = 0; n < LOOKS; n += 1) {
    await quiet(page);
    const each = [examine, smallLetters, hiddenSpots, coveredPrints].map((look) => look(page));
    found = (await Promise.all(each)).flat();
    if (!found.length) break;
  }
  return found;
}

for (const game of GAMES) {
  describe(`beginner mode at ${game}`, () => {
    test("the advice and every bet that it speaks of are in sight, in every language", async () => {
      const [floor, page] = await beginner(game);
      const found: string[] = [];
      for (const size of SIZES) {
        await resize(page, size);
        for (const language of LANGUAGES) {
          await speak(page, language);
          found.push(...(await faults(page)).map((fault) => `${size}, ${language}: ${fault}`));
        }
      }
      assert.deepEqual(found, []);
      assert.deepEqual(floor.problems, []);
      await floor.close();
    });

    test("so they are when a bet lies elsewhere, which shows all bets", async () => {
      const [floor, page] = await beginner(game);
      await floor.ask(page, { do: "place_bet", seat: 1, spot: "horn.11", cents: 500 }, "done");
      await page.getByRole("tab").first().waitFor();
      const found: string[] = [];
      for (const size of WHOLE) {
        await resize(page, size);
        found.push(...(await faults(page)).map((fault) => `${size}: ${fault}`));
      }
      assert.deepEqual(found, []);
      await floor.close();
    });
  });
}
