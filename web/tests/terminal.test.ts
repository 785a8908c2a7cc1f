/** What a terminal and its staff do (rulings 41 to 51): doors, denominations, meters, touches, the dice button. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { Floor } from "./floor.ts";
import { button, drag, lies, middle, spot } from "./hands.ts";

const SLOW = ["timers.bets_s = 600", "timers.result_s = 600"];
let floor: Floor;
let seat: Page;

const chip = (amount: string): Locator => seat.getByRole("radio", { name: amount, exact: true });
const meter = (name: string): Locator => seat.locator(`[data-meter="${name}"] b`);
const dice = (): Locator => seat.locator("button.dice");

async function reads(name: string, amount: string): Promise<void> {
  await seat.locator(`[data-meter="${name}"]`).getByText(amount, { exact: true }).waitFor();
}

async function inserts(cents: number): Promise<void> {
  assert.ok(await floor.devices(1).acceptor.bill(cents));
}

async function opens(game: string, mode: "automated" | "dealer_assisted", settings: readonly string[]): Promise<void> {
  floor = await Floor.open(game, mode, settings);
  seat = await floor.screen("seat 1", "desk");
}

async function signsIn(): Promise<Page> {
  const dealer = await floor.screen("dealer", "desk");
  await floor.signIn(dealer);
  await dealer.reload();
  await dealer.getByText(`Dealing: ${floor.prepared.badge}`).waitFor();
  return dealer;
}

describe("ruling 45: a table with one seat", () => {
  before(() => opens("craps", "automated", ["seats = 1"]));
  after(() => floor.close());

  /** The field is bet, the dice are thrown, and bets open again by themselves. */
  async function plays(throwDice: () => Promise<void>): Promise<void> {
    const rolls = await seat.locator("[aria-label='Last rolls'] li").count();
    await chip("$5").click();
    await spot(seat, "field").click();
    await lies(seat, "Field, $5").waitFor();
    await seat.locator("button.dice[aria-disabled=false]").waitFor(); // the chip shows before the server has answered
    await throwDice();
    await seat.waitForFunction((n) => document.querySelectorAll("[aria-label='Last rolls'] li").length > n, rolls);
    await seat.getByText("Place your bets", { exact: true }).waitFor({ timeout: 30_000 });
    assert.equal(await spot(seat, "field").getAttribute("aria-label"), "Field", "the field is decided by every roll");
  }

  test("ruling_45 is played from credit to cash-out with nobody's help", async () => {
    await inserts(10_000);
    await reads("credit", "$1,100.00"); // it has $1,000 from the start
    await plays(async () => drag(seat, await middle(dice()), [30, 30]));
    await plays(async () => dice().press("Enter"));
    await plays(async () => dice().evaluate((each: HTMLButtonElement) => each.click()));
    const credit = (await meter("credit").textContent())!;
    await button(seat, "Cash out").click();
    await seat.getByRole("dialog", { name: "Take your ticket" }).getByText(credit).waitFor();
    await reads("credit", "$0.00");
    assert.deepEqual(floor.problems, []);
  });

  test("ruling_51 a chip that is dropped on the dice, or another button of the mouse, throws nothing", async () => {
    await seat.keyboard.press("Escape");
    await inserts(10_000);
    await chip("$5").click();
    await spot(seat, "field").click();
    await lies(seat, "Field, $5").waitFor();
    await drag(seat, await middle(chip("$25")), await middle(dice()));
    await dice().click({ button: "right" });
    await spot(seat, "hard.8").click();
    await lies(seat, "Hard 8, $25").waitFor();
    await lies(seat, "Field, $5").waitFor();
  });
});

describe("a table with one seat and a Roll button", () => {
  before(() => opens("craps", "automated", ["seats = 1", "roll_button = true", "timers.result_s = 1"]));
  after(() => floor.close());

  test("Roll closes bets, a tap throws, and bets open again, as often as the player likes", async () => {
    for (const rolls of [1, 2]) {
      await chip("$5").click();
      await spot(seat, "field").click();
      await lies(seat, "Field, $5").waitFor();
      await seat.locator("button.dice[aria-disabled=false]").click();
      await seat.locator(".over.mine").click();
      await seat
        .locator("[aria-label='Last rolls'] li")
        .nth(rolls - 1)
        .waitFor();
      await seat.locator('[data-spot="field"][aria-label="Field"][aria-disabled=false]').waitFor();
    }
    assert.deepEqual(floor.problems, []);
  });
});

