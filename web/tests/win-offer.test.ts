/** After a Place win, OK next to the stack presses it by the win (RTW 5), and the felt stays where it is. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { button, lies, middle, spot } from "./hands.ts";
import { Table } from "./table.ts";

let table: Table;

before(async () => {
  table = await Table.open("roll-to-win");
});
after(() => table.close());

test("OK is at the spot that won, presses it, and moves nothing on the felt", async () => {
  const { seat } = table;
  await table.bet("pass", 500);
  await table.roll([2, 2]);
  await seat.getByRole("button", { name: "No odds" }).click();
  await table.bet("place.6", 1_200);
  await lies(seat, "Place 6, $12").waitFor();
  const felt = seat.locator(".zone.line");
  const before = await felt.boundingBox();
  await table.roll([4, 2]);
  const ok = button(seat, "OK +$14");
  await ok.waitFor();
  assert.deepEqual(await felt.boundingBox(), before);
  const [[x, y], place] = [await middle(ok), (await spot(seat, "place.6").boundingBox())!];
  assert.ok(Math.abs(x - place.x - place.width / 2) < place.width, "next to its spot");
  assert.ok(Math.abs(y - place.y) < 2 * place.height, "next to its spot");
  await ok.click();
  await lies(seat, "Place 6, $26").waitFor();
  await ok.waitFor({ state: "detached" });
  assert.deepEqual(await felt.boundingBox(), before);
});
