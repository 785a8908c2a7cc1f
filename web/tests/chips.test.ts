/** Chips travel and wins have three sizes, on a seat and on the table display, as a dealer's dice fall. */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import type { Dice, Request } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { coveredPrints, smallLetters } from "./geometry.ts";
import { button, dialog, lies, middle, picture, spot, story } from "./hands.ts";
import { dismiss, resize } from "./scenes.ts";

const SLOW = ["timers.bets_s = 600", "timers.result_s = 600", "make_em_all.on = true"];
const TOTAL_MS = 600;
const STEP_MS = 400;
const DRAWN_MS = 150;
const SEAT = 1;

let floor: Floor;
let seat: Page;
let table: Page;
let dealer: Page;

/** From here on time goes on only as the test turns it: what is told in two seconds can be looked at. */
before(async () => {
  floor = await Floor.open("craps", "dealer_assisted", SLOW);
  seat = await floor.screen("seat 1", "desk", "no-preference");
  table = await floor.screen("table", "desk", "no-preference");
  dealer = await floor.screen("dealer", "desk");
  await floor.signIn(dealer);
  for (const page of [seat, table]) {
    page.setDefaultTimeout(20_000);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000);
  }
});
after(() => floor.close());

async function run(ms: number): Promise<void> {
  for (const page of [seat, table]) await page.clock.runFor(ms);
}

/** What was asked for comes to a page, and is drawn when its clock goes on. */
async function drawn(...what: readonly (() => Promise<boolean>)[]): Promise<void> {
  const by = Date.now() + 10_000;
  for (const each of what) while (!(await each()) && Date.now() < by) await run(20);
}

async function bet(bets: Readonly<Record<string, number>>): Promise<void> {
  for (const [on, dollars] of Object.entries(bets)) {
    await floor.ask(seat, { do: "place_bet", seat: SEAT, spot: on, cents: dollars * 100 }, "done");
  }
  await run(DRAWN_MS);
}

/** Bets close and the dice fall; nothing has moved yet. */
async function roll(...dice: Dice): Promise<void> {
  await floor.ask(dealer, { do: "close_bets" }, "done");
  await floor.ask(dealer, { do: "enter_dice", dice }, "done");
  await floor.ask(dealer, { do: "confirm_dice" }, "done");
  const tells = async () => (await seat.locator(".result.total").count()) > 0;
  await drawn(tells, async () => (await table.locator(".rolled.total").count()) > 0);
}

/** A whole round, which nobody looks at. */
async function deals(dice: Dice): Promise<void> {
  await floor.ask(dealer, { do: "close_bets" }, "done");
  await floor.ask(dealer, { do: "enter_dice", dice }, "done");
  for (const step of ["confirm_dice", "open_bets"] as const) await floor.ask(dealer, { do: step }, "done");
}

/** The result is told to its end, and put away; bets are open again. */
async function opens(): Promise<void> {
  for (let n = 0; n < 3; n += 1) for (const page of [seat, table]) await page.clock.fastForward(3000);
  await floor.ask(dealer, { do: "open_bets" }, "done");
  await drawn(async () => (await seat.locator("header").getByText("Place your bets").count()) > 0);
}

async function has(page: Page, said: string, count = 1): Promise<void> {
  assert.equal(await lies(page, said).count(), count, `${said} on ${page.url()}`);
}

const says = async (page: Page, where: string): Promise<string> =>
  (await page.locator(where).textContent())!.replace(/\s+/g, " ").trim();
const inFlight = (page: Page): Promise<number> => page.locator(".travel svg").count();

const step = story("chips travel and wins have three sizes");

step("the total is told alone, while all chips still lie where they were", async () => {
  await bet({ pass: 10, field: 10, make_em_all: 1 });
  await roll(5, 3);
  assert.match(await says(seat, ".result"), /^8/);
  for (const page of [seat, table]) await has(page, "Field, $10");
  const size = await seat.locator(".result strong").evaluate((one) => getComputedStyle(one).fontSize);
  assert.equal(size, "200px");
  await picture(seat, "chips-total");
  await picture(table, "chips-total-table");
  await opens();
});

step("a loser is swept and a Come walks to its number, on the seat and on the table", async () => {
  await bet({ come: 10, field: 10, "place.5": 10 });
  const credit = await says(seat, '[data-meter="credit"] b');
  await roll(3, 2);
  await run(TOTAL_MS);
  for (const page of [seat, table]) {
    assert.equal(await inFlight(page), 4, "one is swept, one walks, a pay and its stake go home");
    await has(page, "Field, $", 0);
    await has(page, "Come, $10");
  }
  await picture(seat, "chips-sweep");
  await picture(table, "chips-sweep-table");
  assert.equal(await says(seat, '[data-meter="credit"] b'), credit, "the credit waits for its chips");
  await run(STEP_MS);
  for (const page of [seat, table]) {
    await has(page, "Come, $", 0);
    await has(page, "Come on 5, $", 0);
  }
  await run(STEP_MS);
  for (const page of [seat, table]) await has(page, "Come on 5, $10");
  assert.equal(await says(seat, ".travel b"), "+$14");
  await picture(seat, "chips-home");
  await run(STEP_MS + DRAWN_MS);
  for (const page of [seat, table]) assert.equal(await inFlight(page), 0);
  assert.notEqual(await says(seat, '[data-meter="credit"] b'), credit);
  assert.match(await says(seat, ".result.line"), /^5 You win \$4/);
  await picture(table, "chips-all-table");
  await run(2000 - TOTAL_MS - 3 * STEP_MS);
  assert.equal(await seat.locator(".result").count(), 0, "two seconds after the landing it is over");
  await opens();
});

