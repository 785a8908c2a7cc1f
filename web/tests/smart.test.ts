/** What a tap bets is shown before the tap; chips are carried; what the house returns is said, also before. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { PASSWORD } from "./floor.ts";
import { button, dialog, drag, lies, middle, spot } from "./hands.ts";
import { Table } from "./table.ts";

let table: Table;
let seat: Page;

before(async () => {
  table = await Table.open("craps", ["make_em_all.on = true", "bet_limits.field.max_cents = 500"]);
  ({ seat } = table);
});
after(() => table.close());

const chip = (name: string): Promise<void> => seat.getByRole("radio", { name, exact: true }).click();
/** What a spot says that a tap bets there: always, or when it is pointed at. */
const says = (id: string): Locator => seat.locator(`[data-taps="${id}"]`);
const saysThen = (id: string): Locator => seat.locator(`[data-print="${id}"] .taps`);
const clears = (): Promise<unknown> =>
  table.floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" }, "done");

test("a spot says before the tap what it bets, where that is not what the chip says", async () => {
  await chip("$5");
  await seat.mouse.move(5, 5);
  for (const [id, amount] of [
    ["place.6", "+$6"],
    ["lay.8", "+$6"],
    ["horn", "+$4"],
    ["make_em_all", "+$1"],
  ] as const) {
    assert.equal(await says(id).textContent(), amount);
    assert.ok(await says(id).isVisible(), id);
    assert.match((await spot(seat, id).getAttribute("aria-description"))!, /a tap bets \$/);
  }
  assert.equal(await says("place.5").count(), 0, "five dollars are five dollars there");
  assert.ok(!(await saysThen("place.5").isVisible()));
});

test("a spot that is pointed at, or has the focus, says what a tap bets", async () => {
  await spot(seat, "place.5").hover();
  assert.equal(await saysThen("place.5").textContent(), "+$5");
  assert.ok(await saysThen("place.5").isVisible());
  await seat.keyboard.press("Tab"); // from now on by keyboard
  await spot(seat, "hard.8").focus();
  assert.ok(await saysThen("hard.8").isVisible());
});

test("the tap bets what was said, again and again", async () => {
  await spot(seat, "place.6").click();
  await lies(seat, "Place 6, $6").waitFor();
  assert.equal(await says("place.6").textContent(), "+$6");
  await spot(seat, "place.6").click();
  await lies(seat, "Place 6, $12").waitFor();
  await spot(seat, "horn").click();
  await lies(seat, "Horn, $4").waitFor();
  await clears();
});

test("odds are bet so that they pay evenly", async () => {
  await table.bet("pass", 1_000);
  await table.roll([4, 5]);
  await dialog(seat, /^How much odds/)
    .getByRole("button", { name: "No odds" })
    .click();
  assert.equal(await says("pass.odds").textContent(), "+$6"); // 3 to 2
  await spot(seat, "pass.odds").click();
  await lies(seat, "Pass Odds, $6").waitFor();
  await table.roll([5, 4]);
});

test("a chip that is too small is refused with the least amount, a full spot with the most", async () => {
  await chip("$1");
  await spot(seat, "horn").click();
  await seat.getByRole("alert").getByText("Below the minimum. ($4)").waitFor();
  await chip("$25");
  await seat.mouse.move(5, 5);
  assert.equal(await says("field").textContent(), "+$5");
  await spot(seat, "field").click();
  await lies(seat, "Field, $5").waitFor();
  await spot(seat, "field").click({ force: true });
  await seat.getByRole("alert").getByText("Above the maximum. ($5)").waitFor();
  await clears();
});

test("the question for a commission names bet, stake, win and rate", async () => {
  await chip("$25");
  await spot(seat, "buy.4").click();
  const question = dialog(seat, "Pay a commission of $1.25?");
  const text = (await question.textContent())!;
  for (const part of ["Buy 4", "$25", "wins $50", "5.00% of the bet"])
    assert.ok(text.includes(part), `${part} in ${text}`);
  await question.getByRole("button", { name: "Do not bet" }).click();
  await question.waitFor({ state: "detached" });
});

