/** Money on a real floor: staff give credit for it, and no page of a seat makes any. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Request, SeatView } from "../src/wire.ts";
import { centsOf, cleanAmount, cleanNumber, typedAmount } from "../src/staff/amount.ts";
import { Floor, SIZES } from "./floor.ts";
import { button, dialog, picture } from "./hands.ts";

const SLOW = ["timers.bets_s = 600", "timers.shooter_s = 600", "timers.result_s = 600"];
let floor: Floor;
let one: Page;
let two: Page;
let dealer: Page;
let office: Page;

before(async () => {
  mkdirSync("pictures/cash", { recursive: true });
  floor = await Floor.openWithoutMoney("craps", "automated", SLOW);
  one = await floor.screen("seat 1", "desk");
  two = await floor.screen("seat 2", "phone");
  dealer = await floor.screen("dealer", "desk");
  office = await floor.screen("office", "desk");
});
after(() => floor.close());

const card = (number: number): Locator => dealer.getByRole("article", { name: `Seat ${number}` });
const credit = (page: Page, amount: string): Promise<void> =>
  page.locator('[data-meter="credit"] b').getByText(amount, { exact: true }).waitFor();
const refused = (page: Page, says: string): Promise<void> => dialog(page).getByRole("alert").getByText(says).waitFor();

async function signIn(page: Page, role: "dealer" | "pit_boss" | "supervisor"): Promise<void> {
  const { badges, password } = floor.prepared;
  await floor.post(page, "/api/sign-in", { badge: badges[role], password });
  await page.reload();
  await button(page, "Sign out").waitFor();
}

async function keys(page: Page, typed: string): Promise<void> {
  for (const key of typed) await button(dialog(page), key).click();
}

/** Desk and phone, to be looked at; what stands in the dialog stays. */
async function pictures(page: Page, name: string): Promise<void> {
  for (const size of ["phone", "desk"] as const) {
    const [width, height] = SIZES[size];
    await page.setViewportSize({ width, height });
    const box = (await dialog(page).boundingBox())!;
    assert.ok(
      box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
      `${name} ${size}`,
    );
    const small = await dialog(page)
      .locator("button, a, input")
      .evaluateAll((all) =>
        all
          .map((each) => each.getBoundingClientRect())
          .filter(({ width, height }) => width && Math.min(width, height) < 44),
      );
    assert.equal(small.length, 0, `${name} ${size}: too small for a finger`);
    await picture(page, `cash/${name}-${size}`);
  }
}

/** Joins once more as a seat's page does, and hangs up: the snapshot as it was told. */
function snapshot(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.onopen = () => socket.send(JSON.stringify({ type: "join", after: null }));
        socket.onmessage = ({ data }) => {
          resolve(data as string);
          socket.close();
        };
      }),
  );
}

test("amounts are typed in dollars and cents, and never go through a float", () => {
  assert.deepEqual(["", "0", "12", "12.", "12.5", "0.07", "9999999.99"].map(centsOf), [
    ...[null, 0, 1_200, 1_200, 1_250, 7, 999_999_999],
  ]);
  assert.deepEqual(["$1,234.567", "007", "1.2.3", "12345678", "-5", "x"].map(cleanAmount), [
    ...["1234.56", "7", "1.2", "1234567", "5", ""],
  ]);
  for (const cents of [1, 10, 99, 100, 101, 123_456]) assert.equal(centsOf(typedAmount(cents)), cents);
  assert.equal(cleanNumber("12-3456-7890 1234-5678-99"), "123456789012345678");
});

test("a seat's page takes no money: it says where it goes and who gives credit, and calls", async () => {
  await button(one, "Add money").click();
  await dialog(one).getByText("A dealer or the cage can also give you credit for cash.").waitFor();
  assert.equal(
    await dialog(one)
      .getByRole("button", { name: /\$|ticket/i })
      .count(),
    0,
  );
  await pictures(one, "seat-money");
  await button(dialog(one), "Service").click();
  await dialog(one).getByRole("status").getByText("An attendant is on the way.").waitFor();
  await button(dialog(one), "Close").click();
});

test("a seat's token makes no money, whatever its page's tools say", async () => {
  const answer = await floor.ask(one, { do: "give_credit", seat: 1, cents: 10_000 }, "refused");
  assert.equal(answer.type === "refused" && answer.why, "wrong_place");
  const forged = [
    { do: "insert_cash", seat: 1, cents: 10_000 },
    { do: "turn_key", seat: 1, on: true },
    { signal: "bill_stacked", note: 1, cents: 10_000 },
  ] as unknown as readonly Request[];
  for (const request of forged) {
    assert.equal((await floor.ask(one, request)).type, "bad", "its wire has no word for what devices report");
  }
  await one.reload(); // each of these needed a new line, which may have replaced the page's own
  await credit(one, "$0.00");
});

