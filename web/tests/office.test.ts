import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import { Floor, PASSWORD, SIZES, type Size } from "./floor.ts";
import { button, picture, story } from "./hands.ts";
import { ALL } from "./scenes.ts";

const PAGES = [
  "Tables",
  "Progressives",
  "Tickets",
  "Cash drawers",
  "Terminals",
  "Devices",
  "Staff",
  "Events",
  "Reports",
  "Health",
];
const PARTS = ["Seats", "Accounts", "Meters", "Settings", "Rounds", "Dealers", "Par sheet"];
const LANGUAGES = ["English", "Español", "中文"];
const FINGER_PX = 44;

let floor: Floor;
let office: Page;
let seat: Page;
let dealer: Page;

/** One story: later steps need the accounts, tickets and events that earlier ones made. */
const step = story("a day at the office");

before(async () => {
  mkdirSync("pictures/office", { recursive: true });
  floor = await Floor.open("craps", "dealer_assisted", ["make_em_all = { on = true }"]);
  office = await floor.screen("office", "desk");
  seat = await floor.screen("seat 1", "desk");
  dealer = await floor.screen("dealer", "desk");
});
after(async () => {
  await floor.close();
});

const page = (name: string): Promise<void> => office.getByRole("link", { name, exact: true }).click();
const sure = (name: string | RegExp): Promise<void> => office.getByRole("dialog").getByRole("button", { name }).click();

async function openTable(part: string): Promise<void> {
  await page("Tables");
  await button(office, "Open").click();
  await office.getByRole("tab", { name: part, exact: true }).click();
}

/** Signs in with what was filled in; the page is opened anew. */
async function signIn(): Promise<void> {
  await Promise.all([office.waitForEvent("load"), button(office, "Sign in").click()]);
  await office.getByRole("link", { name: "Tables" }).waitFor();
}

async function fillIn(badge: string, password: string): Promise<void> {
  await office.getByLabel("Badge").fill(badge);
  await office.getByLabel("Password", { exact: true }).fill(password);
}

/** A second person approves what the dialog says. */
async function approve(badge: string, password: string): Promise<void> {
  await office.getByLabel("Second person's badge").fill(badge);
  await office.getByLabel("Second person's password").fill(password);
  await button(office, "Approve").click();
}

/** Adds an account; its one-time password, which is shown once. */
async function add(badge: string, label: string, role: string): Promise<string> {
  const form = office.locator("form").filter({ hasText: "Add an account" });
  await form.getByLabel("Badge").fill(badge);
  await form.getByLabel("Name on screens").fill(label);
  await form.getByLabel("Role").selectOption({ label: role });
  await form.getByRole("button", { name: "Add an account" }).click();
  const once = office.getByRole("status").filter({ hasText: `One-time password of ${badge}` });
  const password = await once.locator("output").textContent();
  await once.getByRole("button", { name: "Close" }).click();
  await once.waitFor({ state: "detached" });
  return password!;
}

step("an administrator signs in and sees every page", async () => {
  await fillIn(floor.prepared.badge, floor.prepared.one_time_password);
  await button(office, "Sign in").click();
  await office.getByLabel("New password").fill(PASSWORD);
  await signIn();
  assert.deepEqual(await office.getByRole("navigation").getByRole("link").allTextContents(), PAGES);
});

step("accounts are added with a one-time password that is shown once, and a badge is not used again", async () => {
  await page("Staff");
  const once = await add("pit-1", "Pit one", "Pit boss");
  assert.match(once, /^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/);
  await floor.post(office, "/api/password", { badge: "pit-1", password: once, new: `${PASSWORD} too` });
  const dealers = await add("dealer-7", "Dealer seven", "Dealer");
  await floor.post(office, "/api/password", { badge: "dealer-7", password: dealers, new: `${PASSWORD} three` });
  await office.locator("form").getByLabel("Badge").fill("dealer-7");
  await office.locator("form").getByLabel("Name on screens").fill("Again");
  await button(office, "Add an account").click();
  await office.getByRole("alert").getByText("This badge is taken").waitFor();
});

