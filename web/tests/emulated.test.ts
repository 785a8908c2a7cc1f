/** A whole evening with emulated devices: the demonstration's own programs, hands at the emulators' page, the seats'
 * pages in Chromium. Nothing here speaks for a device. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { openBrowser, openDemo, openPlace, PYTHON } from "./floor.ts";
import { button, dialog, lies, picture, spot, story } from "./hands.ts";

const CONFIG = `
demo = true
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"

[tables.1]
name = "Evening"
game = "craps"

[tables.1.settings]
seats = 2
mode = "selectable"
hand_pay_over_cents = 50000
timers = { bets_s = 600, shooter_s = 600, result_s = 600 }

[tables.2]
name = "Single"
game = "craps"

[tables.2.settings]
seats = 1
mode = "automated"
`;

const step = story("an evening with emulated devices");
let demo: Awaited<ReturnType<typeof openDemo>>;
let one: Page;
let two: Page;
let dealer: Page;
/** The emulators' page of each seat, where a visitor's hands are. */
let atOne: Page;
let atTwo: Page;
/** A ticket that expired years ago. */
let expired = "";
/** A ticket that was printed and inserted again. */
let used = "";

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), "stickman-emulated-"));
  writeFileSync(join(folder, "floor.toml"), CONFIG);
  expired = execFileSync(PYTHON, ["tests/old_ticket.py", folder], { encoding: "utf8" }).trim();
  demo = await openDemo(folder);
  [one, two, dealer] = [await opens("table 1 seat 1"), await opens("table 1 seat 2"), await opens("table 1 dealer")];
  [atOne, atTwo] = [await hands(one, 1, 1), await hands(two, 1, 2)];
});
after(() => demo.close());

