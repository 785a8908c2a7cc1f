/** What a seat writes and draws on its buttons, chips and rolls, so that nobody needs colour or guesswork. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { chipColours } from "../src/felt/chips.ts";
import { examine } from "./geometry.ts";
import { button, dialog, lies } from "./hands.ts";
import { ringCut } from "./ring.ts";
import { resize } from "./scenes.ts";
import { Table } from "./table.ts";

let table: Table;
let seat: Page;

before(async () => {
  table = await Table.open("craps");
  ({ seat } = table);
});
after(() => table.close());

const chip = (name: string): Promise<void> => seat.getByRole("radio", { name, exact: true }).click();
const betMeter = (amount: string): Promise<void> =>
  seat.locator('[data-meter="bet"] b').getByText(amount, { exact: true }).waitFor();
const clears = async (): Promise<void> => {
  await table.floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" }, "done");
  await betMeter("$0.00");
};

test("a stack has the colour of the largest chip in it, and its rim that of the rest", () => {
  const up = [100, 500, 1_000, 2_500, 10_000, 50_000, 100_000].map((cents) => chipColours(cents)[0]);
  assert.deepEqual(up, ["white", "red", "blue", "green", "black", "purple", "orange"]);
  assert.deepEqual(chipColours(600), ["red", "white"]);
  assert.deepEqual(chipColours(3_500), ["green", "blue"]);
  assert.deepEqual(chipColours(2_000), ["blue", "blue"]);
});

test("a chip shows its total and colours up as it grows", async () => {
  const stack = seat.locator(".zone.line .chip");
  for (const [cents, total, colour] of [
    [500, "5", "red"],
    [500, "10", "blue"],
    [1_500, "25", "green"],
    [7_500, "100", "black"],
  ] as const) {
    await table.bet("field", cents);
    await stack
      .and(seat.locator(`.${colour}`))
      .getByText(total, { exact: true })
      .waitFor();
    assert.equal(await stack.count(), 1);
  }
  await clears();
});

test("the question for odds goes from once to the most, each with its win", async () => {
  await table.bet("pass", 500);
  await table.roll([4, 2]);
  const question = dialog(seat, /odds/);
  const choices = question.locator(".choice");
  await choices.first().waitFor();
  const said = (await choices.allTextContents()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  assert.deepEqual(said, [
    "1× $5 wins $6", // 6 to 5
    "2× $10 wins $12",
    "3× $15 wins $18",
    "4× $20 wins $24",
    "5× $25 wins $30",
  ]);
  await seat.keyboard.press("Tab");
  await choices.first().focus();
  assert.equal(await ringCut(seat), "", "the ring around the first choice is whole");
  await question.getByRole("button", { name: "No odds" }).click();
});

test("Across, Inside, Outside, Press, Double and Repeat say their price before, and take just that", async () => {
  await chip("$5");
  const cents = (text: string): number => Math.round(Number(text.replace(/[^\d.]/g, "")) * 100);
  const bet = async (): Promise<number> => cents((await seat.locator('[data-meter="bet"] b').textContent())!);
  for (const name of ["across", "inside", "outside", "press", "double"]) {
    const key = seat.locator(`[data-button="${name}"]`);
    if (name === "press") await table.bet("place.6", 600);
    await seat.locator(`[data-button="${name}"][aria-disabled=false]`).waitFor();
    const price = cents((await key.locator("small").textContent())!);
    assert.ok(price > 0, name);
    const before = await bet();
    await key.click();
    await betMeter(`$${((before + price) / 100).toFixed(2)}`);
    await button(seat, /^Undo/).click();
    await betMeter(`$${(before / 100).toFixed(2)}`);
  }
  await table.roll([4, 2]); // the point is made, and the Place bet wins
  const repeat = seat.locator('[data-button="repeat"][aria-disabled=false]');
  const [price, before] = [cents((await repeat.locator("small").textContent())!), await bet()];
  await repeat.click();
  await betMeter(`$${((before + price) / 100).toFixed(2)}`);
  await clears();
});

test("in the history a made point is round and a seven-out is a filled square, each said in words too", async () => {
  await table.bet("pass", 500);
  await table.roll([2, 3]);
  await dialog(seat).getByRole("button", { name: "No odds" }).click();
  await table.roll([4, 3]);
  const past = (says: string): Locator => seat.getByRole("listitem", { name: says, exact: true }).first().locator("b");
  const shape = (number: Locator): Promise<readonly [boolean, boolean, boolean]> =>
    number.evaluate((one) => {
      const { borderRadius, borderTopWidth, backgroundColor } = getComputedStyle(one);
      const filled = !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor);
      return [borderRadius === "50%", parseFloat(borderTopWidth) >= 2, filled];
    });
  await past("7 seven out").waitFor();
  for (const size of ["desk", "laptop", "tablet"] as const) {
    await resize(seat, size);
    const [round, ringed, filled] = [0, 1, 2];
    const [made, seven, plain] = [
      await shape(past("6 point made")),
      await shape(past("7 seven out")),
      await shape(past("6 point")),
    ];
    assert.ok(made[round] && made[ringed] && !made[filled], `${size}: a made point is a ring`);
    assert.ok(!seven[round] && seven[filled], `${size}: a seven-out is a filled square`);
    assert.ok(!plain[ringed] && !plain[filled], `${size}: another roll has no shape`);
  }
});

test("no panel covers the meters, and nothing in it lies over anything else", async () => {
  for (const size of ["desk", "laptop", "phone"] as const) {
    await resize(seat, size);
    for (const tool of ["Rules", "Options", "Session", "Volume"]) {
      const own = button(seat, tool);
      if (!(await own.count())) await button(seat, "Menu").click();
      await own.last().click();
      await dialog(seat).last().waitFor();
      const covered = await seat.evaluate(() => {
        const panel = [...document.querySelectorAll("dialog[open]")].at(-1)!.getBoundingClientRect();
        return [...document.querySelectorAll("[data-meter]")]
          .filter((meter) => meter.checkVisibility() && meter.getBoundingClientRect().top < panel.bottom)
          .map((meter) => meter.getAttribute("data-meter"));
      });
      assert.deepEqual(covered, [], `${tool} at ${size}`);
      assert.deepEqual(await examine(seat), [], `${tool} at ${size}`);
      await seat.keyboard.press("Escape");
      await dialog(seat).last().waitFor({ state: "detached" });
    }
  }
});

test("a stack that is off is grey, with a tag of 18 px, at every size", async () => {
  await resize(seat, "desk");
  await table.bet("place.8", 600); // which is off on a come-out roll
  await lies(seat, "Place 8, $6, off").waitFor();
  for (const size of ["desk", "terminal", "laptop", "tablet", "slate", "phone", "lying"] as const) {
    await resize(seat, size);
    const tag = seat.locator(".zone.line .chip.grey .tag");
    const { height } = (await tag.boundingBox())!;
    assert.ok(height >= 17.9, `${size}: the tag is ${height} px high`);
    const face = await seat.locator(".zone.line .chip.grey .face").evaluate((one) => getComputedStyle(one).fill);
    const [r, g, b] = face.match(/\d+/g)!.map(Number) as [number, number, number];
    assert.ok(Math.max(r, g, b) - Math.min(r, g, b) < 30, `${size}: ${face} is grey`);
  }
  await resize(seat, "desk");
  await clears();
});