step("the last administrator stays, whoever is sure", async () => {
  const row = office.getByRole("row").filter({ hasText: floor.prepared.badge });
  await row.getByRole("button", { name: "Remove" }).click();
  await sure("Remove");
  await office.getByRole("alert").getByText("The last active administrator cannot be changed.").waitFor();
});

step("a setting is refused beside its field while a side wager lies, and accepted once it is gone", async () => {
  await floor.ask(seat, { do: "place_bet", seat: 1, spot: "lucky_roller.all", cents: 500 }, "done");
  await openTable("Settings");
  await office.getByLabel("Find a setting").fill("bets_s");
  const setting = office.locator('[data-setting="timers.bets_s"]');
  await setting.getByRole("textbox").fill("45");
  await setting.getByRole("button", { name: "Change" }).click();
  await sure("Change");
  await setting.getByRole("alert").getByText("Only when no locked bets or side bets are on the table.").waitFor();
  await picture(office, "office/setting-refused");
  await floor.ask(seat, { do: "take_bet", seat: 1, spot: "lucky_roller.all" }, "done");
  await setting.getByRole("button", { name: "Change" }).click();
  await sure("Change");
  const changed = office.getByRole("status").filter({ hasText: "timers.bets_s is now 45." });
  await changed.waitFor();
  const [from, to] = await changed.locator("code").allTextContents();
  assert.match(from!, /^[0-9a-f]{64}$/);
  assert.match(to!, /^[0-9a-f]{64}$/);
  assert.notEqual(from, to);
  assert.equal(await setting.getByRole("alert").count(), 0);
  assert.equal(await setting.getByRole("textbox").inputValue(), "45");
});

step("a value that is not allowed is refused with what is", async () => {
  const setting = office.locator('[data-setting="timers.bets_s"]');
  await setting.getByRole("textbox").fill("9000");
  await setting.getByRole("button", { name: "Change" }).click();
  await sure("Change");
  await setting.getByRole("alert").getByText("This setting cannot have that value. (timers.bets_s)").waitFor();
  await setting.getByText("Allowed: a whole number from 1 to 600").waitFor();
});

step("a setting that may move the edge takes a second person, and nothing changes where nobody approves", async () => {
  await office.getByLabel("Find a setting").fill("odds.take");
  const setting = office.locator('[data-setting="odds.take"]');
  await setting.getByRole("textbox").fill("10x");
  await setting.getByRole("button", { name: "Change" }).click();
  await sure("Change");
  const deed = office.getByRole("dialog").filter({ hasText: "Approval by a second person" });
  await deed.getByText("odds.take").waitFor();
  await picture(office, "office/setting-second");
  await deed.getByRole("button", { name: "Cancel" }).click();
  await setting.getByRole("alert").getByText("This needs two people.").waitFor();
  await setting.getByRole("button", { name: "Change" }).click();
  await sure("Change");
  await approve("pit-1", `${PASSWORD} too`);
  await office.getByRole("status").filter({ hasText: "odds.take is now 10x." }).waitFor();
});

step("a table is watched live, and paused and resumed from the office", async () => {
  await office.getByRole("tab", { name: "Seats" }).click();
  await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 500 }, "done");
  const row = office.getByRole("row").filter({ hasText: "Seat 1" });
  await row.getByText("Field $5").waitFor();
  await button(office, "Pause the table").click();
  await sure("Pause the table");
  await button(office, "Resume the table").click();
  await button(office, "Pause the table").waitFor();
});

const tile = (): ReturnType<Page["locator"]> => office.getByRole("article", { name: "1 · Demo" });
const shows = (name: string, says: string): Promise<void> =>
  tile().locator("dl div").filter({ hasText: name }).getByText(says, { exact: true }).waitFor();