describe("with a dealer", () => {
  let dealer: Page;
  before(async () => {
    await opens("craps", "dealer_assisted", SLOW);
    dealer = await signsIn();
  });
  after(() => floor.close());

  test("ruling_41 Credit shows credit and felt, Playable what may be bet", async () => {
    await chip("$10").click();
    await spot(seat, "pass").press("Enter");
    await lies(seat, "Pass Line, $10").waitFor();
    await reads("playable", "$990.00");
    await reads("credit", "$1,000.00");
  });

  test("ruling_51 there are no dice to touch at a seat, and it is told who shoots", async () => {
    await seat.getByText("You are the shooter").waitFor();
    assert.equal(await dice().count(), 0);
  });

  test("ruling_51 the dealer names the shooter while bets are open", async () => {
    await floor.screen("seat 2", "tablet").then(async (two) => {
      await floor.ask(two, { do: "place_bet", seat: 2, spot: "pass", cents: 500 }, "done");
    });
    const card = (n: number) => dealer.getByRole("article", { name: `Seat ${n}` });
    await card(1).getByText("shoots next").waitFor();
    await card(2).getByRole("button", { name: "More" }).click();
    await card(2).getByRole("button", { name: "Name shooter" }).click();
    await card(2).getByText("shoots next").waitFor();
    await seat.getByText("Shooter: seat 2").waitFor();
    await card(3).getByRole("button", { name: "More" }).click();
    await card(3).getByRole("button", { name: "by hand" }).waitFor();
    assert.equal(await card(3).getByRole("button", { name: "Name shooter" }).count(), 0);
  });

  test("ruling_43 a door of the table stops every seat, in the player's language, and staff see which", async () => {
    await floor.doors.door("centre_unit", true);
    await dealer.getByText("The table is locked up · Centre unit").waitFor();
    await seat.getByText("The table is locked because of its doors. All bets stand. An attendant is coming.").waitFor();
    await seat.getByText("Waiting for an attendant").waitFor();
    await button(seat, "Español").click();
    await seat.getByText("La mesa está bloqueada por sus puertas.").first().waitFor();
    await button(seat, "中文").click();
    await seat.getByText("本桌因其门而锁定。").first().waitFor();
    await button(seat, "English").click();
    await spot(seat, "field").click({ force: true });
    await seat.getByRole("alert").getByText("The table is locked because of its doors. Staff must clear it.").waitFor();
  });

  test("ruling_43 the table is cleared once its doors are shut and a key is turned", async () => {
    await floor.doors.door("centre_unit", false);
    await button(dealer, "Clear the table").click();
    await dealer.getByRole("alert").getByText("Turn the key switch first.").waitFor();
    await floor.doors.key(true);
    await button(dealer, "Clear the table").click();
    await dealer.getByText("The table is locked up").waitFor({ state: "detached" });
    await seat.getByText("The table is locked because of its doors.").waitFor({ state: "detached" });
    await spot(seat, "field").click();
    await lies(seat, "Field, $10").waitFor();
  });

  test("ruling_43 a cage that is closed in the wrong order stays locked up and says so", async () => {
    const { doors } = floor.devices(1);
    for (const door of ["cage_main", "cage_security"]) await doors.door(door, true);
    for (const door of ["cage_main", "cage_security"]) await doors.door(door, false);
    await seat.getByText("the cage was closed in the wrong order").waitFor();
    const card = dealer.getByRole("article", { name: "Seat 1" });
    await card.getByText("cage closed in the wrong order").waitFor();
    await card.getByRole("button", { name: "Clear lock-up" }).click();
    await dealer.getByRole("alert").getByText("Open the main door of the cage again").waitFor();
    await doors.door("cage_main", true);
    await doors.door("cage_main", false);
    await doors.key(true);
    await card.getByText("key turned").waitFor();
    await card.getByRole("button", { name: "Clear lock-up" }).click();
    await seat.getByText("This seat is waiting for an attendant").waitFor({ state: "detached" });
  });

  test("nothing went wrong on a screen", () => assert.deepEqual(floor.problems, []));
});

