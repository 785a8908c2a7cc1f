/** A newcomer's evening at three seats, through the screens alone; the dealer's dice are entered beside them. */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import type { Dice, Request } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { button, dialog, drag, lies, middle, spot, story } from "./hands.ts";

let floor: Floor;
let dealer: Page;
/** The desk, the tablet and the phone. */
let one: Page;
let two: Page;
let three: Page;

/** One story: money and bets go from step to step, past a killed server, as in an evening. */
const step = story("an evening at three seats");

before(async () => {
  floor = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600"]);
  [one, two, three] = [
    await floor.screen("seat 1", "desk"),
    await floor.screen("seat 2", "tablet"),
    await floor.screen("seat 3", "phone"),
  ];
  dealer = await floor.screen("dealer", "desk");
  await floor.signIn(dealer);
});
after(async () => {
  await floor.close();
});

async function meter(seat: Page, name: string, amount: string): Promise<void> {
  const shown = seat.locator(`[data-meter="${name}"] b`).getByText(amount, { exact: true });
  await shown.waitFor({ timeout: 5000 }).catch(async () => {
    throw new Error(`${name} is ${await seat.locator(`[data-meter="${name}"] b`).textContent()}, not ${amount}`);
  });
}

async function deal(...requests: readonly Request[]): Promise<void> {
  for (const request of requests) await floor.ask(dealer, request, "done");
}

/** Closes bets, enters the dice, and leaves the result on the screens. */
function roll(...dice: Dice): Promise<void> {
  return deal({ do: "close_bets" }, { do: "enter_dice", dice }, { do: "confirm_dice" });
}

step("bills go into the acceptor of the demonstration, which says that it is one", async () => {
  await button(one, "Insert money").click();
  const acceptor = dialog(one, "Insert money");
  await acceptor.getByText("DEMO", { exact: false }).waitFor();
  await acceptor.getByRole("button", { name: "$20" }).click();
  await meter(one, "credit", "$1,020.00");
  await acceptor.getByRole("button", { name: "Done" }).click();
});

step("a first-timer on a phone sees a few bets, and is told what to do", async () => {
  await button(three, "Menu").click();
  await button(three, "Options").click();
  await three.getByRole("switch", { name: "Beginner mode" }).click();
  await three.keyboard.press("Escape");
  await three.getByRole("note").getByText("Tap the Pass Line").waitFor();
  const shown = await three
    .locator("[data-spot]")
    .evaluateAll((found) => found.map((each) => each.getAttribute("data-spot")));
  const easy = ["field", "pass", "pass.odds", ...[10, 4, 5, 6, 8, 9].map((number) => `place.${number}`)];
  assert.deepEqual(shown.sort(), easy.sort());
  await spot(three, "pass").click();
  await lies(three, "Pass Line, $5").waitFor();
  await three.getByRole("note").getByText("The come-out roll is next").waitFor();
});

step("a tap bets the chip that is held, a drop bets the chip that was carried, and undo takes it back", async () => {
  await one.getByRole("radio", { name: "$10", exact: true }).click();
  await spot(one, "pass").press("Enter");
  await lies(one, "Pass Line, $10").waitFor();
  await drag(
    one,
    await middle(one.getByRole("radio", { name: "$25", exact: true })),
    await middle(spot(one, "place.9")),
  );
  await lies(one, "Place 9, $25").waitFor();
  await one.locator('[data-button="undo"]').getByText("2", { exact: true }).waitFor();
  await one.locator('[data-button="undo"]').click();
  await one.locator('[aria-label^="Place 9, "]').waitFor({ state: "detached" });
});

step("a special game is bet in its panel", async () => {
  await one.getByRole("radio", { name: "$10", exact: true }).click();
  await spot(one, "lucky_roller.low").click();
  await lies(one, "Lucky Roller Low, $10").waitFor();
});

step("a seat is played by keyboard alone", async () => {
  const focused = () => two.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["spot"] ?? "");
  for (let n = 0; n < 40 && !(await focused()); n += 1) await two.keyboard.press("Tab");
  assert.ok(await focused(), "the felt is a tab stop");
  await spot(two, "pass").focus(); // arrow keys lead from any spot to any other: keyboard.test.ts
  await two.keyboard.press("Enter");
  await lies(two, "Pass Line, $5").waitFor();
  await two.keyboard.press("?");
  await dialog(two, "Pass Line").getByText("1.41%").waitFor();
  await two.keyboard.press("Escape");
  assert.equal(await focused(), "pass");
});

step("the point is set, and who has a line bet is asked for odds", async () => {
  await roll(4, 2);
  await one.getByText("Point is 6").waitFor();
  await deal({ do: "open_bets" });
  await dialog(one, "How much odds do you want on 6?").getByRole("button", { name: "2×" }).click();
  await lies(one, "Pass Odds, $20").waitFor();
  await dialog(three, "How much odds do you want on 6?").getByRole("button", { name: "No odds" }).click();
  await two.keyboard.press("Escape");
});

step("the numbers of a special game are marked as they fall", async () => {
  await roll(2, 3);
  await deal({ do: "open_bets" });
  const marked = one.locator('.seen[data-lammer^="lucky_roller."] text');
  await one.waitForFunction(() => document.querySelectorAll('.seen[data-lammer^="lucky_roller."]').length === 2);
  assert.deepEqual(await marked.allTextContents(), ["5", "6"]);
});