test("a dealer opens a drawer with a float, takes cash, and the seat has credit and a receipt", async () => {
  await signIn(dealer, "dealer");
  await card(1).getByText("calls").waitFor();
  await button(card(1), "Service done").click();
  await button(card(1), "Give credit").click();
  await dialog(dealer).getByText("Count its float and open it first.").waitFor();
  await pictures(dealer, "dealer-no-drawer");
  await keys(dealer, "200");
  await button(dialog(dealer), "Open with $200.00").click();
  await button(dialog(dealer), "+ $100").click();
  await button(dialog(dealer), "+ $20").click();
  await pictures(dealer, "dealer-credit");
  await button(dialog(dealer), "Take $120.00, give credit to seat 1").click();
  await dialog(dealer).getByRole("status").getByText("Seat 1 got $120.00 credit for cash.").waitFor();
  await pictures(dealer, "dealer-credit-given");
  const path = (await dialog(dealer).getByRole("link", { name: "Receipt" }).getAttribute("href"))!;
  assert.match(path, /^\/api\/receipts\/1\/\d+\?lang=en$/);
  const receipt = await dealer.request.get(new URL(path, floor.told.url).href);
  assert.equal(receipt.headers()["content-type"], "application/pdf");
  assert.equal((await receipt.body()).subarray(0, 5).toString(), "%PDF-");
  await credit(one, "$120.00");
  await button(dialog(dealer), "Done").click();
});

test("credit is given by keyboard alone, and the focus comes back to where it began", async () => {
  await button(card(2), "Give credit").focus();
  await dealer.keyboard.press("Enter");
  await dealer.waitForFunction(() => document.activeElement instanceof HTMLInputElement);
  await dealer.keyboard.type("7.5");
  await dealer.keyboard.press("Enter");
  await dialog(dealer).getByText("Seat 2 got $7.50 credit for cash.").waitFor();
  await dealer.keyboard.press("Escape");
  await credit(two, "$7.50");
  assert.equal(await dealer.evaluate(() => document.activeElement?.textContent?.trim()), "Give credit");
});

test("cash over the house's limit takes two people: without a second one nothing is given", async () => {
  await button(card(1), "Give credit").click();
  await keys(dealer, "10000.01");
  await button(dialog(dealer), /^Take \$10,000\.01/).click();
  const second = dealer.getByRole("dialog").last();
  await second
    .getByText(/\$10,000\.01/)
    .first()
    .waitFor();
  await second.getByRole("textbox").first().waitFor();
  await dealer.keyboard.press("Escape");
  await dialog(dealer).getByRole("alert").getByText("This needs two people.").waitFor();
  await dealer.keyboard.press("Escape");
  await credit(one, "$120.00");
});

let number = "";

test("a ticket ends the stay, and nothing of its number is at the seat", async () => {
  const { printer } = floor.devices(1);
  await button(one, "Cash out").click();
  ({ number } = (await printer.slip(0)).slip);
  assert.match(number, /^\d{18}$/);
  await dialog(one, "Take your ticket")
    .getByText(`ending in ${number.slice(-4)}`)
    .waitFor();
  const kept = () => one.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.ok(!(await kept()).includes(number) && !(await one.content()).includes(number));
  await button(dialog(one), "Done").click();
  await button(one, "Session").click();
  await dialog(one).getByText("Your last rounds").waitFor();
  assert.equal(await dialog(one).getByText("ending in").count(), 0);
  await picture(one, "cash/seat-session");
  assert.equal(await button(dialog(one), /ticket/i).count(), 0, "it cannot be opened");
  await one.keyboard.press("Escape");
  await one.reload();
  await button(one, "Session").waitFor();
  const told = await snapshot(one);
  assert.ok(!told.includes(`"last_four"`) && !told.includes(number.slice(0, 14)));
});

test("the ticket is good at another seat, once; a seat whose printer fails takes no credit", async () => {
  const { acceptor, printer } = floor.devices(2);
  assert.equal(await acceptor.ticket(number), true);
  await credit(two, "$127.50");
  assert.equal(await acceptor.ticket(number), false);
  await printer.report({ signal: "fault_began", fault: "paper_out" });
  await card(2).getByText("printer: paper out").waitFor();
  await button(card(2), "More").click();
  await button(card(2), "Give credit").click();
  await keys(dealer, "5");
  await button(dialog(dealer), /^Take \$5/).click();
  await refused(dealer, "This seat is locked. Staff must clear it.");
  await dealer.keyboard.press("Escape");
});

