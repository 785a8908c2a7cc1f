/** How the screens of a game look: as in their pictures, well laid out, and without a barrier that axe-core knows. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "./axe.ts";
import { examine, smallLetters } from "./geometry.ts";
import { looksAsBefore, picturesOf, WRITES } from "./pixels.ts";
import { looksAt, playEvening, type Game, type Which } from "./scenes.ts";

export function looksWell(game: Game, which: Which): void {
  test(`the screens of ${game}`, async (t) => {
    const evening = await playEvening(game);
    try {
      for (const one of picturesOf(game)) {
        await t.test(`look as in their pictures: ${one.join(" ")}`, () => looksAsBefore(evening, one));
      }
      if (WRITES) return;
      await t.test("are well laid out in each language and size, and axe reports no violations", async () => {
        const said: string[] = [];
        for await (const { page, where, sampled } of looksAt(evening, which)) {
          // The table display is for large screens; on a small one it is drawn smaller.
          const drawnSmaller = page === evening.table && !/, (desk|terminal),/.test(where);
          const letters = drawnSmaller ? [] : await smallLetters(page);
          const faults = [...(await examine(page)), ...letters, ...(sampled ? await violations(page) : [])];
          said.push(...faults.map((fault) => `${where}: ${fault}`));
        }
        assert.ok(!said.length, said.join("\n"));
      });
      assert.deepEqual(evening.floor.problems, []);
    } finally {
      await evening.floor.close();
    }
  });
}