test("a stack that is carried leaves its place, lights the spot under it and moves there", async () => {
  await table.bet("place.6", 1_200);
  await lies(seat, "Place 6, $12").waitFor();
  const [from, to] = [await middle(spot(seat, "place.6")), await middle(spot(seat, "place.8"))];
  await seat.mouse.move(...from);
  await seat.mouse.down();
  await seat.mouse.move(...to, { steps: 6 });
  await seat.locator('[data-spot="place.8"].over').waitFor();
  assert.equal(await spot(seat, "place.6").getAttribute("aria-label"), "Place 6");
  await seat.mouse.up();
  await lies(seat, "Place 8, $12").waitFor();
  assert.equal(await seat.locator(".over").count(), 0);
  await button(seat, /^Undo/).click();
  await lies(seat, "Place 6, $12").waitFor();
});

test("a stack that may not lie where it is dropped stays, with the reason", async () => {
  await drag(seat, await middle(spot(seat, "place.6")), await middle(spot(seat, "field")));
  await seat.getByRole("alert").getByText("Above the maximum.").waitFor();
  await lies(seat, "Place 6, $12").waitFor();
});

test("a chip off the rack shows in the air what it bets where it is held", async () => {
  const five = seat.getByRole("radio", { name: "$5", exact: true });
  await seat.mouse.move(...(await middle(five)));
  await seat.mouse.down();
  await seat.mouse.move(...(await middle(spot(seat, "place.8"))), { steps: 6 });
  await seat.locator(".ghost").getByText("6", { exact: true }).waitFor();
  await seat.mouse.up();
  await lies(seat, "Place 8, $6").waitFor();
});

test("a stack that is off is grey and says so; one that is on needs no mark", async () => {
  await button(seat, "On / off").click();
  await spot(seat, "place.6").click();
  await lies(seat, "Place 6, $12, off").waitFor();
  assert.deepEqual(await seat.locator(".chip .mark").allTextContents(), ["OFF"]);
  assert.equal(await seat.locator(".table .chip.grey").count(), 1);
  const { height } = (await seat.locator(".chip .tag").boundingBox())!;
  assert.ok(height >= 17, `the mark is ${height} px high`);
  await button(seat, "All on").click();
  await seat.locator(".chip .mark").waitFor({ state: "detached" });
  await button(seat, "Done").click();
});

test("the focus is led into a mode and out of it again", async () => {
  await button(seat, "Take down").focus();
  await seat.keyboard.press("Enter");
  const focused = () => seat.evaluate(() => document.activeElement?.getAttribute("data-button"));
  await seat.locator('[data-button="done"]').waitFor();
  assert.equal(await focused(), "done");
  await seat.keyboard.press("Enter");
  await seat.locator('[data-button="cancel"]').waitFor();
  assert.equal(await focused(), "cancel");
});

test("a tip is one touch and Enter, which is gold only when there is something to give", async () => {
  await button(seat, "Tip").click();
  const pad = dialog(seat, "Tip");
  const enter = pad.getByRole("button", { name: "Enter" });
  assert.equal(await enter.getAttribute("aria-disabled"), "true");
  assert.ok(!(await enter.evaluate((one) => one.classList.contains("main"))));
  await pad.getByRole("button", { name: "$5", exact: true }).click();
  assert.equal(await pad.locator("output").textContent(), "$5");
  assert.ok(await enter.evaluate((one) => one.classList.contains("main")));
  await seat.keyboard.press("Escape");
});

test("the office asks with what a change returns, and the seat names it until it is touched", async () => {
  const { floor } = table;
  const office = await floor.screen("office", "desk");
  await floor.post(office, "/api/sign-in", { badge: floor.prepared.badge, password: PASSWORD });
  await office.goto(`${floor.told.url}/office?page=tables&table=1&part=settings`);
  const setting = office.locator('[data-setting="timers.bets_s"]');
  await setting.locator("input").fill("500");
  await setting.getByRole("button").click();
  const question = dialog(office);
  await question.getByText("1 seat has bets on the table. $18.00 will go back to its credit.").waitFor();
  await question.getByRole("button", { name: "Change" }).click();
  const told = button(seat, /^The house returned your bets: Place 6 \$12, Place 8 \$6\. \$18 is back in your credit\./);
  await told.waitFor();
  await told.click();
  await told.waitFor({ state: "detached" });
});
