/** Devices on the screens: paper in and out, the key of a terminal and what is behind it, the office's page of devices. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { grouped, masked } from "../src/words/fill.ts";
import { violations } from "./axe.ts";
import { Floor, openBrowser, openDemo, openPlace, SIZES, type Size } from "./floor.ts";
import { examine } from "./geometry.ts";
import { button, dialog, picture, settle, story } from "./hands.ts";

const SLOW = ["timers.bets_s = 600", "timers.shooter_s = 600", "timers.result_s = 600"];
const LOOKED_AT = ["laptop", "phone"] as const satisfies readonly Size[];
mkdirSync("pictures/devices", { recursive: true });

/** Well laid out at both sizes, and without a barrier that axe-core knows. */
async function looksWell(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  for (const size of LOOKED_AT) {
    const [width, height] = SIZES[size];
    await page.setViewportSize({ width, height });
    await settle(page);
    await picture(page, `devices/${name}-${size}`);
    assert.deepEqual(await examine(page), [], `${name} ${size}`);
  }
  await page.setViewportSize(before);
  await settle(page);
  assert.deepEqual(await violations(page), [], name);
}

test("a ticket's number is hidden but for its last four digits, wherever it stands in a text", () => {
  assert.equal(masked("278109220077396691"), "…6691");
  assert.equal(masked("copy278109220077396691"), "copy…6691");
  assert.equal(masked("job 278109220077396691 of 18"), "job …6691 of 18");
  assert.equal(masked("12345678901234567"), "12345678901234567");
});

test("the money panel of the demonstration is the emulators' page, in a frame that may do little", async () => {
  const demo = await openDemo();
  try {
    const page = await (
      await openBrowser()
    ).newPage({ viewport: { width: 1366, height: 768 }, reducedMotion: "reduce" });
    await openPlace(page, demo.told, "table 1 seat 2");
    await credit(page, "$300.00"); // the demonstration begins with three bills
    await button(page, "Español").click();
    await button(page, "Meter dinero").click();
    const frame = dialog(page, "Meter dinero").locator("iframe");
    assert.match((await frame.getAttribute("src"))!, /^http:\/\/127\.0\.0\.1:\d+\/\?table=1&seat=2&lang=es$/);
    assert.equal(await frame.getAttribute("sandbox"), "allow-scripts allow-same-origin allow-forms");
    assert.ok(await frame.getAttribute("title"));
    assert.equal(await dialog(page).getByRole("button").count(), 1, "the page itself inserts nothing");
    await frame.contentFrame().getByRole("button", { name: "$20", exact: false }).first().click();
    await credit(page, "$320.00");
    await looksWell(page, "frame");
    await page.close();
  } finally {
    await demo.close();
  }
});

/** One story: money goes from step to step. */
const step = story("devices on a real floor");
let floor: Floor;
let one: Page;
let two: Page;
let dealer: Page;
let office: Page;
/** The numbers on all paper that came out. */
const numbers: string[] = [];

before(async () => {
  floor = await Floor.openWithoutMoney("craps", "automated", SLOW);
  [one, two] = [await floor.screen("seat 1", "desk"), await floor.screen("seat 2", "phone")];
  [dealer, office] = [await floor.screen("dealer", "desk"), await floor.screen("office", "laptop")];
  for (const page of [one, two, dealer, office]) page.setDefaultTimeout(20_000);
  await signInAt(dealer, "pit_boss");
  await signInAt(office, "supervisor");
});
after(() => floor.close());

type Role = "dealer" | "pit_boss" | "supervisor";

async function signInAt(page: Page, role: Role): Promise<void> {
  const { badges, password } = floor.prepared;
  await floor.post(page, "/api/sign-in", { badge: badges[role], password });
  await page.reload();
  await button(page, "Sign out").waitFor();
}

/** Signs in with the form that the key opens; the page is opened anew. */
async function signInBehindKey(seat: Page, role: Role): Promise<Locator> {
  const { badges, password } = floor.prepared;
  const menu = dialog(seat, /^Terminal of seat/);
  await menu.getByLabel("Badge").fill(badges[role]);
  await menu.getByLabel("Password", { exact: true }).fill(password);
  await Promise.all([seat.waitForEvent("load"), button(menu, "Sign in").click()]);
  await button(menu, "Sign out").waitFor();
  return menu;
}

async function approve(page: Page, role: Role): Promise<void> {
  const { badges, password } = floor.prepared;
  await page.getByLabel("Second person's badge").fill(badges[role]);
  await page.getByLabel("Second person's password").fill(password);
  await button(page, "Approve").click();
}

