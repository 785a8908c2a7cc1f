/** Each control that a source names is reached in at most two taps: docs/controls.md says how, and is tried here. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { Floor, type Size } from "./floor.ts";
import { ALL, dismiss, resize, speak } from "./scenes.ts";

/** By size, the column of docs/controls.md. */
const COLUMNS = { desk: 3, laptop: 4, tablet: 4, phone: 5, lying: 6 } as const satisfies Partial<Record<Size, number>>;
const TAPS_MAX = 2;

interface Named {
  readonly control: string;
  readonly way: readonly string[];
}

/** The rows of the first table, as they are for one size. */
function listed(size: keyof typeof COLUMNS): readonly Named[] {
  const [, rows = ""] = readFileSync("../docs/controls.md", "utf8").split("|---|---|---|---|---|---|---|\n");
  return rows
    .split("\n\n")[0]!
    .split("\n")
    .map((row) => row.split("|"))
    .map((cells) => ({
      control: cells[2]!.trim(),
      way: [...cells[COLUMNS[size]]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    }));
}

let floor: Floor;
/** One for all sizes. */
let seat: Page | undefined;

before(async () => {
  floor = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600"]);
});
after(() => floor.close());

/** What is called so, whatever is written on it besides: a price, a count. */
function named(page: Page, name: string): Locator {
  const said = new RegExp(`^${name.replace(/[/]/g, "\\/")}($| [+$]|\\s*\\d)`);
  const one = page.getByRole("button", { name: said }).or(page.getByRole("switch", { name: said }));
  return one.filter({ visible: true });
}

/** Out of whatever was opened. */
async function leave(page: Page): Promise<void> {
  await speak(page, "en");
  await dismiss(page);
  const done = page.locator('[data-button="done"]').filter({ visible: true });
  if (await done.count()) await done.click();
  const drawer = page.locator(".fold[aria-expanded=true]");
  if (await drawer.count()) await drawer.click();
}

/** Taps, and waits until the page has answered: something is opened, switched, done or refused. */
async function taps(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  await page.evaluate(() => {
    const answers = new MutationObserver(() => {
      document.body.dataset["answered"] = "yes";
      answers.disconnect();
    });
    delete document.body.dataset["answered"];
    const what = { childList: true, subtree: true, attributes: true, characterData: true };
    answers.observe(document.querySelector("main")!, what);
  });
  // What may not be done now says why. Anything else must be free: what was left may still be on its way out.
  await target.click({ force: (await target.getAttribute("aria-disabled")) === "true" });
  await page.locator("body[data-answered]").waitFor();
}

/** Where they are the hardest to reach; `make looks` tries the others too. */
const TRIED = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((size) => ALL || size === "phone");

for (const size of TRIED) {
  test(`every control that a source names is at most two taps away on a ${size}`, async () => {
    const page = (seat ??= await floor.screen("seat 1", "desk"));
    page.setDefaultTimeout(20_000);
    await resize(page, size);
    const missing: string[] = [];
    const all = listed(size);
    assert.ok(all.length > 25, "the table is read");
    for (const { control, way } of all) {
      assert.ok(way.length > 0 && way.length <= TAPS_MAX, `${control}: ${way.length} taps`);
      const [first, second] = way.map((name) => named(page, name));
      try {
        if (second) {
          await taps(page, first!.first());
          await taps(page, second.last());
          if (control === "Flags") await page.locator("html[lang=es]").waitFor({ state: "attached" }); // its texts are loaded
          await leave(page);
        } else {
          await first!.first().waitFor();
        }
      } catch (problem) {
        missing.push(`${control}: ${way.join(", ")}: ${String(problem)}`);
        await leave(page);
      }
    }
    assert.deepEqual(missing, []);
  });
}

test("beginners have Repeat and Undo alone, and the spots say in plain words what they pay", async () => {
  const page = await floor.screen("seat 3", "desk");
  await named(page, "Options").first().click();
  await page.getByRole("switch", { name: "Beginner mode" }).click();
  await page.keyboard.press("Escape");
  const names = page.locator("nav [data-button]");
  await page.locator('[data-button="double"]').waitFor({ state: "detached" });
  assert.deepEqual(await names.evaluateAll((all) => all.map((each) => each.getAttribute("data-button"))), [
    "repeat",
    "undo",
  ]);
  await page.locator('[data-print="place.6"]').getByText("wins $7 for $6").waitFor();
});

test("nothing went wrong on a screen", () => assert.deepEqual(floor.problems, []));