step("the tile of a table shows how it stands and what staff should see to, as it happens", async () => {
  await page("Tables");
  await tile().getByText("Bets are open").waitFor();
  await shows("Players", "3 of 3");
  await shows("On the felt", "$5");
  await shows("Handle", "$0");
  await floor.ask(seat, { do: "call_service", seat: 1 }, "done");
  await tile().getByText("Service call: seat 1").waitFor();
  await floor.devices(3).doors.door("cage_main", true);
  await tile().getByText("Lock-up: seat 3").waitFor();
  await picture(office, "office/alarms");
  await floor.devices(3).doors.door("cage_main", false);
  await tile().getByText("Door open: seat 3").waitFor({ state: "detached" });
});

step("a round that was dealt is recalled", async () => {
  const { badge } = floor.prepared;
  await floor.post(dealer, "/api/sign-in", { badge, password: PASSWORD });
  for (const request of [
    { do: "close_bets" },
    { do: "enter_dice", dice: [6, 4] },
    { do: "confirm_dice" },
    { do: "open_bets" },
  ] as const) {
    await floor.ask(dealer, request, "done");
  }
  await openTable("Rounds");
  await office.getByRole("rowheader", { name: "Field" }).waitFor();
  await office.getByText("A dealer entered the dice").waitFor();
  await page("Tables");
  await tile().getByText("Point is 10").waitFor();
  await shows("Handle", "$5");
  await shows("Hold", "−$5 (−100%)");
});

step("a mode that the game does not let anybody choose is not offered", async () => {
  await openTable("Seats");
  await button(office, "Pause the table").waitFor();
  assert.equal(await button(office, "Let the table roll").count(), 0);
});

step("a ticket is looked up by its number and paid once", async () => {
  await floor.ask(seat, { do: "cash_out", seat: 1 }, "done");
  await page("Tickets");
  const number = (await office.getByRole("rowheader").first().textContent())!;
  assert.match(number, /^\d\d(-\d{4}){4}$/);
  await office.getByLabel("Number").fill(number.slice(0, 10));
  await button(office, "Look up").first().click();
  await office.getByRole("alert").getByText("A ticket number has 18 digits; this one has 8.").waitFor();
  await office.getByLabel("Number").fill(number);
  await button(office, "Look up").first().click();
  const ticket = office.getByRole("region", { name: number });
  await ticket.getByText("Valid", { exact: true }).waitFor();
  await ticket.getByRole("button", { name: "Pay $1,005.00" }).click();
  await picture(office, "office/pay");
  await sure("Pay $1,005.00");
  await ticket.getByText("Redeemed").waitFor();
  assert.equal(await ticket.getByRole("button").count(), 0);
});

step("a ticket is voided by two people with a reason", async () => {
  const other = await floor.screen("seat 2", "tablet");
  await floor.ask(other, { do: "cash_out", seat: 2 }, "done");
  await button(office, "Refresh").click();
  await button(office, "Look up").nth(2).waitFor(); // the new ticket is there, above the one before
  await button(office, "Look up").nth(1).click();
  await button(office, "Void").click();
  await office.getByLabel("Reason").fill("printed twice");
  await button(office, "Void").last().click();
  await office
    .getByRole("dialog")
    .getByText(/^Void ticket [0-9 -]+ of .*\. Reason: printed twice$/)
    .waitFor();
  await approve(floor.prepared.badge, PASSWORD);
  await office.getByRole("alert").getByText("This needs two people.").waitFor();
  await picture(office, "office/void");
  await approve("pit-1", `${PASSWORD} too`);
  await office.getByText("printed twice", { exact: true }).waitFor();
  await office.getByRole("row").filter({ hasText: "Voided" }).waitFor();
});

step("a ticket is shown as it was printed", async () => {
  const path = (await office.getByRole("link", { name: "Show as printed" }).getAttribute("href"))!;
  const answer = await office.request.get(new URL(path, floor.told.url).href);
  assert.equal(answer.headers()["content-type"], "application/pdf");
  assert.equal((await answer.body()).subarray(0, 5).toString(), "%PDF-");
});