const card = (seat: number): Locator => dealer.getByRole("article", { name: `Seat ${seat}` });
const credit = (page: Page, amount: string): Promise<void> =>
  page.locator('[data-meter="credit"] b').getByText(amount, { exact: true }).waitFor();

step("a bill that the house does not take goes back, and the seat says why", async () => {
  const { stack, move } = await floor.devices(1).acceptor.holds({ signal: "bill_in_escrow", cents: 300 });
  assert.equal(stack, false);
  const says = one.getByRole("status").getByText("The $3 bill goes back. That is not a valid amount.");
  await says.waitFor();
  await move();
  await one.clock.install();
  await one.clock.fastForward(4_000);
  await says.waitFor({ state: "detached" });
  await credit(one, "$0.00");
});

step("a bill on its way is announced, and is credit once it is stacked", async () => {
  const { stack, move } = await floor.devices(1).acceptor.holds({ signal: "bill_in_escrow", cents: 2_000 });
  assert.equal(stack, true);
  await one.getByRole("status").getByText("$20 bill: being stacked").waitFor();
  await picture(one, "devices/bill-laptop");
  await move();
  await credit(one, "$20.00");
});

step("a ticket that the floor does not know goes back", async () => {
  const { stack, move } = await floor.devices(1).acceptor.holds({ signal: "ticket_in_escrow", number: "1".repeat(18) });
  assert.equal(stack, false);
  await one.getByRole("status").getByText("The ticket goes back. This ticket is not valid.").waitFor();
  await move();
});

step("the money panel says where bills and tickets go in, and what is accepted", async () => {
  await button(one, "Add money").click();
  await dialog(one).getByText("Put bills or tickets into the acceptor at this seat.").waitFor();
  await dialog(one)
    .getByText("It accepts bills of $1, $2, $5, $10, $20, $50, $100, and this casino's tickets.")
    .waitFor();
  await looksWell(one, "money");
  await button(dialog(one), "Close").click();
});

step("without the key the seat has no part of the audit, and asks for none", async () => {
  const asked: string[] = [];
  const note = (request: { url(): string }) => void asked.push(request.url());
  one.on("request", note);
  await one.reload();
  await credit(one, "$20.00");
  await button(one, "Session").click();
  await dialog(one, "Your session").waitFor();
  await one.keyboard.press("Escape");
  one.off("request", note);
  assert.ok(asked.some((url) => url.includes("/seat-")));
  const ofStaff = /BehindKey|audit|SignIn|\/api\/(may|meters|devices|events|tickets|rounds|sign-in)/;
  assert.deepEqual(
    asked.filter((url) => ofStaff.test(url)),
    [],
  );
});

step("a ticket that is not printed is credit again, and an attendant is called", async () => {
  const { printer } = floor.devices(1);
  printer.waits = true;
  await button(one, "Cash out").click();
  await dialog(one, "Your ticket is being printed").getByText("$20.00").waitFor();
  await card(1).getByText("printing a ticket of $20.00").waitFor();
  assert.equal(await button(card(1), "More").count(), 0, "its printer works: the print is not cancelled");
  await looksWell(one, "printing");
  await printer.begins();
  await printer.fails("paper_out");
  const failed = dialog(one, "The ticket was not printed");
  await failed.getByRole("alert").getByText("$20.00 is credit again. An attendant is called.").waitFor();
  await looksWell(one, "not-printed");
  await button(failed, "Done").click();
  await credit(one, "$20.00");
  await one.getByText("This seat is waiting for an attendant: the printer has failed").waitFor();
  await card(1).getByText("printer", { exact: true }).waitFor();
});

step("the key opens a sign-in at the seat, which may be put aside", async () => {
  await floor.devices(1).doors.key(true);
  const menu = dialog(one, "Terminal of seat 1");
  await menu.getByLabel("Badge").waitFor();
  await looksWell(one, "key");
  await one.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await button(one, "Terminal of seat 1").click();
  await menu.getByLabel("Badge").waitFor();
});

step("behind it a supervisor clears the lock-up and prints a test page", async () => {
  const { printer } = floor.devices(1);
  const menu = await signInBehindKey(one, "supervisor");
  await menu.getByText("printer", { exact: true }).waitFor();
  await looksWell(one, "terminal");
  await button(menu, "Clear lock-up").click();
  await menu.getByText("Cleared.").waitFor();
  await menu.getByText("This terminal is in order").waitFor();
  printer.waits = false;
  const before = printer.slips.length;
  await button(menu, "Print a test page").click();
  await menu.getByText("Sent to the printer.").waitFor();
  assert.equal((await printer.slip(before)).slip.number, "", "it is worth nothing");
});

