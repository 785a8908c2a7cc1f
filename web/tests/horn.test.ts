/** What a tapped chip bets where only some amounts may be bet. */

import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { Floor } from "./floor.ts";

let floor: Floor;
let seat: Page;

before(async () => {
  floor = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600"]);
  seat = await floor.screen("seat 1", "desk");
});
after(() => floor.close());

async function taps(chip: string): Promise<void> {
  await seat.getByRole("radio", { name: chip, exact: true }).click();
  await seat.locator('[data-spot="horn"]').click();
}

test("a $1 chip on the Horn bets nothing, and the tap says what the minimum is", async () => {
  await taps("$1");
  await seat.getByRole("alert").getByText("Below the minimum. ($4)").waitFor();
});

test("a $5 chip on the Horn bets $4", async () => {
  await taps("$5");
  await seat.locator('[data-spot="horn"][aria-label*="$4"]').waitFor();
});
