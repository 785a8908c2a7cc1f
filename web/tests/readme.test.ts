/** The pictures of README.md show this product: each is taken again and compared. `npm run reference` writes them. */

import { after, before, test } from "node:test";
import { becomeStill, isAsIn, README } from "./pixels.ts";
import { playEvening, type Evening } from "./scenes.ts";

let evening: Evening;
before(async () => {
  evening = await playEvening("craps");
});
after(() => evening.floor.close());

test("the felt", () => isAsIn(README, "felt", evening.seat));

test("the office", async () => {
  await becomeStill(evening, "office", "desk");
  await isAsIn(README, "office", evening.office);
});

test("the roll", async () => {
  const { floor, seat, dealer } = evening;
  await floor.ask(dealer, { do: "close_bets" }, "done");
  await floor.ask(dealer, { do: "enter_dice", dice: [3, 3] }, "done");
  const opened = seat.evaluate(openList);
  await floor.ask(dealer, { do: "confirm_dice" }, "done");
  await opened;
  await seat.locator(".result.card li").first().waitFor();
  await isAsIn(README, "roll", seat);
});

/** Runs in the seat's page: touches the line of the result as soon as it is there. Its list of wagers stays. */
async function openList(): Promise<void> {
  const line = (): HTMLElement | null => document.querySelector(".result.line");
  while (!line()) await new Promise((drawn) => requestAnimationFrame(drawn));
  line()!.click();
}
