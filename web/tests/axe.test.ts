import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { openBrowser } from "./floor.ts";
import { GAMES, looksAt, playEvening, type Which } from "./scenes.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core has against a page, or the pop-up that is open above it, a line for each element. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const options: RunOptions = { resultTypes: ["violations"], iframes: false };
  const run = (how: RunOptions) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    return axe.run(document.querySelector("dialog[open], [role=dialog]") ?? document, how);
  };
  const results: AxeResults = await page.evaluate(run, options);
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 120)}`),
  );
}

test("axe finds a button without a name and grey on grey", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const inside = '<h1>A</h1><button></button><p style="color: #999">Dim</p>';
    await page.setContent(`<html lang="en"><title>t</title><main>${inside}</main>`);
    const said = (await violations(page)).map((one) => one.split(":")[0]).sort();
    assert.deepEqual(said, ["button-name", "color-contrast"]);
  } finally {
    await browser.close();
  }
});

/** What differs between games is the seat's felt; one game shows the rest. */
const ALL: Which = { sizes: ["desk"] };
const FELT: Which = { screens: ["seat"], sizes: ["desk"], popUps: false };

for (const game of GAMES) {
  test(`axe has nothing against any screen: ${game}`, async () => {
    const evening = await playEvening(game);
    try {
      const said: string[] = [];
      for await (const look of looksAt(evening, game === "craps" ? ALL : FELT)) {
        said.push(...(await violations(look.page)).map((one) => `${look.where}: ${one}`));
      }
      assert.ok(!said.length, said.join("\n"));
    } finally {
      await evening.floor.close();
    }
  });
}
