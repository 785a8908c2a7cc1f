/** What the header of a seat says, and the plaques over its felt. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { Request } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { examine } from "./geometry.ts";
import { picture, spot } from "./hands.ts";
import { resize } from "./scenes.ts";

describe("the banner of a seat", () => {
  let floor: Floor;
  let dealer: Page;
  let seat: Page;
  const says = (tone: string, text: string) =>
    seat.locator(`header .${tone} [role=status]`, { hasText: text }).waitFor();
  const deal = (request: Request) => floor.ask(dealer, request, "done");
  /** How high the letters of a plaque are. */
  const letters = () =>
    seat.locator(".table [role=status] p").evaluate((p) => parseFloat(getComputedStyle(p).fontSize));

  before(async () => {
    const settings = ["timers.bets_s = 600", "power_odds.one_in = 1", "table_min_cents = 1000"];
    floor = await Floor.open("roll-to-win", "dealer_assisted", settings);
    dealer = await floor.screen("dealer", "desk");
    seat = await floor.screen("seat 1", "desk");
    seat.setDefaultTimeout(20_000);
    await floor.signIn(dealer);
  });
  after(async () => {
    await floor.close();
    assert.deepEqual(floor.problems, []);
  });

  test("says what the roll is about and that bets are open, once, in letters of 32 px", async () => {
    await says("open", "Come-out roll Place your bets");
    assert.equal(await seat.getByText(/place your bets/i).count(), 1);
    const px = await seat.locator("header [role=status]").evaluate((p) => parseFloat(getComputedStyle(p).fontSize));
    assert.ok(px >= 32, `${px} px`);
    const colours = await seat.locator("header .open").evaluate((banner) => getComputedStyle(banner).backgroundColor);
    assert.ok(colours !== "rgba(0, 0, 0, 0)");
  });

  test("bets that are not valid yet are told across the history", async () => {
    await spot(seat, "pass").press("Enter"); // $5 of the $10 that the table wants
    const across = seat.getByRole("alert").getByText("Bets are not valid yet!");
    await across.waitFor();
    await says("open", "Place your bets");
    const [told, history] = [
      (await across.boundingBox())!,
      (await seat.getByRole("list", { name: "Last rolls" }).boundingBox())!,
    ];
    assert.ok(told.x <= history.x + 1 && told.x + told.width >= history.x + history.width - 1);
    assert.deepEqual(await examine(seat), []);
    await spot(seat, "pass").press("Enter");
    await across.waitFor({ state: "detached" });
  });

  test("says when bets are closed, and a plaque that Power Odds are on", async () => {
    await deal({ do: "close_bets" });
    await says("closed", "No more bets");
    await seat.locator(".table [role=status]").getByText("Power Odds").waitFor();
    assert.ok((await letters()) >= 40);
  });

  test("no roll is a plaque with its reason", async () => {
    await deal({ do: "call_no_roll", reason: "cocked" });
    await seat.locator(".table [role=status]").getByText("No roll: cocked. All bets stand.").waitFor();
    await picture(seat, "banner-no-roll");
  });

  test("a pause and a reserved seat are told at arm's length, and the header does not ask for bets", async () => {
    await deal({ do: "pause_table" });
    await says("waits", "The table is paused");
    await seat.locator(".table [role=status]").getByText("One moment, please.").waitFor();
    await deal({ do: "resume_table" });
    await floor.ask(seat, { do: "reserve_seat", seat: 1 }, "done");
    await says("waits", "This seat is reserved");
    await seat.getByText("Reserved until").waitFor();
    assert.ok((await letters()) >= 48, "large letters");
    for (const size of ["desk", "laptop", "phone", "lying"] as const) {
      await resize(seat, size);
      assert.deepEqual(await examine(seat), [], size);
    }
    await resize(seat, "desk");
    await picture(seat, "banner-reserved");
    for (const name of ["Session", "Options"]) {
      const tool = seat.getByRole("button", { name, exact: true });
      assert.equal(await tool.getAttribute("aria-disabled"), "true");
      await tool.click({ force: true }); // it is dim, and says why
      await seat.getByRole("alert").getByText("This seat is reserved.").waitFor();
      assert.equal(await seat.getByRole("dialog").count(), 0, `${name} is its player's own`);
    }
    await seat.getByRole("button", { name: "Rules", exact: true }).click();
    await seat.getByRole("dialog").waitFor();
    await seat.keyboard.press("Escape");
    await seat.getByRole("button", { name: "I am back" }).click();
    await seat.getByText("Reserved until").waitFor({ state: "detached" });
    await seat.getByRole("button", { name: "Session", exact: true }).click();
    await seat.getByRole("dialog").waitFor();
  });
});