step("the audit menus show the meters of this seat, rounds, events and devices", async () => {
  const menu = dialog(one, "Terminal of seat 1");
  await button(menu, "Meters").click();
  await menu.getByRole("row", { name: "Bills of $20 1" }).first().waitFor();
  await menu.getByRole("row", { name: "Tickets not printed 1" }).waitFor();
  await menu.getByRole("columnheader", { name: "In the stacker since the last drop" }).waitFor();
  assert.equal(await menu.getByRole("columnheader", { name: "Seat 2" }).count(), 0);
  await looksWell(one, "meters");
  await button(menu, "Last rounds").click();
  await menu.getByText("Nothing yet").waitFor();
  await button(menu, "Events").click();
  await menu
    .getByRole("row", { name: /Ticket not printed/ })
    .getByText("why: paper out")
    .waitFor();
  assert.equal(await button(menu, "The floor").count(), 0, "only its own table");
  await looksWell(one, "events");
  await button(menu, "Devices").click();
  await menu.getByRole("article", { name: "Table 1, Acceptor, Seat 1" }).getByText("In the stacker: 1 × $20").waitFor();
  assert.equal(await menu.getByRole("article").count(), 3);
  await looksWell(one, "states");
});

step("when the key is turned back, all of it closes at once and the session is over", async () => {
  await floor.devices(1).doors.key(false);
  await dialog(one, "Terminal of seat 1").waitFor({ state: "detached" });
  assert.equal(await button(one, "Terminal of seat 1").count(), 0);
  const status = await one.evaluate(async () => (await fetch("/api/meters")).status);
  assert.equal(status, 403, "it is not even a place of staff");
  await button(one, "Cash out").waitFor();
});

step("a ticket is printed, taken, and shown by its last digits only", async () => {
  const { printer } = floor.devices(1);
  const before = printer.slips.length;
  await button(one, "Cash out").click();
  const { number } = (await printer.slip(before)).slip;
  numbers.push(number);
  const ticket = dialog(one, "Take your ticket");
  await ticket.getByText("$20.00").waitFor();
  await ticket.getByText(`ending in ${number.slice(-4)}`).waitFor();
  await ticket.getByText(/^Valid until/).waitFor();
  await looksWell(one, "taken");
  await noNumbers(one);
  await button(ticket, "Done").click();
  await credit(one, "$0.00");
});

step("a pit boss behind the key sees the ticket, and prints a copy that cannot be redeemed", async () => {
  const { printer, doors } = floor.devices(1);
  await doors.key(true);
  const menu = await signInBehindKey(one, "pit_boss");
  await button(menu, "Tickets").click();
  const row = menu.getByRole("listitem").filter({ hasText: `Cash out, ending in ${numbers[0]!.slice(-4)}` });
  await row.getByText("Valid", { exact: true }).waitFor();
  await looksWell(one, "tickets");
  await noNumbers(one);
  const before = printer.slips.length;
  await button(row, "Print a copy").click();
  await dialog(one, /^Print a copy of the ticket of \$20\.00\?/)
    .getByRole("button", { name: "Print a copy" })
    .click();
  await menu.getByText("Sent to the printer.").waitFor();
  assert.equal((await printer.slip(before)).slip.number, "");
  await button(menu, "Events").click();
  await menu
    .getByRole("row", { name: /Paper asked for by staff/ })
    .first()
    .waitFor();
  await noNumbers(one);
  await button(menu, "Terminal").click();
  assert.equal(await button(menu, "Clear lock-up").count(), 0);
  await doors.key(false);
});

step("a dealer behind the key has a test page and nothing else", async () => {
  const { doors } = floor.devices(1);
  await doors.key(true);
  const menu = await signInBehindKey(one, "dealer");
  await menu.getByText("Your role can see nothing here but a test page.").waitFor();
  assert.equal(await button(menu, "Meters").count(), 0);
  await button(menu, "Print a test page").click();
  await menu.getByText("Sent to the printer.").waitFor();
  await button(menu, "Sign out").click();
  await dialog(one).getByLabel("Badge").waitFor();
  await doors.key(false);
});

