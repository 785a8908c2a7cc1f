/** How a seat behaves: refusals, questions, holding, languages, dice, a lost connection. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { Floor } from "./floor.ts";
import { button, drag, holdFor, lies, middle, settle, spot } from "./hands.ts";

const HOLD_MS = 3000;

let floor: Floor;
let seat: Page;

describe("at a table with a dealer", () => {
  let dealer: Page;

  before(async () => {
    floor = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600"]);
    seat = await floor.screen("seat 1", "desk");
    dealer = await floor.screen("dealer", "desk");
    await floor.signIn(dealer);
  });
  after(() => floor.close());

  test("pays are printed on every spot", async () => {
    await seat.waitForFunction(() => document.querySelector("[data-print='place.9']")?.textContent?.includes("7:5"));
    const bare = await seat
      .locator("[data-print]")
      .evaluateAll((spots) =>
        spots
          .filter((each) => !/\d+:\d+|\d+ for 1/.test(each.textContent ?? ""))
          .map((each) => each.getAttribute("data-print")),
      );
    assert.equal(await seat.locator("[data-print]").count(), await seat.locator("[data-spot]").count());
    assert.deepEqual(bare, []);
  });

  test("a large screen of four to three, and a wide one that is low, have the letters of the layout that they get", async () => {
    const letters = async (width: number, height: number): Promise<string> => {
      await seat.setViewportSize({ width, height });
      await settle(seat);
      return seat.locator('[data-button="repeat"]').evaluate((one) => getComputedStyle(one).fontSize);
    };
    const [compact, large] = [await letters(1180, 820), await letters(1920, 1080)];
    assert.notEqual(compact, large);
    assert.equal(await letters(1600, 900), compact);
    assert.equal(await letters(1600, 1200), large);
    await letters(1920, 1080);
  });

  test("a dim spot says why", async () => {
    await spot(seat, "come").click({ force: true });
    await seat.getByRole("alert").getByText("Only after a point was set, until the seven-out.").waitFor();
  });

  test("a spot that is held explains itself, and is not bet", async () => {
    await seat.mouse.move(...(await middle(spot(seat, "field"))));
    await seat.mouse.down();
    const card = seat.getByRole("dialog", { name: "Field" });
    await card.waitFor();
    await seat.mouse.up();
    assert.match((await card.textContent())!, /5\.56%/);
    await card.getByRole("button", { name: "Close" }).click();
    assert.equal(await spot(seat, "field").getAttribute("aria-label"), "Field");
  });

  test("Explain outlines the spots, then a touch explains", async () => {
    await button(seat, "Explain").click();
    assert.equal(await seat.locator("[data-spot].asking").count(), await seat.locator("[data-spot]").count());
    await spot(seat, "hard.8").click();
    await seat.getByRole("dialog", { name: "Hard 8" }).getByText("9 to 1").waitFor();
    await seat.keyboard.press("Escape");
    await button(seat, "Explain").click();
    assert.equal(await seat.locator("[data-spot].asking").count(), 0);
  });

  test("the rules are those of the game, and say that the swipe is for the eye", async () => {
    await button(seat, "Rules").click();
    const rules = seat.getByRole("dialog", { name: "Rules of Craps" });
    await rules.getByText("It never changes the result").waitFor();
    await rules
      .getByRole("row", { name: /^Lay 4 / })
      .getByText("1 to 2")
      .waitFor();
    await seat.keyboard.press("Escape");
  });

  test("a commission is asked for, and declining it places nothing", async () => {
    await spot(seat, "buy.4").click();
    const question = seat.getByRole("dialog", { name: "Pay a commission of" });
    await question.getByRole("button", { name: "Do not bet" }).click();
    await question.waitFor({ state: "detached" });
    await seat.waitForFunction(() => !document.querySelector(".pending"));
    assert.equal(await spot(seat, "buy.4").getAttribute("aria-label"), "Buy 4");
  });

  test("the settable chip is set by its keypad, and taking down is a mode", async () => {
    const own = seat.locator(".rack .own");
    await own.click();
    await own.click();
    const keypad = seat.getByRole("dialog", { name: "Set this chip" });
    for (const key of ["1", "5", "Enter"]) await keypad.getByRole("button", { name: key, exact: true }).click();
    await spot(seat, "hard.8").click();
    await lies(seat, "Hard 8, $15").waitFor();
    await button(seat, "Take down").click();
    await spot(seat, "hard.8").click();
    await lies(seat, "Hard 8, $15").waitFor({ state: "detached" });
    await button(seat, "Done").click();
  });

  test("a change of language keeps the bets", async () => {
    await seat.getByRole("radio", { name: "$10", exact: true }).click();
    await spot(seat, "pass").press("Enter");
    await lies(seat, "Pass Line, $10").waitFor();
    await button(seat, "Español").click();
    await lies(seat, "Línea de pase, ").waitFor();
    await button(seat, "中文").click();
    await seat.waitForFunction(() => document.documentElement.lang === "zh");
    assert.match((await spot(seat, "pass").getAttribute("aria-label"))!, /10/);
    await button(seat, "English").click();
    await lies(seat, "Pass Line, $10").waitFor();
  });

  test("a late bet is visibly refused", async () => {
    await floor.ask(dealer, { do: "close_bets" }, "done");
    await seat.getByText("No more bets", { exact: true }).waitFor();
    await spot(seat, "field").click({ force: true });
    await seat.getByRole("alert").waitFor();
    assert.ok(await spot(seat, "field").evaluate((each) => each.classList.contains("refused")));
    assert.equal(await spot(seat, "field").getAttribute("aria-label"), "Field");
  });

  test("a call is captioned", async () => {
    await floor.ask(dealer, { do: "enter_dice", dice: [2, 2] }, "done");
    await floor.ask(dealer, { do: "confirm_dice" }, "done");
    await seat.locator("header").getByText("Four, the hard way!").waitFor();
    await floor.ask(dealer, { do: "open_bets" }, "done");
    await seat.getByRole("dialog", { name: "How much odds do you want on 4?" }).waitFor();
    await seat.keyboard.press("Escape");
  });

  test("a locked chip is marked, refuses to leave and goes back", async () => {
    await lies(seat, "Pass Line, $10, locked").waitFor();
    const at = await seat.locator(".lock").evaluate((mark) => {
      const { x, y } = mark.closest(".chip")!.getBoundingClientRect();
      return [x + 24, y + 24] as [number, number];
    });
    await drag(seat, at, [10, 400]);
    await seat.getByRole("alert").getByText("Locked until it wins or loses.").waitFor();
    await seat.locator(".ghost").waitFor({ state: "detached" });
    await lies(seat, "Pass Line, $10, locked").waitFor();
  });

  test("repeat, held for three seconds and confirmed, repeats every round", async () => {
    await holdFor(seat, await middle(seat.locator('[data-button="repeat"]')), HOLD_MS);
    await seat
      .getByRole("dialog", { name: "Repeat these bets every round?" })
      .getByRole("button", { name: "Yes" })
      .click();
    const repeats = seat.locator('[data-button="auto_repeat"][aria-pressed="true"]');
    await repeats.waitFor();
    await repeats.click();
    await repeats.waitFor({ state: "detached" });
  });

  test("a touch of the meters changes them to credits", async () => {
    const credit = seat.locator('[data-meter="credit"] b');
    await credit.getByText("$1,000.00").waitFor();
    await credit.click();
    await credit.getByText("100,000", { exact: true }).waitFor();
    await credit.click();
  });

  test("after the server was killed and started again, the seat is back with its bets", async () => {
    await floor.kill();
    await seat.getByText("The connection is lost.").waitFor();
    floor.problems.length = 0;
    await floor.serve();
    await seat.getByText("The connection is lost.").waitFor({ state: "detached" });
    await lies(seat, "Pass Line, $10").waitFor();
    // Not there yet, or not ready yet: that is what coming back is for.
    const others = floor.problems.filter((said) => !/ERR_CONNECTION_REFUSED|code: 503/.test(said));
    floor.problems.splice(0, Infinity, ...others);
  });

  test("no screen had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});

describe("at an automated table", () => {
  before(async () => {
    const timers = ["timers.bets_s = 5", "timers.shooter_s = 60", "timers.result_s = 3"];
    floor = await Floor.open("roll-to-win", "automated", [...timers, "power_odds.one_in = 1"]);
    seat = await floor.screen("seat 1", "desk", "no-preference");
  });
  after(() => floor.close());

  test("the shooter is told so and throws by a touch, and better pays show on the spots before", async () => {
    await spot(seat, "pass").press("Enter");
    await lies(seat, "Pass Line, $5").waitFor();
    await seat.locator(".dice.main").waitFor({ timeout: 10_000 });
    await seat.locator("header").getByText("SHOOTER").waitFor();
    await seat.locator("[data-print] .power").first().waitFor(); // pays are printed once the placard has come
    await seat.locator(".dice.main").click();
    await seat.locator(".result").waitFor();
  });

  test("the dice land on what was rolled", async () => {
    const total = Number((await seat.locator(".result strong").textContent())!.match(/\d+/)![0]);
    const shown = (await seat.locator(".result [role=img]").getAttribute("aria-label"))!;
    assert.equal(
      shown
        .split("-")
        .map(Number)
        .reduce((sum, die) => sum + die),
      total,
    );
    assert.match(
      (await seat.locator("ol li[aria-label]").first().getAttribute("aria-label"))!,
      new RegExp(`^${total}\\b`),
    );
  });

  test("who wishes less motion is shown none", async () => {
    const still = await floor.screen("seat 2", "desk", "reduce");
    await seat.locator('[data-spot="field"][aria-disabled=false]').waitFor(); // bets are open again
    // Whatever the dice did, this seat shoots: it has its line bet still, or may have one again. Past the screen, where the
    // new point may raise a question.
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "pass", cents: 500 });
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 500 }, "done");
    await seat.locator(".dice.main").click({ timeout: 30_000 });
    await still.locator(".result").waitFor();
    const moving = await still.evaluate(() => {
      // How much time is left is told, not shown for the eye: that bar moves all the same.
      const targets = document.getAnimations().map((each) => (each.effect as KeyframeEffect).target!);
      return targets.filter((target) => !target.closest("header")).map((target) => target.className);
    });
    assert.deepEqual(moving, []);
  });

  test("no screen had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});
