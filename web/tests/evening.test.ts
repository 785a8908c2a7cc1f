import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { Floor } from "./floor.ts";

const PASSWORD = "four coloured chips on the rail";
let floor: Floor;
let seat: Page;
let dealer: Page;

before(async () => {
  mkdirSync("pictures", { recursive: true });
  floor = await Floor.open("craps", "dealer_assisted");
  seat = await floor.screen("seat 1", "desk");
  dealer = await floor.screen("dealer", "desk");
});
after(async () => {
  await floor.close();
});

const spot = (id: string): Locator => seat.locator(`[data-spot="${id}"]`);
const lies = (name: string): Locator => seat.locator(`[aria-label^="${name}"]`);

/** The middle of a spot's own box. */
async function middle(where: Locator): Promise<[number, number]> {
  const box = (await where.boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(from: [number, number], to: [number, number]): Promise<void> {
  await seat.mouse.move(...from);
  await seat.mouse.down();
  await seat.mouse.move(...to, { steps: 6 });
  await seat.mouse.up();
}

test("a dealer signs in with a one-time password and chooses a new one", async () => {
  const { badge, one_time_password } = floor.told;
  await dealer.getByLabel("Badge").fill(badge);
  await dealer.getByLabel("Password", { exact: true }).fill(one_time_password);
  await dealer.getByRole("button", { name: "Sign in" }).click();
  await dealer.getByLabel("New password").fill(PASSWORD);
  await dealer.getByRole("button", { name: "Sign in" }).click();
  await dealer.getByText(`Dealing: ${badge}`).waitFor();
});

test("a tap bets the selected chip", async () => {
  await seat.getByRole("radio", { name: "$10", exact: true }).click();
  await spot("pass").press("Enter");
  await lies("Pass Line, $10").waitFor();
  await spot("field").click();
  await lies("Field, $10").waitFor();
});

test("a dim spot says why", async () => {
  await spot("come").click();
  await seat.getByRole("alert").getByText("Only after a point was set, until the seven-out.").waitFor();
});

test("undo takes back the last bet", async () => {
  await seat.locator('[data-button="undo"]').click();
  await lies("Field, $10").waitFor({ state: "detached" });
});

test("a chip dropped on a spot is bet, and one dragged off is taken down", async () => {
  await drag(await middle(seat.getByRole("radio", { name: "$25", exact: true })), await middle(spot("place.9")));
  await lies("Place 9, $25").waitFor();
  await drag(await middle(spot("place.9")), [10, 400]);
  await lies("Place 9, $25").waitFor({ state: "detached" });
});

test("a commission is asked for, and declining it places nothing", async () => {
  await spot("buy.4").click();
  const question = seat.getByRole("dialog", { name: "A commission of" });
  await question.waitFor();
  await seat.screenshot({ path: "pictures/commission.png" });
  await question.getByRole("button", { name: "Do not bet" }).click();
  await question.waitFor({ state: "detached" });
  await seat.waitForFunction(() => !document.querySelector(".pending"));
  assert.equal(await spot("buy.4").getAttribute("aria-label"), "Buy 4");
});

test("the settable chip is set by its keypad", async () => {
  const own = seat.locator(".rack .own");
  await own.click();
  await own.click();
  const keypad = seat.getByRole("dialog", { name: "Set this chip" });
  for (const key of ["1", "5", "Enter"]) await keypad.getByRole("button", { name: key, exact: true }).click();
  await spot("hard.8").click();
  await lies("Hard 8, $15").waitFor();
  await seat.getByRole("button", { name: "Cancel", exact: true }).click();
  await spot("hard.8").click();
  await lies("Hard 8, $15").waitFor({ state: "detached" });
  await seat.getByRole("button", { name: "Cancel", exact: true }).click();
});

test("a change of language keeps the bets", async () => {
  await seat.getByRole("button", { name: "Es", exact: true }).click();
  await lies("Línea de pase, ").waitFor();
  await seat.screenshot({ path: "pictures/spanish.png" });
  await seat.getByRole("button", { name: "En", exact: true }).click();
});

test("the dealer's two taps and a confirmation set the point, and the seat is asked for odds", async () => {
  await dealer.getByRole("button", { name: "Close bets" }).click();
  await dealer.getByRole("group", { name: "First die" }).getByRole("button", { name: "4" }).click();
  await dealer.getByRole("group", { name: "Second die" }).getByRole("button", { name: "2" }).click();
  await dealer.screenshot({ path: "pictures/dealer-dice.png" });
  await dealer.getByRole("button", { name: "Confirm 4-2" }).click();
  await seat.getByText("Point is 6").waitFor();
  await dealer.getByRole("button", { name: "Open bets" }).click();
  const question = seat.getByRole("dialog", { name: "What odds do you want to take on 6?" });
  await question.waitFor();
  await seat.screenshot({ path: "pictures/odds.png" });
  await question.getByRole("button", { name: "2×" }).click();
  await lies("Pass Odds, $20").waitFor();
});

test("a locked chip refuses to leave", async () => {
  await drag(await middle(spot("pass.odds")), [10, 400]);
  await lies("Pass Odds, $20").waitFor({ state: "detached" });
  await seat.getByRole("button", { name: "Cancel", exact: true }).click();
  await spot("pass").press("Enter");
  await seat.getByRole("alert").getByText("Locked until it is decided.").waitFor();
  await seat.screenshot({ path: "pictures/refusal.png" });
});

test("after the server was killed and started again, the seat is back with its bets", async () => {
  await floor.kill();
  await seat.getByText("The connection is lost.").waitFor();
  floor.problems.length = 0;
  await floor.serve();
  await seat.getByText("The connection is lost.").waitFor({ state: "detached" });
  await lies("Pass Line, $10").waitFor();
  floor.problems.splice(0, Infinity, ...floor.problems.filter((said) => !said.includes("ERR_CONNECTION_REFUSED")));
});

test("no screen had a problem", () => {
  assert.deepEqual(floor.problems, []);
});