step("a ticket of which nobody knows whether it is on paper is paid by hand, by two people at the seat", async () => {
  const { acceptor, printer, doors } = floor.devices(2);
  printer.waits = true;
  await acceptor.stacks(10_000);
  await credit(two, "$100.00");
  await button(two, "Cash out").click();
  await printer.fails("no_answer", "slip_unknown");
  const failed = dialog(two, "The ticket was not printed");
  await failed.getByRole("alert").getByText("An attendant is called and pays you $100.00 by hand.").waitFor();
  await button(failed, "Done").click();
  await doors.key(true);
  const menu = await signInBehindKey(two, "pit_boss");
  await button(menu, "Pay $100.00 by hand").click();
  await dialog(two, /^Did the player at seat 2 receive/)
    .getByRole("button", { name: /^Pay/ })
    .click();
  await two.getByText("Seat 2: Pay $100.00 by hand").waitFor();
  await approve(two, "supervisor");
  await menu.getByText("Paid by hand.").waitFor();
  await doors.key(false);
});

step("a print is cancelled at the dealer terminal by two people, if the printer does not answer", async () => {
  const { acceptor, printer, doors } = floor.devices(1);
  await acceptor.stacks(10_000);
  printer.waits = true;
  await button(one, "Cash out").click();
  await dialog(one, "Your ticket is being printed").waitFor();
  await printer.hangUp();
  await doors.key(true);
  await button(card(1), "More").click();
  await button(card(1), "Cancel the print").click();
  await dialog(dealer, /^Cancel the print at seat 1\?/)
    .getByRole("button", { name: "Cancel the print" })
    .click();
  await dealer.getByText("Seat 1: Cancel the print (printing a ticket of $100.00)").waitFor();
  await picture(dealer, "devices/cancel-desk");
  await approve(dealer, "supervisor");
  await card(1).getByText("hand pay due").waitFor();
  await doors.key(false);
  await dialog(one, "The ticket was not printed")
    .getByText("An attendant is called and pays you $100.00 by hand.")
    .waitFor();
  await printer.connect();
});

step("a fault and a stacker that is out are named where lock-ups are shown", async () => {
  const { acceptor } = floor.devices(3);
  await acceptor.report({ signal: "fault_began", fault: "jam_in_acceptor" });
  await acceptor.report({ signal: "stacker_removed", bills: {}, tickets: 0 });
  await card(3).getByText("acceptor: jam in the acceptor").waitFor();
  await card(3).getByText("stacker out").waitFor();
  await office.getByRole("link", { name: "Tables" }).click();
  await button(office, "Open").click();
  const row = office.getByRole("row").filter({ hasText: "Seat 3" });
  await row.getByText("Locked up: acceptor: jam in the acceptor").waitFor();
  await button(row, "Clear lock-up").click();
  await button(dialog(office), "Clear lock-up").click();
  await office
    .getByRole("alert")
    .getByText("It cannot be cleared yet. (first repair: Acceptor, jam in the acceptor)")
    .waitFor();
});

step("the key of the dealer terminal adds the tickets and the devices of all seats to its audit menus", async () => {
  assert.equal(await button(dealer, "Tickets").count(), 0);
  await floor.doors.key(true);
  await dealer.getByRole("status").getByText("key turned").waitFor();
  await button(dealer, "Tickets").click();
  const row = dealer.getByRole("listitem").filter({ hasText: `ending in ${numbers[0]!.slice(-4)}` });
  await row.getByText("Seat 1").waitFor();
  await looksWell(dealer, "dealer-tickets");
  await noNumbers(dealer);
  const { printer } = floor.devices(1);
  printer.waits = false;
  const before = printer.slips.length;
  await button(row, "Print a copy").click();
  await dialog(dealer, /^Print a copy of the ticket/)
    .getByRole("button", { name: "Print a copy" })
    .click();
  await dealer.getByText("Sent to the printer.").waitFor();
  assert.equal((await printer.slip(before)).slip.number, "");
  await button(dealer, "Devices").click();
  await dealer.getByRole("article", { name: "Table 1, Printer, Seat 3" }).waitFor();
  await looksWell(dealer, "dealer-devices");
  await floor.doors.key(false);
  await button(dealer, "Devices").waitFor({ state: "detached" });
  await card(1).waitFor();
});

const device = (name: string): Locator => office.getByRole("article", { name: `Table 1, ${name}` });

