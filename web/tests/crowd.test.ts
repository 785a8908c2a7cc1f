/** Ten players at one table, each at their own screen, and a jackpot that all of them see. `make looks` runs it: fourteen
 * pages take more than a minute, which is too much for every check. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { Dice } from "../src/wire.ts";
import { Floor, PASSWORD } from "./floor.ts";
import { picture } from "./hands.ts";

const SEATS = 10;
const WINNER = 3;
/** All ten totals pay the meter, with an envy of $1,000 for the dealers (MEA-01), and All of the Bonus one of 5x (BC-03). */
const ENVY = "$1,025";
const GAME = [
  `seats = ${SEATS}`,
  "timers.bets_s = 600",
  "make_em_all.on = true",
  "bonus_craps.on = true",
  'bonus_craps.paytable = "BC-03"',
];
/** All totals but 7. */
const ALL: readonly Dice[] = [
  [1, 1],
  [1, 2],
  [1, 3],
  [1, 4],
  [1, 5],
  [2, 6],
  [3, 6],
  [4, 6],
  [5, 6],
  [6, 6],
];

const skip = process.env["LOOKS"] ? false : "make looks runs it";

let floor: Floor;
let dealer: Page;
let table: Page;
let info: Page;
let office: Page;
let seats: Page[];

before(async () => {
  if (skip) return;
  floor = await Floor.open("craps", "dealer_assisted", GAME);
  dealer = await floor.screen("dealer", "desk");
  await floor.signIn(dealer);
  await dealer.reload();
  [table, info] = [await floor.screen("table", "desk"), await floor.screen("info", "desk")];
  office = await floor.screen("office", "desk");
  await floor.post(office, "/api/sign-in", { badge: floor.prepared.badge, password: PASSWORD });
  seats = [];
  for (let seat = 1; seat <= SEATS; seat += 1) seats.push(await floor.screen(`seat ${seat}`, "laptop"));
});
after(async () => {
  if (skip) return;
  await floor.close();
  assert.deepEqual(floor.problems, []);
});

async function rolls(dice: Dice): Promise<void> {
  await floor.ask(dealer, { do: "close_bets" }, "done");
  await floor.ask(dealer, { do: "enter_dice", dice }, "done");
  await floor.ask(dealer, { do: "confirm_dice" }, "done");
}

test("ten seats bet at one table, and each sees its own chips and the same dice", { skip }, async () => {
  await Promise.all(
    seats.map((page, n) =>
      floor.ask(page, { do: "place_bet", seat: n + 1, spot: "pass", cents: 100 * (n + 1) }, "done"),
    ),
  );
  await floor.ask(seats[WINNER - 1]!, { do: "place_bet", seat: WINNER, spot: "make_em_all", cents: 100 }, "done");
  await floor.ask(seats[WINNER - 1]!, { do: "place_bet", seat: WINNER, spot: "bonus.all", cents: 500 }, "done");
  for (const [n, page] of seats.entries()) {
    const own = n + 1 === WINNER ? "$9" : `$${n + 1}`;
    await page.locator('[data-meter="bet"]').getByText(`${own}.00`).waitFor();
  }
  for (const dice of ALL.slice(0, -1)) {
    await rolls(dice);
    await floor.ask(dealer, { do: "open_bets" }, "done");
  }
  for (const page of [...seats, table, info]) {
    await page.locator(`ol[aria-label="Last rolls"] > li:nth-child(${ALL.length - 1})`).waitFor();
  }
});

test("a jackpot with its envy is seen on every screen", { skip }, async () => {
  await rolls(ALL.at(-1)!);
  const won = /Seat 3 wins Make 'Em All: \$25,000/;
  const envy = new RegExp(`Envy for the dealers: \\${ENVY}`);
  const others = seats.filter((_, n) => n + 1 !== WINNER);
  // All at once: they show it for a while only.
  const told = [...others, table, info, dealer].flatMap((page) =>
    [won, envy].map((says) => page.getByText(says).first()),
  );
  await Promise.all(told.map((one) => one.waitFor()));
  await seats[WINNER - 1]!.getByText(/\$25,\d{3}/)
    .first()
    .waitFor();
  for (const [page, name] of [
    [seats[0]!, "jackpot"],
    [seats[WINNER - 1]!, "winner"],
    [table, "table"],
    [info, "info"],
    [dealer, "dealer"],
  ] as const)
    await picture(page, `crowd-${name}`);
});

test("the envy is with the dealer's money, and the office recalls who won what", { skip }, async () => {
  const figure = dealer.locator("dt", { hasText: /^Envy$/ }).locator("xpath=following-sibling::dd[1]");
  assert.equal(await figure.textContent(), ENVY);
  await office.goto(`${floor.told.url}/office?page=tables&table=1&part=rounds`);
  await office.getByText(`Envy ${ENVY}.00`).waitFor();
  const jackpot = office.getByRole("row").filter({ hasText: "Make 'Em All" });
  await jackpot
    .getByText(/\$25,\d{3}\.\d\d/)
    .first()
    .waitFor();
  await picture(office, "crowd-office");
});
