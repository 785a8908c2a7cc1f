/** A one-roll bet and a side game with memory that no file of the program and of its screens knows (`tests/planted`):
 * they are drawn, touched, explained and paid as all others are. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { PLANTED } from "./floor.ts";
import { LANGUAGES, lights, Table } from "./table.ts";

const BETS = ["pass", "field", "place", "seven", "c", "e", "horn", "hi_lo"];
const SETTINGS = [`bets = ${JSON.stringify(BETS)}`, "hard_road.on = true"];

describe("a table with planted bets", () => {
  let table: Table;
  let display: Page;
  const print = (id: string, page = table.seat): Locator => page.locator(`[data-print="${id}"]`);
  const says = (where: Locator, text: string): Promise<void> => where.getByText(text, { exact: true }).waitFor();
  const reads = (meter: "credit" | "win", amount: string): Promise<void> =>
    says(table.seat.locator(`[data-meter="${meter}"]`), amount);
  const lies = (said: string): Promise<void> => table.seat.locator(`[data-spot][aria-label^="${said}"]`).waitFor();

  before(async () => {
    table = await Table.open("craps", SETTINGS, PLANTED);
    display = await table.floor.screen("table", "desk");
  });
  after(() => table.close());

  test("the bet is drawn with its name and its price", async () => {
    for (const page of [table.seat, display]) {
      await says(print("hi_lo", page), "HI-LO");
      await says(print("hi_lo", page), "15:1");
    }
  });

  test("the side game is a row with its name, what it waits for and the most that it pays; a tap opens its ladder", async () => {
    await says(table.seat.locator(".sides svg > text"), "HARD ROAD");
    const totals = table.seat.locator('[data-lammer^="hard_road "]');
    assert.deepEqual(await totals.allTextContents(), ["4", "6", "8", "10"]);
    await says(print("hard_road"), "up to 50:1");
    await table.seat.locator('[data-game="hard_road"]').click();
    const ladder = table.seat.getByRole("dialog", { name: "HARD ROAD" });
    for (const pays of ["2:1", "8:1", "50:1"]) await says(ladder, pays);
    await table.seat.keyboard.press("Escape");
    await ladder.waitFor({ state: "detached" });
  });

  test("both say in help and rules how they play, in every language", async () => {
    const card = await table.help("hi_lo");
    assert.deepEqual([card["Pays"], card["Wins on"]], ["15 to 1", "2, 12"]);
    assert.equal((await table.help("hard_road"))["Pays"], "2: 2 to 1 · 3: 8 to 1 · 4: 50 to 1");
    for (const language of [...LANGUAGES].reverse()) {
      await table.speak(language);
      const { names } = await table.rules(language);
      for (const name of ["Hi-Lo", "Hard Road"]) assert.ok(names.join(", ").includes(name), `${language}: ${names}`);
    }
  });

  test("both are touched, and chips lie there", async () => {
    for (const spot of ["hi_lo", "hard_road"]) await table.seat.locator(`[data-spot="${spot}"]`).click();
    await lies("Hi-Lo, $5");
    await lies("Hard Road, $5");
    await reads("credit", "$1,000.00"); // with what lies (ruling 41)
    for (const spot of ["hi_lo", "hard_road"])
      await display.locator(`[data-spot="${spot}"][aria-label$="$5"]`).waitFor();
  });

  test("the table display shows the side game that is bet on, with its ladder", async () => {
    await says(display.locator(".sides svg > text"), "HARD ROAD");
    for (const pays of ["2:1", "8:1", "50:1"]) await says(display.locator(".sides"), pays);
  });

  test("the bet is settled: $5 on Hi-Lo wins $75 with a 2, and loses with a 4", async () => {
    await table.roll([1, 1]);
    await reads("win", "$75.00");
    await reads("credit", "$1,075.00");
    await table.bet("hi_lo", 500); // a winner has come down
    await lies("Hi-Lo, $5");
    await table.roll([2, 2]);
    await reads("credit", "$1,070.00");
  });

  test("the side game remembers: two hard ways before a 7 pay 2 to 1", async () => {
    for (const page of [table.seat, display]) await lights(page, "hard_road", [4]);
    await table.roll([3, 3], [4, 2]);
    for (const page of [table.seat, display]) await lights(page, "hard_road", [4, 6]);
    await table.roll([3, 4]);
    await reads("credit", "$1,080.00");
    for (const page of [table.seat, display]) await lights(page, "hard_road", []);
  });
});