async function opens(place: string): Promise<Page> {
  const context = await (
    await openBrowser()
  ).newContext({ viewport: { width: 1366, height: 768 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  await openPlace(page, demo.told, place);
  await page.waitForSelector("main");
  return page;
}

/** The emulators' page of a seat, at the address that the seat's own page frames. */
async function hands(seat: Page, table: number, number: number): Promise<Page> {
  await button(seat, "Insert money").click();
  const framed = new URL((await dialog(seat).locator("iframe").getAttribute("src"))!);
  await button(dialog(seat), "Close").click();
  const page = await seat.context().newPage();
  page.setDefaultTimeout(40_000);
  await page.goto(`${framed.origin}/?table=${table}&seat=${number}`);
  await page.getByText("Connected to the table").waitFor();
  return page;
}

async function credit(seat: Page, amount: string): Promise<void> {
  const shown = seat.locator('[data-meter="credit"] b');
  await shown
    .getByText(amount, { exact: true })
    .waitFor()
    .catch(async () => {
      throw new Error(`credit is ${await shown.textContent()}, not ${amount}`);
    });
}

const ready = (at: Page): Promise<void> => at.locator('.machine[data-light="ready"]').waitFor();

async function bill(at: Page, dollars: number): Promise<void> {
  await ready(at);
  await at.locator(`.bills [data-cents="${dollars * 100}"]`).click();
}

const slip = (at: Page): Locator => at.locator(".tray .slip").first();
const fault = async (at: Page, device: string, name: string): Promise<void> => {
  if (
    !(await at
      .locator("details#more")
      .getAttribute("open")
      .then((is) => is !== null))
  ) {
    await at.locator("details#more summary").click();
  }
  await at.locator(`.chips[data-device=${device}]`).getByRole("button", { name, exact: true }).click();
};
const turn = (at: Page, name: string): Promise<void> => at.getByRole("switch", { name }).click();

async function inserts(at: Page, number: string): Promise<void> {
  await ready(at);
  await at.locator("#number").fill(number);
  await at.locator("form.number button").click();
}

/** Staff sign in at the seat whose key is turned. */
async function behindKey(seat: Page): Promise<Locator> {
  const menu = dialog(seat, /^Terminal of seat/);
  await menu.getByLabel("Badge").fill("demo-1");
  await menu.getByLabel("Password", { exact: true }).fill(demo.told.password);
  await Promise.all([seat.waitForEvent("load"), button(menu, "Sign in").click()]);
  await button(menu, "Sign out").waitFor();
  return menu;
}

const die = (row: string, face: number): Locator =>
  dealer.getByRole("group", { name: row }).getByRole("button", { name: String(face), exact: true });

async function deals(name: string | RegExp): Promise<void> {
  await button(dealer, name).click();
}

step("the demonstration inserts its first bills, and one more bill is credit", async () => {
  await credit(one, "$300.00");
  await credit(two, "$300.00");
  await bill(atOne, 20);
  await credit(one, "$320.00");
});

step("a foreign ticket and an expired one go back, and the seat says why", async () => {
  for (const number of ["1".repeat(18), expired]) {
    await inserts(atOne, number);
    await one.getByRole("status").getByText("The ticket goes back. This ticket is not valid.").waitFor();
    await ready(atOne);
  }
  await credit(one, "$320.00");
});

step("a torn bill goes back and is no credit", async () => {
  await fault(atOne, "acceptor", "Insert a torn bill");
  await atOne.locator('.machine[data-light="busy"]').waitFor();
  await ready(atOne);
  await credit(one, "$320.00");
});

step("a cash-out is a ticket on paper, which goes in again once", async () => {
  await button(two, "Cash out").click();
  await dialog(two, "Take your ticket").getByText("$300.00").waitFor();
  await button(dialog(two), "Done").click();
  used = (await slip(atTwo).locator(".digits").textContent())!.trim();
  assert.match(used, /^\d{18}$/);
  await picture(atTwo, "emulated-slip");
  await ready(atTwo);
  await slip(atTwo).getByRole("button", { name: "Insert it again" }).click();
  await credit(two, "$300.00");
  await inserts(atOne, used);
  await one.getByRole("status").getByText("The ticket goes back. This ticket is not valid.").waitFor();
  await ready(atOne);
  await credit(one, "$320.00");
});

step("a dealer signs in, and a tip is a ticket on paper", async () => {
  const [badge = ""] = demo.told.badges;
  await dealer.getByLabel("Badge").fill(badge);
  await dealer.getByLabel("Password", { exact: true }).fill(demo.told.password);
  await Promise.all([dealer.waitForEvent("load"), button(dealer, "Sign in").click()]);
  await dealer.getByText(`Dealing: ${badge}`).waitFor();
  await deals("With dealer");
  await button(one, "Tip").click();
  const keypad = dialog(one, "Tip");
  for (const key of ["2", "0", "Enter"]) await button(keypad, key).click();
  await dialog(one, "Take the tip ticket for the dealers").getByText("$20.00").waitFor();
  await button(dialog(one), "Done").click();
  await credit(one, "$300.00");
  await slip(atOne).getByText("TIP", { exact: false }).first().waitFor();
});

step("a door that opens in mid-roll stops the seat, and its wager plays on", async () => {
  await one.getByRole("radio", { name: "$5", exact: true }).click();
  await spot(one, "field").click();
  await lies(one, "Field, $5").waitFor();
  await deals("Close bets");
  await turn(atOne, "Terminal logic");
  await one.getByText(/This seat is waiting for an attendant: a door is open/).waitFor();
  await die("First die", 1).click();
  await die("Second die", 2).click();
  await deals(/Confirm 1-2/);
  await credit(one, "$305.00");
  await turn(atOne, "Terminal logic");
  await turn(atOne, "Key switch");
  const menu = await behindKey(one);
  await button(menu, "Clear lock-up").click();
  await menu.getByText("Cleared.").waitFor();
  await turn(atOne, "Key switch");
  await dialog(one, /^Terminal of seat/).waitFor({ state: "detached" });
  await deals("Open bets");
});

step("paper runs out, is loaded again, and the ticket is printed", async () => {
  await fault(atTwo, "printer", "Paper out");
  await two.getByText(/This seat is waiting for an attendant/).waitFor();
  await fault(atTwo, "printer", "Paper out");
  await turn(atTwo, "Key switch");
  const menu = await behindKey(two);
  await button(menu, "Clear lock-up").click();
  await menu.getByText("Cleared.").waitFor();
  await turn(atTwo, "Key switch");
  await dialog(two, /^Terminal of seat/).waitFor({ state: "detached" });
  await button(two, "Cash out").click();
  await dialog(two, "Take your ticket").getByText("$300.00").waitFor();
  await button(dialog(two), "Done").click();
  await credit(two, "$0.00");
});

step("credit over the limit is paid by hand, with the key", async () => {
  await spot(one, "field").waitFor();
  for (const amount of ["$405.00", "$505.00"]) {
    await bill(atOne, 100);
    await credit(one, amount);
  }
  await button(one, "Cash out").click();
  await one.getByText("Hand pay: $505.00. An attendant is coming.").first().waitFor();
  await turn(atOne, "Key switch");
  const menu = await behindKey(one);
  await button(menu, "Pay $505.00 by hand").click();
  await dialog(one, /^Did the player at seat 1 receive/)
    .getByRole("button", { name: /^Pay/ })
    .click();
  await menu.getByText("Paid by hand.").waitFor();
  await turn(atOne, "Key switch");
  await credit(one, "$0.00");
});

step("a table with one seat is played from a bill to a ticket", async () => {
  const alone = await opens("table 2 seat 1");
  await credit(alone, "$300.00");
  const at = await hands(alone, 2, 1);
  await bill(at, 20);
  await credit(alone, "$320.00");
  await alone.getByRole("radio", { name: "$5", exact: true }).click();
  await spot(alone, "field").click();
  await lies(alone, "Field, $5").waitFor();
  await alone.locator("button.dice[aria-disabled=false]").press("Enter");
  await alone.locator("[aria-label='Last rolls'] li").first().waitFor();
  await alone.getByText("Place your bets", { exact: true }).waitFor({ timeout: 30_000 });
  const left = (await alone.locator('[data-meter="credit"] b').textContent())!;
  await button(alone, "Cash out").click();
  await dialog(alone, "Take your ticket").getByText(left).waitFor();
  await slip(at).getByText(left, { exact: false }).first().waitFor();
});
