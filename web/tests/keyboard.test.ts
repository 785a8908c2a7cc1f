/** The screens by keyboard alone: the felt, tabs, radio buttons, dialogs, the pages of the office. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { ahead, type Point } from "../src/felt/arrows.ts";
import { lay, zones, type Zone } from "../src/felt/layout.ts";
import type { SeatView } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { ringCut } from "./ring.ts";
import { ROOMS } from "./rooms.ts";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const DIRECTIONS: readonly Point[] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];

test("an arrow key goes to what lies straight ahead rather than to what is nearer and aside", () => {
  const places: readonly Point[] = [
    [0, 0],
    [30, 25],
    [60, 0],
    [0, 40],
  ];
  assert.equal(ahead([0, 0], places, [1, 0]), 2);
  assert.equal(ahead([0, 0], places, [0, 1]), 3);
  assert.equal(ahead([0, 0], places, [-1, 0]), -1);
});

/** The spots that arrow keys reach from the first, or from which they reach the first. */
function reached({ spots }: Zone, backwards: boolean): string[] {
  const places = spots.map(({ chip }) => chip);
  const steps = spots.flatMap((_, from) =>
    DIRECTIONS.map((direction) => [from, ahead(places[from]!, places, direction)] as const),
  );
  const found = new Set([0]);
  for (const at of found) {
    for (const [from, to] of steps) {
      if (to >= 0 && at === (backwards ? to : from)) found.add(backwards ? from : to);
    }
  }
  return [...found].map((n) => spots[n]!.id).sort();
}

test("arrow keys lead from every spot of a felt to every other, in every game and shape", () => {
  const views = JSON.parse(execFileSync(PYTHON, ["tests/views.py"], { maxBuffer: 1 << 26 }).toString()) as SeatView[];
  for (const view of views) {
    for (const [screen, [shape, rooms]] of Object.entries(ROOMS)) {
      for (const zone of zones(lay(view.shared.felt, shape, rooms))) {
        if (!zone.spots.length) continue;
        const all = zone.spots.map(({ id }) => id).sort();
        for (const backwards of [false, true]) {
          assert.deepEqual(reached(zone, backwards), all, `${view.shared.title}, ${screen}, ${zone.name}`);
        }
      }
    }
  }
});