step("the office lists devices by table and seat, with their state and their program", async () => {
  const { acceptor, printer } = floor.devices(1);
  acceptor.state({ doing: "idle", "bills in stacker": 2, "cents in stacker": 10_000, accepts: "100 2000" });
  printer.state({ doing: "idle", job: "278109220077396691", "paper low": true });
  await office.getByRole("link", { name: "Devices", exact: true }).click();
  await device("Acceptor, Seat 1").getByText("money in the stacker $100.00").waitFor();
  await device("Printer, Seat 1").getByText("paper low Yes").waitFor();
  assert.equal(await device("Printer, Seat 1").getByText("6691").count(), 0, "no part of a ticket's number");
  await device("Doors and key").first().waitFor();
  assert.equal(await office.locator("main").getByRole("article").count(), 10);
  await device("Acceptor, Seat 1").getByText("Not reported yet").waitFor();
  acceptor.program = { version: "9.9", sha256: "ab".repeat(32) };
  await button(device("Acceptor, Seat 1"), "Ask for the program").click();
  await device("Acceptor, Seat 1").getByText("9.9 · abababababababab").waitFor();
  assert.equal(await device("Acceptor, Seat 1").getByText("Differs from the server's").count(), 2);
  await looksWell(office, "office");
});

step("the office's health names the devices whose program differs", async () => {
  await office.getByRole("link", { name: "Health" }).click();
  const alarm = office.getByRole("alert").filter({ hasText: "Devices with another program than the server's" });
  await alarm.getByRole("listitem").filter({ hasText: "Table 1, Acceptor, Seat 1" }).getByText("9.9").waitFor();
  await looksWell(office, "health");
  await button(alarm, "Devices").click();
});

step("a device whose reports were lost is not trusted until two people settle it", async () => {
  const { acceptor } = floor.devices(2);
  acceptor.totals = { signal: "totals_reported", bills: { 10_000: 2 } };
  acceptor.loseReport();
  await acceptor.report({ signal: "fault_ended", fault: "jam" });
  await card(2).getByText("device not trusted").waitFor();
  const row = device("Acceptor, Seat 2");
  await row.getByText("Not trusted").waitFor();
  await row.getByText("Counted by the device: 2 × $100").waitFor();
  await looksWell(office, "distrust");
  await button(row, "Settle").click();
  await dialog(office)
    .getByText(/^Settle Table 1, Acceptor, Seat 2.* It counted \$[\d.]+ in bills, 0 tickets and 0 slips more/)
    .waitFor();
  await approve(office, "pit_boss");
  await office.getByRole("status").getByText("Settled.").waitFor();
  await row.getByText("Not trusted").waitFor({ state: "detached" });
  await card(2).getByText("device not trusted").waitFor({ state: "detached" });
});

step("a place is offered to a device by a code that is shown once; a device is revoked", async () => {
  const form = office.locator("form");
  await form.getByLabel("Device").selectOption({ label: "Doors and key" });
  await form.getByLabel("Seat").selectOption({ label: "The table itself" });
  await button(office, "Add a device").click();
  const offer = office.getByRole("status").filter({ hasText: "Code for Table 1, Doors and key" });
  assert.match((await offer.locator("output").textContent())!, /^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await button(offer, "Close").click();
  await button(device("Printer, Seat 3"), "Revoke").click();
  await dialog(office).getByRole("button", { name: "Revoke" }).click();
  await device("Printer, Seat 3").waitFor({ state: "detached" });
});

step("the office's events tell of devices in words, and of no ticket's number", async () => {
  await office.getByRole("link", { name: "Events" }).click();
  await office.getByLabel("Where").selectOption({ label: "Table 1 · Demo" });
  for (const event of ["Device settled by two people", "Stacker taken out (drop)", "Ticket cancelled", "Key switch"]) {
    await office.getByRole("row", { name: event }).first().waitFor();
  }
  await noNumbers(office);
});

/** No number of a ticket, as it is or in its groups, stands on a page or in what it keeps. */
async function noNumbers(page: Page): Promise<void> {
  const shown = await page.content();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const number of numbers) {
    for (const written of [number, grouped(number), number.slice(0, 14)]) {
      assert.ok(!shown.includes(written) && !kept.includes(written), `${page.url()} shows ${written}`);
    }
  }
}

step("no screen shows a ticket's number", async () => {
  assert.ok(numbers.length);
  for (const page of [one, two, dealer]) await noNumbers(page);
  for (const place of ["table", "info"]) await noNumbers(await floor.screen(place, "desk"));
});

step("no screen had a problem", () => {
  // A refusal has an HTTP status of its own.
  const expected = /status of (401|403|409)/;
  assert.deepEqual(
    floor.problems.filter((said) => !expected.test(said)),
    [],
  );
});