test("the next player at a seat sees nothing of the ticket before", async () => {
  await button(card(1), "Give credit").click();
  await keys(dealer, "60");
  await button(dialog(dealer), /^Take \$60/).click();
  await credit(one, "$60.00");
  await button(dialog(dealer), "Done").click();
  await button(one, "Cash out").click();
  const left = (await floor.devices(1).printer.slip(1)).slip.number;
  await dialog(one, "Take your ticket").waitFor();
  // The player leaves with the ticket still on the screen; the next one gives the dealer cash.
  await button(card(1), "Give credit").click();
  await keys(dealer, "40");
  await button(dialog(dealer), /^Take \$40/).click();
  await credit(one, "$40.00");
  await dialog(one).waitFor({ state: "detached" });
  await button(dialog(dealer), "Done").click();
  const told = await snapshot(one);
  const { view } = JSON.parse(told) as { view: SeatView };
  assert.deepEqual(view.tickets, []);
  for (const each of [number, left]) {
    assert.ok(!told.includes(each) && !(await one.content()).includes(each), "neither in the snapshot nor on the page");
  }
  await button(one, "Session").click();
  await dialog(one).getByText("Your last rounds").waitFor();
  assert.equal(await dialog(one).getByText("ending in").count(), 0);
  await one.keyboard.press("Escape");
});

test("a drawer is counted without knowing what it should hold, and its shortage is told", async () => {
  await button(dealer, "Cash drawer").click();
  await dialog(dealer).getByText("Your drawer is open.").waitFor();
  // 200 as float, 120 + 7.50 + 60 + 40 taken.
  assert.ok(!(await dialog(dealer).textContent())!.includes("427"));
  await keys(dealer, "422.5");
  await pictures(dealer, "dealer-drawer");
  await button(dialog(dealer), "Close with $422.50").click();
  await dialog(dealer).getByRole("status").waitFor();
  await pictures(dealer, "dealer-drawer-closed");
  const result = await dialog(dealer).getByRole("status").innerText();
  assert.match(result, /Expected\s+\$427\.50\s+Counted\s+\$422\.50\s+Short\s+\$5\.00/);
  await button(dialog(dealer), "Done").click();
  await button(dealer, "Cash drawer").click();
  await keys(dealer, "100");
  await button(dialog(dealer), "Open with $100.00").click();
  await dialog(dealer).getByText("Your drawer is open.").waitFor();
  await dealer.keyboard.press("Escape");
});

test("the office gives credit too, clears a lock-up with the key, and counts somebody else's drawer by role", async () => {
  await signIn(office, "supervisor");
  await office.getByRole("link", { name: "Tables" }).click();
  await button(office, "Open").click();
  const row = (seat: number) => office.getByRole("row").filter({ hasText: `Seat ${seat}` });
  await button(row(1), "Give credit").click();
  await keys(office, "50");
  await button(dialog(office), "Open with $50.00").click();
  await button(dialog(office), "+ $50").click();
  await pictures(office, "office-credit");
  await button(dialog(office), /^Take \$50/).click();
  await dialog(office).getByText("Seat 1 got $50.00 credit for cash.").waitFor();
  await office.keyboard.press("Escape");
  await credit(one, "$90.00");
  const { acceptor, doors, printer } = floor.devices(2);
  await row(2).getByText("Locked up: printer: paper out").waitFor();
  await printer.report({ signal: "fault_ended", fault: "paper_out" });
  await doors.key(true);
  await row(2).getByText("key turned").waitFor();
  await button(row(2), "Clear lock-up").click();
  await button(dialog(office), "Clear lock-up").click();
  await row(2).getByText("Locked up").waitFor({ state: "detached" });
  await doors.key(false);
  assert.equal(await acceptor.bill(2_000), true);
  await credit(two, "$147.50");
  await office.getByRole("link", { name: "Cash drawers" }).click();
  const { badges } = floor.prepared;
  const theirs = office.getByRole("row").filter({ hasText: badges.dealer });
  await theirs.getByText("$100.00").first().waitFor();
  const mine = office.getByRole("row").filter({ hasText: badges.supervisor });
  assert.equal(await button(mine, "Count and close").count(), 0, "one's own is counted without knowing");
  await picture(office, "cash/office-drawers");
  await button(theirs, "Count and close").click();
  await keys(office, "101");
  await button(dialog(office), "Close with $101.00").click();
  await dialog(office).getByText("Over").waitFor();
  await button(dialog(office), "Done").click();
  await theirs.waitFor({ state: "detached" });
});

test("what was given and counted stands in the events, in words", async () => {
  await office.getByRole("link", { name: "Events" }).click();
  const closed = office.getByRole("row").filter({ hasText: "Drawer closed" });
  await closed.getByText("difference: -$5.00").waitFor();
  await closed.getByText("difference: $1.00").waitFor();
  await office.getByLabel("Where").selectOption({ label: "Table 1 · Demo" });
  await office.getByRole("row").filter({ hasText: "Credit given for cash" }).getByText("$120.00").waitFor();
});

test("no screen had a problem", () => {
  assert.deepEqual(floor.problems, []);
});