/** What has the focus: a spot, else what it is called. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.getAttribute("data-spot") ?? at?.getAttribute("aria-label") ?? at?.textContent?.trim() ?? "";
  });

async function presses(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe("in the browser", () => {
  let floor: Floor;
  let seat: Page;
  before(async () => {
    floor = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600", "denominations = [1, 25]"]);
    seat = await floor.screen("seat 1", "desk");
    await seat.locator("[data-spot]").first().waitFor();
  });
  after(() => floor.close());

  const spot = (id: string) => seat.locator(`[data-spot="${id}"]`);

  test("all spots are one tab stop, which stays where the focus was last", async () => {
    const stops = () =>
      seat.locator("[data-spot][tabindex='0']").evaluateAll((all) => all.map((one) => one.getAttribute("data-spot")));
    assert.equal((await stops()).length, 1);
    await spot("field").focus();
    assert.deepEqual(await stops(), ["field"]);
    await presses(seat, "Tab");
    assert.equal(await seat.evaluate(() => document.activeElement?.hasAttribute("data-spot")), false);
    await presses(seat, "Shift+Tab");
    assert.equal(await focused(seat), "field");
  });

  test("arrow keys go from spot to spot, from panel to panel, and Enter bets", async () => {
    const place = () => seat.evaluate(() => document.activeElement!.getBoundingClientRect().toJSON() as DOMRect);
    await spot("place.5").focus();
    const from = await place();
    await presses(seat, "ArrowRight");
    assert.ok((await place()).x > from.x);
    await presses(seat, "ArrowLeft");
    assert.equal(await focused(seat), "place.5");
    await presses(seat, "ArrowDown");
    assert.ok((await place()).y > from.y);
    const zoneOf = () => seat.evaluate(() => document.activeElement?.closest(".zone")?.className.split(" ")[1]);
    for (let n = 0; n < 20 && (await zoneOf()) === "line"; n += 1) await presses(seat, "ArrowRight");
    assert.notEqual(await zoneOf(), "line", "the panels at the right follow the felt");
    await spot("field").focus();
    await presses(seat, "Enter");
    await seat.locator('[data-spot="field"][aria-label^="Field, $5"]').waitFor();
  });

  test("a spot that takes no bet now says so before it is touched", async () => {
    await spot("come").and(seat.locator("[aria-disabled=true]")).waitFor();
    await spot("field").and(seat.locator("[aria-disabled=false]")).waitFor();
  });

  test("a tab stop that goes with its panel leaves another one", async () => {
    await seat.getByRole("tab", { name: /Hops/ }).click();
    await seat.locator('[data-spot^="hop."]').first().focus();
    await seat.getByRole("tab", { name: /Special/ }).click();
    await seat.waitForFunction(() => document.querySelectorAll("[data-spot][tabindex='0']").length === 1);
  });

  test("tabs and chips are chosen by arrow keys, and are a tab stop each", async () => {
    const chosen = seat.locator("[role=tab][aria-selected=true]");
    await chosen.focus();
    const before = await focused(seat);
    await presses(seat, "ArrowRight");
    assert.notEqual(await focused(seat), before);
    assert.equal(await chosen.evaluate((one) => one === document.activeElement), true);
    assert.equal(await seat.locator("[role=tab][tabindex='0']").count(), 1);
    const panel = await chosen.getAttribute("aria-controls");
    assert.equal(
      await seat.locator(`#${panel}[role=tabpanel]`).getAttribute("aria-labelledby"),
      await chosen.getAttribute("id"),
    );
    const chip = seat.locator(".rack [aria-checked=true]");
    await chip.focus();
    await presses(seat, "Home", "ArrowRight", "ArrowRight");
    assert.equal(await chip.getAttribute("aria-label"), "$10");
    assert.equal(await focused(seat), "$10");
    await presses(seat, "ArrowLeft", "End");
    assert.equal(await seat.locator(".rack .own").getAttribute("aria-checked"), "true");
    assert.equal(await seat.getByRole("dialog").count(), 0, "the last chip is chosen, and not set");
    assert.equal(await seat.locator(".rack [tabindex='0']").count(), 1);
  });

  test("a dialog keeps the focus, Escape closes the topmost alone, and the focus goes back", async () => {
    await seat.getByRole("button", { name: "Session", exact: true }).focus();
    await presses(seat, "Enter");
    const dialog = seat.getByRole("dialog", { name: "Your session" });
    await dialog.waitFor();
    for (let n = 0; n < 40; n += 1) {
      await presses(seat, "Tab");
      const inside = await seat.evaluate(
        () => document.activeElement === document.body || !!document.activeElement?.closest("dialog"),
      );
      assert.ok(inside, `after ${n + 1} tabs the focus is on ${await focused(seat)}`);
    }
    await presses(seat, "Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(seat), "Session");
  });

  /** Goes through the dialog that is open by Tab, and says which rings are cut. */
  async function ringsCut(stops: number): Promise<string[]> {
    const cut: string[] = [];
    for (let n = 0; n < stops; n += 1) {
      await presses(seat, "Tab");
      cut.push(await ringCut(seat));
    }
    return cut.filter(Boolean);
  }

  test("the ring around the focus is whole: at the name and its keys, and in the options", async () => {
    await seat.getByRole("button", { name: "Session", exact: true }).press("Enter");
    await seat.getByRole("dialog").getByRole("button", { name: "Your name" }).press("Enter");
    const name = seat.getByRole("dialog", { name: "Your name" });
    await name.getByRole("textbox").focus();
    assert.equal(await ringCut(seat), "");
    assert.deepEqual(await ringsCut(34), []);
    await presses(seat, "Escape");
    await seat.getByRole("button", { name: "Options", exact: true }).press("Enter");
    assert.deepEqual(await ringsCut(14), []);
    await presses(seat, "Escape");
    assert.deepEqual(await ringsCut(30), [], "and on the page");
  });

  test("the keys of a name stand as on a keyboard, in three rows", async () => {
    await seat.getByRole("button", { name: "Session", exact: true }).press("Enter");
    await seat.getByRole("dialog").getByRole("button", { name: "Your name" }).press("Enter");
    const keys = seat.getByRole("dialog", { name: "Your name" }).locator("form div button");
    await keys.first().waitFor();
    const placed = await keys.evaluateAll((all) =>
      all.map((key) => [Math.round(key.getBoundingClientRect().top), key.textContent!.trim()] as const),
    );
    const tops = [...new Set(placed.map(([top]) => top))];
    const rows = tops.map((row) => placed.filter(([top]) => top === row).map(([, letter]) => letter));
    assert.deepEqual(
      rows.map((row) => row.join("")),
      ["QWERTYUIOP", "ASDFGHJKL'", "ZXCVBNM-␣⌫"],
    );
    await presses(seat, "Escape");
  });

  test("a tap beside a dialog closes it", async () => {
    await seat.getByRole("button", { name: "Session", exact: true }).click();
    await seat.getByRole("dialog").waitFor();
    await seat.mouse.click(5, 300);
    await seat.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("what hard and easy ways would win is told by more than a tooltip", async () => {
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "hard.8", cents: 500 }, "done");
    const eight = seat.getByRole("list", { name: "Next roll" }).getByRole("listitem").filter({ hasText: /^8/ });
    await eight.getByText("hard").first().waitFor({ state: "attached" });
    const texts = (await eight.locator("i").allTextContents()).map((text) => text.replaceAll(/\s+/g, " ").trim());
    assert.ok(
      texts.some((text) => /^hhard ▲/.test(text)),
      texts.join("; "),
    );
    assert.ok(
      texts.some((text) => /^eeasy ▼/.test(text)),
      texts.join("; "),
    );
  });

  test("who opens a page of the office is led to it, and its tabs wait for Enter", async () => {
    const office = await floor.screen("office", "desk");
    await floor.signIn(office);
    await office.reload();
    const inMain = () => office.waitForFunction(() => document.activeElement?.localName === "main");
    await office.getByRole("link", { name: "Tickets" }).press("Enter");
    await inMain();
    await office.getByRole("link", { name: "Tables" }).press("Enter");
    await inMain();
    await office.getByRole("button", { name: "Open", exact: true }).press("Enter");
    await inMain();
    await office.getByRole("tab", { name: "Seats" }).press("ArrowRight");
    assert.equal(await focused(office), "Accounts");
    assert.equal(await office.getByRole("tab", { name: "Seats" }).getAttribute("aria-selected"), "true");
    await presses(office, "Enter");
    await office.locator("#part[aria-labelledby=tab-accounts]").waitFor();
    assert.equal(await focused(office), "Accounts");
  });

  test("no screen had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});
