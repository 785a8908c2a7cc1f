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

step("a bill goes into the acceptor, and is credit once it is stacked", async () => {
  await button(one, "Add money").click();
  await dialog(one, "Add money").getByText("Put bills or tickets into the acceptor at this seat.").waitFor();
  const { move } = await floor.devices(1).acceptor.holds({ signal: "bill_in_escrow", cents: 2_000 });
  await dialog(one).getByText("$20 bill: being stacked").waitFor();
  await meter(one, "credit", "$1,000.00");
  await move();
  await meter(one, "credit", "$1,020.00");
  await dialog(one, "Add money").getByRole("button", { name: "Close" }).click();
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
  await deal({ do: "open_bets" });
  await one.getByText("Point is 6").waitFor();
  await dialog(one, "How much odds do you want on 6?").getByRole("button", { name: "2×" }).click();
  await lies(one, "Pass Odds, $20").waitFor();
  await dialog(three, "How much odds do you want on 6?").getByRole("button", { name: "No odds" }).click();
  await two.keyboard.press("Escape");
});

step("the numbers of a special game are marked as they fall", async () => {
  await roll(2, 3);
  await deal({ do: "open_bets" });
  const marked = one.locator('.seen[data-lammer^="lucky_roller "] text');
  await one.waitForFunction(() => document.querySelectorAll('.seen[data-lammer^="lucky_roller "]').length === 2);
  assert.deepEqual(await marked.allTextContents(), ["5", "6"]);
});

step("a chip that is switched off is marked, and the roll does not touch it", async () => {
  await one.getByRole("radio", { name: "$10", exact: true }).click();
  await spot(one, "place.6").click();
  await lies(one, "Place 6, $12").waitFor();
  await button(one, "On / off").click();
  await spot(one, "place.6").click();
  await lies(one, "Place 6, $12, off").waitFor();
  await button(one, "Done").click();
  await one.clock.install();
  await roll(1, 5);
  const result = one.locator(".result");
  await result.getByText("You win $34").waitFor();
  await result.click();
  assert.match((await result.textContent())!, /Pass Odds\s*▲ \$24.*Pass Line\s*▲ \$10/s);
  await lies(one, "Place 6, $12, off").waitFor();
});

step("the list of what was won stays until it is put away", async () => {
  await one.clock.fastForward(60_000);
  await one.locator(".result").click();
  await one.locator(".result").waitFor({ state: "detached" });
  await meter(one, "last_win", "$34.00");
  await deal({ do: "open_bets" });
});

step("a tip is typed, and its ticket is printed", async () => {
  await button(one, "Tip").click();
  const keypad = dialog(one, "Tip");
  for (const key of ["5", "Enter"]) await keypad.getByRole("button", { name: key, exact: true }).click();
  const ticket = dialog(one, "Take the tip ticket for the dealers");
  await ticket.getByText("$5.00").waitFor();
  await button(one, "Done").click();
});

step("credit leaves only an empty felt, and the seat says so", async () => {
  await button(one, "Take down").click();
  await one.locator('[data-button="cancel_all"]').click();
  await one.locator('[data-button="done"]').click();
  await one.locator('[aria-label^="Place 6, "]').waitFor({ state: "detached" });
  // What is shut can be touched all the same.
  await button(one, "Cash out").click({ force: true });
  await one.getByRole("alert").getByText("Only when you have no bets on the table.").waitFor();
  await roll(4, 3);
  await deal({ do: "open_bets" });
  await one.locator('[aria-label^="Lucky Roller Low, "]').waitFor({ state: "detached" });
});

let number = "";

step("cash out prints the ticket, whose number is on the paper only", async () => {
  const { printer } = floor.devices(1);
  printer.waits = true;
  const after = printer.slips.length;
  await button(one, "Cash out").click();
  await dialog(one, "Your ticket is being printed").getByText("$1,039.00").waitFor();
  await printer.prints();
  ({ number } = (await printer.slip(after)).slip);
  assert.match(number, /^\d{18}$/);
  const ticket = dialog(one, "Take your ticket");
  await ticket.getByText("$1,039.00").waitFor();
  await ticket.getByText(`ending in ${number.slice(-4)}`).waitFor();
  await ticket.getByText(/^Valid until /).waitFor();
  await button(one, "Done").click();
  await meter(one, "credit", "$0.00");
});

step("the ticket is good at another seat, once", async () => {
  const before = (await two.locator('[data-meter="credit"] b').textContent())!;
  const cents = (text: string) => Math.round(Number(text.replace(/[$,]/g, "")) * 100);
  const { acceptor } = floor.devices(2);
  assert.equal(await acceptor.ticket(number), true);
  const { stack, move } = await acceptor.holds({ signal: "ticket_in_escrow", number });
  assert.equal(stack, false);
  await two.getByRole("status").getByText("The ticket goes back. This ticket is not valid.").waitFor();
  await move();
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