step("a chip that is switched off is marked, and the roll does not touch it", async () => {
  await one.getByRole("radio", { name: "$10", exact: true }).click();
  await spot(one, "place.6").click();
  await lies(one, "Place 6, $10").waitFor();
  await button(one, "On / off").click();
  await spot(one, "place.6").click();
  await lies(one, "Place 6, $10, off").waitFor();
  await button(one, "On / off").click();
  await one.clock.install();
  await roll(1, 5);
  const result = one.locator(".result");
  await result.getByText("You win $34.00").waitFor();
  assert.match((await result.textContent())!, /Pass Odds\s*▲ \$24.*Pass Line\s*▲ \$10/s);
  await lies(one, "Place 6, $10, off").waitFor();
});

step("the result goes away by itself within two seconds", async () => {
  await one.clock.fastForward(2000);
  await one.locator(".result").waitFor({ state: "detached" });
  await meter(one, "last_win", "$34.00");
  await deal({ do: "open_bets" });
});

step("a tip is typed, and its ticket shown without a number", async () => {
  await button(one, "Tip").click();
  const keypad = dialog(one, "Tip");
  for (const key of ["5", "Enter"]) await keypad.getByRole("button", { name: key, exact: true }).click();
  const ticket = dialog(one, "Tip ticket");
  await ticket.getByText("$5.00").waitFor();
  assert.equal(await ticket.locator("[data-number], svg").count(), 0, "it is the dealers': its number is not shown");
  await button(one, "Done").click();
});

step("credit leaves only an empty felt, and the seat says so", async () => {
  await one.locator('[data-button="cancel_all"]').click();
  await one.locator('[aria-label^="Place 6, "]').waitFor({ state: "detached" });
  // What is shut can be touched all the same.
  await button(one, "Cash out").click({ force: true });
  await one.getByRole("alert").getByText("Only when you have no bets on the table.").waitFor();
  await roll(4, 3);
  await deal({ do: "open_bets" });
  await one.locator('[aria-label^="Lucky Roller Low, "]').waitFor({ state: "detached" });
});

let number = "";

step("cash out shows the ticket with its bars and its eighteen digits", async () => {
  await button(one, "Cash out").click();
  const ticket = dialog(one, "Cash-out ticket");
  await ticket.getByText("$1,039.00").waitFor();
  number = (await ticket.locator("[data-number]").getAttribute("data-number"))!;
  assert.match(number, /^\d{18}$/);
  // 4 before, 10 for each pair of digits, 3 after: every second one is a bar.
  const bars = (await ticket.locator("path").getAttribute("d"))!.match(/M/g)!.length;
  assert.equal(bars, (4 + (18 / 2) * 10 + 3 + 1) / 2);
  await button(one, "Done").click();
  await meter(one, "credit", "$0.00");
});

step("the ticket is good at another seat, once", async () => {
  const before = (await two.locator('[data-meter="credit"] b').textContent())!;
  const cents = (text: string) => Math.round(Number(text.replace(/[$,]/g, "")) * 100);
  for (const again of [false, true]) {
    await button(two, "Insert money").click();
    await button(two, "Insert a ticket").click();
    await two.keyboard.type(number);
    await two.keyboard.press("Enter");
    if (again) await two.getByRole("alert").getByText("This ticket is not valid.").waitFor();
    else await dialog(two, "Ticket number (18 digits)").waitFor({ state: "detached" });
  }
  await two.keyboard.press("Escape");
  const now = (await two.locator('[data-meter="credit"] b').textContent())!;
  assert.equal(cents(now) - cents(before), 103_900);
});

step("the session says how it went, and recalls the rounds", async () => {
  await button(one, "Session").click();
  const session = dialog(one, "Your session");
  await session.locator("ol b").first().waitFor();
  assert.deepEqual(await session.locator("ol b").allTextContents(), ["7", "6", "5", "6"]);
  assert.equal(await session.locator("ul li span").count(), 0, "with the stay goes what was shown of its tickets");
  await session.getByText("Lucky Roller Low $10").first().waitFor();
  await session.getByRole("button", { name: "Your name" }).click();
});

step("a name stands in place of the number", async () => {
  await one.getByRole("textbox", { name: "Your name" }).fill("Ruth");
  await button(one, "Enter").click();
  await one.locator("header").getByText("Ruth").waitFor();
});

step("a seat is kept by its PIN", async () => {
  await button(two, "Menu").click();
  await button(two, "Session").click();
  await button(two, "Reserve").click();
  const pin = async (typed: string) => {
    await dialog(two, /PIN/).waitFor();
    await two.keyboard.type(typed);
    await two.keyboard.press("Enter");
  };
  await pin("2468");
  await two.getByText("Reserved until").waitFor();
  await button(two, "I am back").click();
  await pin("1111");
  await two.getByText("2 tries left").waitFor();
  await two.keyboard.press("Escape");
  await button(two, "I am back").click();
  await pin("2468");
  await two.getByText("Reserved until").waitFor({ state: "detached" });
});

step("no screen had a problem", () => {
  assert.deepEqual(floor.problems, []);
});