/** How often a screen shows each of these sentences. */
async function counts(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    const shown = page.getByText(text, { exact: true }).filter({ visible: true });
    assert.equal(await shown.count(), 1, `"${text}" is said once`);
  }
}

describe("a table where players roll", () => {
  const PACE = ["timers.bets_s = 30", "timers.shooter_s = 600", "roll_button = true"];
  let floor: Floor;
  let seat: Page;
  let other: Page;
  const says = (tone: string, text: string) =>
    seat.locator(`header .${tone} [role=status]`, { hasText: text }).waitFor();

  before(async () => {
    floor = await Floor.openWithoutMoney("craps", "automated", PACE);
    seat = await floor.screen("seat 1", "phone");
    other = await floor.screen("seat 2", "desk");
    for (const page of [seat, other]) page.setDefaultTimeout(40_000);
  });
  after(async () => {
    await floor.close();
    assert.deepEqual(floor.problems, []);
  });

  test("without money, the way to it stands in place of the dice, also on a phone", async () => {
    await says("waits", "Put in money to play");
    for (const page of [seat, other]) {
      await page.locator("footer").getByRole("button", { name: "Add money" }).click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await counts(page, "Add money", "Put in money to play");
    }
    assert.deepEqual(await examine(seat), []);
    await picture(seat, "banner-no-money");
    for (const n of [1, 2]) await floor.devices(n).acceptor.stacks(10_000);
    await says("open", "Place your bets");
    await seat.locator("footer .dice").getByText("The table rolls").waitFor();
  });

  test("who has pressed Roll is told that the others have not", async () => {
    await floor.ask(other, { do: "place_bet", seat: 2, spot: "dont_pass", cents: 500 }, "done");
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "pass", cents: 500 }, "done");
    await seat.locator("footer .dice").click();
    await seat.locator("footer .dice").getByText("Waiting for the others").waitFor();
    await counts(seat, "Place your bets", "Waiting for the others");
    await picture(seat, "banner-ready");
  });

  test("in the last five seconds the banner hurries, and says so once", async () => {
    await says("hurry", "Hurry up");
    assert.equal(await seat.getByText(/place your bets/i).count(), 0);
  });

  test("the throw is said once in the banner, and how once in the middle", async () => {
    await says("shoot", "Your roll");
    await seat.locator(".over.mine").waitFor();
    await counts(seat, "Your roll", "Swipe or tap to roll", "You are the shooter");
    assert.deepEqual(await examine(seat), []);
    await picture(seat, "banner-throw");
  });
});

describe("a table with one seat", () => {
  test("says the point and that bets are open, though its player may throw", async () => {
    const floor = await Floor.open("craps", "automated", ["seats = 1", "timers.bets_s = 600"]);
    const seat = await floor.screen("seat 1", "desk");
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "pass", cents: 500 }, "done");
    await seat.locator("footer .dice").getByText("Swipe or tap to roll").waitFor();
    await seat.locator("header .open [role=status]", { hasText: "Come-out roll Place your bets" }).waitFor();
    await counts(seat, "Place your bets", "Swipe or tap to roll");
    await floor.close();
    assert.deepEqual(floor.problems, []);
  });
});