step("a place is offered by a code that is shown once and enrols a screen", async () => {
  await page("Terminals");
  await office.getByLabel("Screen").selectOption({ label: "Information display" });
  await button(office, "Add a terminal").click();
  const offer = office.getByRole("status").filter({ hasText: "Code for Table 1, Information display" });
  const link = (await offer.locator("code").textContent())!;
  assert.ok(link.startsWith(`${floor.told.url}/info#`), link);
  await picture(office, "office/offer");
  const info = await office.context().browser()!.newPage();
  await info.goto(link);
  await info.waitForSelector("main");
  const row = office.getByRole("row").filter({ hasText: "Table 1, Information display" });
  await row.getByText("Connected", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Revoke" }).click();
  await sure("Revoke");
  await row.waitFor({ state: "detached" });
  await info.getByText("This screen is no longer enrolled.").waitFor();
  await info.close();
  await offer.getByRole("button", { name: "Close" }).click();
  assert.equal(await offer.count(), 0);
});

step("a report comes with its plots, and as files", async () => {
  await page("Reports");
  await office.getByLabel("About").selectOption({ label: "Table 1 · Demo" });
  await office.getByLabel("Period").selectOption({ label: "Today" });
  await button(office, "Create report").click();
  const report = office.frameLocator("iframe");
  await report.getByRole("heading", { name: "Report of table 1" }).waitFor();
  assert.ok((await report.locator("svg").count()) >= 3);
  const box = await report.locator("svg").first().boundingBox();
  assert.ok(box && box.width > 200 && box.height > 80, "the plot is drawn");
  await picture(office, "office/report");
  const path = (await office.getByRole("link", { name: "Download as CSV" }).getAttribute("href"))!;
  const files = await office.request.get(new URL(path, floor.told.url).href);
  assert.match(files.headers()["content-disposition"]!, /^attachment; filename="report-table-1-\d{8}-\d{6}\.zip"$/);
});

step("days that end before they begin are not reported", async () => {
  await office.getByLabel("Period").selectOption({ label: "Several days" });
  await office.getByLabel("From").fill("2026-01-02");
  await office.getByLabel("To", { exact: true }).fill("2026-01-01");
  await button(office, "Create report").click();
  await office.getByRole("alert").getByText("The first day is after the last day.").waitFor();
});

step("the par sheet is that of the game as the table has it set", async () => {
  await openTable("Par sheet");
  const sheet = office.frameLocator("iframe");
  await sheet.getByRole("heading", { name: "Par sheet: Craps", exact: true }).waitFor();
  const tables = await office.request.get(`${floor.told.url}/api/tables`);
  const [{ fingerprint }] = (await tables.json()) as [{ fingerprint: string }];
  assert.equal(await sheet.locator("dd code.exact").first().textContent(), fingerprint);
});

step("events tell who did what, and are searched", async () => {
  await page("Events");
  await office.getByRole("row").filter({ hasText: "Ticket voided" }).getByText("printed twice").waitFor();
  await office.getByLabel("Search").fill("pit-1");
  await office.getByRole("row").filter({ hasText: "Ticket voided" }).waitFor();
  await office.getByLabel("Where").selectOption({ label: "Table 1 · Demo" });
  await office.getByLabel("Search").fill("");
  await office.getByRole("row").filter({ hasText: "Setting changed" }).getByText("timers.bets_s").waitFor();
});

step("progressives and health are told", async () => {
  await page("Progressives");
  await office.getByLabel("Value").getByText("$25,000.00").waitFor();
  await page("Health");
  await office.getByText("All tables are running").waitFor();
  await office.getByText("SQLite").waitFor();
});

step("two people change what a meter owns, and the change waits until the meter is won", async () => {
  await page("Progressives");
  await button(office, "Change the meter").click();
  await office.getByLabel("What").selectOption("increment_bp");
  await office.getByLabel("New value").fill("400");
  await button(office, "Change the meter").last().click();
  const meter = "make_em_all/100/MEA-01";
  await office
    .getByRole("dialog")
    .getByText(`Change increment_bp of the meter ${meter} to 400 after it is won`)
    .waitFor();
  await approve("pit-1", `${PASSWORD} too`);
  await office.getByText("Takes effect after the meter is won: Increment, from 500 to 400.").waitFor();
  await picture(office, "office/meter-waits");
});

step("a meter that no table plays any more keeps its money until two people move it", async () => {
  await openTable("Settings");
  await office.getByLabel("Find a setting").fill("make_em_all.base_cents");
  const setting = office.locator('[data-setting="make_em_all.base_cents"]');
  await setting.getByRole("textbox").fill("500");
  await setting.getByRole("button", { name: "Change" }).click();
  await sure("Change");
  await approve("pit-1", `${PASSWORD} too`);
  await office.getByRole("status").filter({ hasText: "make_em_all.base_cents is now 500." }).waitFor();
  await page("Progressives");
  const old = office.getByRole("region", { name: "make_em_all/100/MEA-01" });
  await old.getByText("$25,000.00").first().waitFor();
  await old.getByText("No table here plays it now.").waitFor();
  await old.getByRole("button", { name: "Move its money" }).click();
  await old.getByRole("button", { name: "Move its money" }).last().click();
  await office.getByRole("dialog").getByText("Move $25,000.00 and the reserve of the meter").waitFor();
  await approve("pit-1", `${PASSWORD} too`);
  await office
    .getByRole("region", { name: "make_em_all/500/MEA-01" })
    .getByLabel("Value")
    .getByText("$150,000.00")
    .waitFor();
  await old.waitFor({ state: "detached" });
});

/** What is too small for a finger, or wider than the screen. */
async function misfits(): Promise<string[]> {
  return office.evaluate((px) => {
    const found: string[] = [];
    for (const one of document.querySelectorAll("button, a, select, input")) {
      const { height } = one.getBoundingClientRect();
      if (height && height < px) found.push(`${one.textContent?.trim() || one.tagName} is ${height} px high`);
    }
    for (const one of [document.documentElement, document.querySelector(".office main")!]) {
      const over = one.scrollWidth - one.clientWidth;
      if (over > 0) found.push(`${one.tagName} is ${over} px too wide`);
    }
    return found;
  }, FINGER_PX);
}

for (const [turn, language] of LANGUAGES.entries()) {
  const sizes = (["desk", "tablet", "phone"] satisfies Size[]).filter((_, n) => ALL || n === turn);
  step(`every page fits in ${language}: ${sizes.join(", ")}`, async () => {
    await button(office, language).click();
    for (const size of sizes) {
      const [width, height] = SIZES[size];
      await office.setViewportSize({ width, height });
      for (let n = 0; n < PAGES.length; n += 1) {
        await office.getByRole("navigation").getByRole("link").nth(n).click();
        await look(`${language}-${size}-${PAGES[n]}`);
      }
      await office.getByRole("navigation").getByRole("link").first().click();
      await office.locator("article button").click();
      for (let n = 0; n < PARTS.length; n += 1) {
        await office.getByRole("tab").nth(n).click();
        await look(`${language}-${size}-Table-${PARTS[n]}`);
      }
    }
  });
}

async function look(name: string): Promise<void> {
  await office.locator(".office main .page").waitFor();
  await office.waitForFunction(() => !document.querySelector("main .quiet[role=status]"));
  assert.deepEqual(await misfits(), [], name);
  await picture(office, `office/${name}`);
}

step("a dealer is shown only what a dealer may do", async () => {
  await office.setViewportSize({ width: 1920, height: 1080 });
  await button(office, "English").click();
  await button(office, "Sign out").click();
  await fillIn("dealer-7", `${PASSWORD} three`);
  await signIn();
  assert.deepEqual(await office.getByRole("navigation").getByRole("link").allTextContents(), [
    "Tables",
    "Cash drawers",
  ]);
  await tile().getByText("Bets are open").waitFor();
  assert.equal(await tile().getByText("Hold").count(), 0);
  assert.equal(
    await button(office, "Open").count(),
    0,
    "the money of a table is for those who may read the audit menu",
  );
  assert.equal(await office.getByRole("tab").count(), 0);
});

step("no screen had a problem but the refusals that were asked for", () => {
  const refused = /Failed to load resource: the server responded with a status of 40[139]/;
  assert.deepEqual(
    floor.problems.filter((said) => !refused.test(said)),
    [],
  );
});