describe("at a table where a touch adds what began the stack", () => {
  before(async () => {
    await opens("roll-to-win", "automated", [...SLOW, "denominations = [1, 25]"]);
  });
  after(() => floor.close());

  test("ruling_47 the player chooses a denomination, and the chips scale, their own too", async () => {
    const own = seat.locator(".rack .own");
    await own.click();
    await own.click();
    const keypad = seat.getByRole("dialog", { name: "Set this chip" });
    for (const key of ["3", "Enter"]) await keypad.getByRole("button", { name: key, exact: true }).click();
    await button(seat, "Options").click();
    const options = seat.getByRole("dialog", { name: "Options" });
    await options.getByRole("radio", { name: "$0.25" }).click();
    await reads("denomination", "$0.25");
    await seat.keyboard.press("Escape");
    const rack = await seat.locator(".rack [role=radio]").evaluateAll((chips) => chips.map((each) => each.ariaLabel));
    assert.deepEqual(rack, ["$25", "$125", "$250", "$625", "$2,500", "$12,500", "$75"]);
  });

  test("ruling_47 not while chips lie on the felt, and it says so", async () => {
    await chip("$25").click();
    await spot(seat, "field").click();
    await lies(seat, "Field, $25").waitFor();
    await button(seat, "Options").click();
    const options = seat.getByRole("dialog", { name: "Options" });
    await options.getByRole("radio", { name: "$0.01" }).click({ force: true });
    await options.getByRole("alert").getByText("Only when you have no bets on the table.").waitFor();
    await seat.keyboard.press("Escape");
    await button(seat, "Undo · 1")
      .or(seat.getByRole("button", { name: /^Undo/ }))
      .first()
      .click();
    await lies(seat, "Field, $25").waitFor({ state: "detached" });
    await button(seat, "Options").click();
    await options.getByRole("radio", { name: "$0.01" }).click();
    await reads("denomination", "$0.01");
    await seat.keyboard.press("Escape");
  });

  test("ruling_50 another touch adds what the stack was begun with, whatever chip is selected", async () => {
    await chip("$5").click();
    await spot(seat, "place.6").click();
    await lies(seat, "Place 6, $6").waitFor();
    await chip("$25").click();
    await spot(seat, "place.6").click();
    await lies(seat, "Place 6, $12").waitFor();
    await spot(seat, "hard.8").click();
    await lies(seat, "Hard 8, $25").waitFor();
  });

  test("ruling_41 Credit falls with each bet", async () => {
    await reads("credit", "$963.00");
    await reads("playable", "$963.00");
  });

  test("ruling_42 Show winnings writes on each stack what it would win", async () => {
    assert.match((await spot(seat, "place.6").getAttribute("aria-label"))!, /^Place 6, \$12, .*wins \$14$/);
    const wins = seat.locator(".chip .amount");
    assert.deepEqual((await wins.allTextContents()).sort(), ["+14", "+225"]); // 7 to 6, and 9 to 1
    await turns("Show winnings");
    await wins.first().waitFor({ state: "detached" });
    await turns("Show winnings");
    await wins.first().waitFor();
  });

  test("ruling_42 Show hints governs the blue marks, the lit spots and what to do next", async () => {
    await turns("Beginner mode");
    await seat.getByRole("note").waitFor();
    await turns("Show hints");
    await seat.getByRole("note").waitFor({ state: "detached" });
    await turns("Beginner mode");
    assert.equal(await seat.locator("[data-spot].shut").count(), 0);
    assert.equal(await seat.locator("[aria-label='Next roll'] .wins").count(), 0);
    await turns("Show hints");
    assert.notEqual(await seat.locator("[data-spot].shut").count(), 0);
    assert.notEqual(await seat.locator("[aria-label='Next roll'] .wins").count(), 0);
  });

  async function turns(option: string): Promise<void> {
    await button(seat, "Options").click();
    await seat.getByRole("dialog", { name: "Options" }).getByRole("switch", { name: option }).click();
    await seat.keyboard.press("Escape");
  }

  test("nothing went wrong on a screen", () => assert.deepEqual(floor.problems, []));
});
