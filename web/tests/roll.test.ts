/** One clock for the roll: no screen shows anything of a result before the dice land. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { Floor } from "./floor.ts";
import { picture, settle } from "./hands.ts";
import { shown, World } from "./world.ts";

const PACE = [
  "roll_button = true",
  "timers.bets_s = 600",
  "timers.shooter_s = 600",
  "timers.flight_ms = 2000",
  "timers.result_s = 4",
];
const DELAY_MS = 100;
/** Of a line that is slow one way only, which looks like a clock that is wrong by half of it. */
const ONE_WAY_MS = 200;
/** A page and the test read the machine's clock in whole milliseconds. */
const READING_MS = 2;

/** Waits until a page shows so many rolls, and fails if it did before the dice landed. */
async function landed(page: Page, { landsAt }: World, count: number): Promise<void> {
  await page
    .locator('ol[aria-label="Last rolls"] > li')
    .nth(count - 1)
    .waitFor();
  const [at] = (await shown(page)).rolls.find(([, rolls]) => rolls >= count)!;
  assert.ok(at >= landsAt - READING_MS, `${page.url()} showed the result ${landsAt - at} ms before the landing`);
}

/** The seat has wagers, and presses Roll: bets close. */
async function closes(floor: Floor, seat: Page): Promise<void> {
  await floor.ask(seat, { do: "place_bet", seat: 1, spot: "dont_pass", cents: 500 });
  await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 500 }, "done");
  await floor.ask(seat, { do: "press_roll", seat: 1 }, "done");
  await seat.locator(".over.mine").waitFor();
}

/** More than a flight has. */
const FRAMES_MAX = 500;

describe("at an automated table with wrong clocks and slow lines", () => {
  const worlds = [
    new World(5_000, DELAY_MS),
    new World(-5_000, 0),
    new World(-5_000, ONE_WAY_MS, 0),
    new World(0, 0, ONE_WAY_MS),
  ];
  const [first, second] = worlds as [World, World];
  let floor: Floor;
  let shooter: Page;
  let other: Page;
  let pages: Page[];

  before(async () => {
    floor = await Floor.open("craps", "automated", PACE);
    const places = ["seat 1", "seat 2", "table", "info"];
    pages = [];
    for (const [n, place] of places.entries()) {
      pages.push(await floor.screen(place, "laptop", "no-preference", worlds[n]!.around));
    }
    [shooter, other] = pages as [Page, Page];
  });
  after(async () => {
    await floor.close();
    assert.deepEqual(floor.problems, []);
  });

  test("the throw is in the middle, others see who throws, and no screen tells the result early", async () => {
    await closes(floor, shooter);
    await other.getByRole("status").getByText("Seat 1 throws the dice").waitFor();
    await picture(shooter, "roll-throw");
    const felt = (await shooter.locator(".table").boundingBox())!;
    await shooter.mouse.move(felt.x + 80, felt.y + felt.height / 2);
    await shooter.mouse.down();
    await shooter.mouse.move(felt.x + felt.width + 200, felt.y + 20, { steps: 4 });
    await shooter.mouse.up();
    await Promise.all(pages.map((page, n) => landed(page, worlds[n]!, 1)));
    for (const page of pages.slice(0, 3)) assert.equal((await shown(page)).flights, 1, page.url());
  });

  test("a screen that comes back in mid-flight tells nothing early, and neither does one that opens then", async () => {
    await shooter.getByText("Place your bets").first().waitFor();
    await closes(floor, shooter);
    await shooter.locator(".over.mine").press("Enter");
    await other.locator(".flight").waitFor();
    await second.cut();
    // A page that opens meanwhile would slow it down.
    for (let n = 0; n < FRAMES_MAX && !second.backAt; n += 1) await settle(shooter);
    const third = new World(5_000, 0);
    const late = await floor.screen("seat 3", "laptop", "no-preference", third.around);
    await Promise.all([landed(other, second, 2), landed(shooter, first, 2), landed(late, third, 2)]);
    assert.ok(second.backAt && second.backAt < second.landsAt, "it was back while the dice flew");
  });
});

describe("at a table with one seat", () => {
  const world = new World(0, 0);
  let floor: Floor;
  let seat: Page;

  before(async () => {
    floor = await Floor.open("craps", "automated", ["seats = 1", "timers.result_s = 2"]);
    seat = await floor.screen("seat 1", "laptop", "no-preference", world.around);
  });
  after(async () => {
    await floor.close();
    assert.deepEqual(floor.problems, []);
  });

  test("the player may cut the flight short", async () => {
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "pass", cents: 500 }, "done");
    await seat.evaluate(() => {
      new MutationObserver(() => document.querySelector<HTMLElement>(".over")?.click()).observe(document, {
        childList: true,
        subtree: true,
      });
    });
    await seat.locator("footer .dice").click();
    await seat.locator('ol[aria-label="Last rolls"] > li').waitFor();
    assert.equal(world.atOnce, true);
  });
});