step("what wins as much as it loses is even, and no coins fly", async () => {
  await bet({ field: 10, seven: 10 });
  await roll(5, 4);
  await run(TOTAL_MS + 3 * STEP_MS);
  assert.match(await says(seat, ".result.line"), /^9 Even/);
  assert.equal(await seat.locator("canvas").count(), 0);
});

step("the result goes away by itself", async () => {
  await run(2000);
  assert.equal(await seat.locator(".result").count(), 0);
  await opens();
});

step("five times the stakes is a card with coins", async () => {
  await bet({ "hard.4": 5 });
  await roll(2, 2);
  assert.equal(await seat.locator("canvas").count(), 0);
  await run(TOTAL_MS + 3 * STEP_MS);
  assert.match(await says(seat, ".result.card"), /You win \$35.*Hard 4 ▲ \$35/);
  assert.equal(await seat.locator("canvas").count(), 1);
  await picture(seat, "win-medium");
  await opens();
  assert.equal(await seat.locator(".result").count(), 0);
});

step("more than twenty-five times is the whole felt, and the table is told", async () => {
  await bet({ "horn.12": 5 });
  await roll(6, 6);
  await run(TOTAL_MS + 3 * STEP_MS);
  await run(600);
  const half = await says(seat, ".result.full em");
  assert.ok(!["$0", "$150"].includes(half), `it counts: ${half}`);
  await picture(seat, "win-large");
  await run(800);
  assert.equal(await says(seat, ".result.full em"), "$150");
  assert.equal(await says(table, ".rolled li.large"), "Seat 1, Horn 12 $150");
  await picture(table, "win-large-table");
  const [full, meters] = [await seat.locator(".result").boundingBox(), await seat.locator(".meters").boundingBox()];
  assert.ok(full!.y + full!.height <= meters!.y, "the meters are never covered");
  await opens();
});

step("a tap on the felt skips it, and does nothing else", async () => {
  await bet({ field: 10 });
  await roll(3, 3);
  await run(TOTAL_MS);
  assert.ok((await inFlight(seat)) > 0);
  await seat.mouse.click(...(await middle(spot(seat, "hard.10"))));
  await run(DRAWN_MS);
  assert.equal(await inFlight(seat), 0);
  assert.equal(await seat.getByRole("alert").count(), 0);
  await has(seat, "Field, $", 0);
  assert.ok((await inFlight(table)) > 0, "others go on");
  await opens();
});

step("what loses its last chip stays on the felt until the chip has left, and nothing jumps", async () => {
  await bet({ "hop.1-3": 5 });
  const places = async () => {
    const spots = ["make_em_all", "hop.1-3", "hard.6"].map((id) => spot(table, id).boundingBox());
    return JSON.stringify(await Promise.all(spots));
  };
  const before = await places();
  await roll(5, 2);
  assert.equal(await places(), before, "as the dice land");
  await run(TOTAL_MS + DRAWN_MS);
  assert.equal(await places(), before, "as chips are swept");
  const swept = await table.locator(".travel svg").allTextContents();
  for (const cents of ["1", "5"])
    assert.ok(
      swept.some((said) => said.trim() === cents),
      `$${cents} of ${swept}`,
    );
  await picture(table, "chips-last-table");
  await table.clock.fastForward(3000);
  assert.equal(await spot(table, "make_em_all").count(), 0, "then it goes");
});

step("a seven-out is one line, and a tap opens what it took", async () => {
  const line = seat.locator(".result.line");
  assert.match(await says(seat, ".result.line"), /^7 seven out −\$21/);
  assert.equal(await line.locator("li").count(), 0);
  await picture(seat, "seven-out");
  await line.press("Enter");
  await seat.clock.fastForward(5000);
  assert.match(await says(seat, ".result.card ul"), /Pass Line ▼ \$10/);
  await picture(seat, "seven-out-opened");
  await seat.locator(".result.card").click();
  await seat.locator(".result").waitFor({ state: "detached" });
  await opens();
});

step("the session says what each round came to", async () => {
  await button(seat, "Session").click();
  const rounds = dialog(seat).locator("ol li");
  await rounds.first().getByText("−$21").waitFor();
  assert.match((await rounds.first().textContent())!, /Pass Line\s+\$10\s+−\$10/);
  await picture(seat, "session");
  await seat.keyboard.press("Escape");
});

step("prices stay in sight under chips, with limits printed and with stacks that are off", async () => {
  const player = await floor.screen("seat 2", "laptop");
  const ask = (...requests: readonly object[]) =>
    requests.reduce(async (before, each) => {
      await before;
      await floor.ask(player, { seat: 2, ...each } as Request, "done");
    }, Promise.resolve());
  const bets = (on: readonly string[]) => on.map((id) => ({ do: "place_bet", spot: id, cents: 10_000 }));
  await ask(...bets(["place.4", "place.10", "pass"]));
  await deals([6, 2]);
  await ask(...bets(["come"]));
  await deals([5, 1]);
  await ask(...bets(["come"]));
  await player.locator('[aria-label^="Come on 6, $100"]').waitFor();
  await dialog(player, /odds/).waitFor(); // for the Come on 6
  await dismiss(player);
  for (const limits of [false, true]) {
    if (limits) {
      await button(player, "Options").click();
      await player.getByRole("switch", { name: "Show bet limits" }).click();
      await player.keyboard.press("Escape");
    }
    for (const size of ["laptop", "desk", "slate", "phone"] as const) {
      await resize(player, size);
      assert.deepEqual([...(await coveredPrints(player)), ...(await smallLetters(player))], [], `${size} ${limits}`);
    }
    await resize(player, "laptop");
  }
  assert.ok((await player.locator(".chip rect.tag").count()) > 0);
  await picture(player, "prices-off");
});

step("no screen had a problem", () => {
  assert.deepEqual(floor.problems, []);
});
