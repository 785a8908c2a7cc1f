/** A seat with every special game of its table, at every size: nothing is too small, hidden or in the way. `LOOKS=all`: of
 * all games, in every language and at every size. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { SeatView } from "../src/wire.ts";
import { violations } from "./axe.ts";
import { PYTHON, type Size } from "./floor.ts";
import { coveredPrints, examine, smallLetters } from "./geometry.ts";
import { picture, spot } from "./hands.ts";
import { ALL, dismiss, GAMES, LANGUAGES, quiet, resize, speak, tabsOf, type Game } from "./scenes.ts";
import { Table } from "./table.ts";

const SIZED: readonly Size[] = ALL
  ? ["desk", "terminal", "laptop", "tablet", "slate", "phone", "lying"]
  : ["desk", "laptop", "slate", "lying"];
const views = JSON.parse(execFileSync(PYTHON, ["tests/views.py"], { maxBuffer: 1 << 26 }).toString()) as SeatView[];

/** Chips of every kind; what the game lacks, or takes only later, is refused. */
const FIRST = [
  ...["pass", "field", "place.5", "place.8", "place.10", "big.8", "hard.4", "hard.8", "lucky_roller.low"],
  ...["lucky_roller.all", "bonus.all", "bonus.tall", "make_em_all", "fired_up", "hot_shooter"],
];
const THEN = ["pass.odds", "come", "place.9", "low_field", "c", "any_craps", "horn", "horn.12", "hop.1-3", "hop.5-6"];

/** The settings that give a game every special game that it can have. */
function everySideGame(game: Game): string[] {
  const { felt } = views[GAMES.length + GAMES.indexOf(game)]!.shared;
  const names = new Set(felt.flatMap((each) => each.game ?? []));
  return [...names].map((name) => `${name}.on = true`);
}

for (const game of ALL ? GAMES : GAMES.slice(0, 1)) {
  describe(`${game} with every special game`, () => {
    let table: Table;
    const bet = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        for (const cents of [1200, 500, 100]) {
          const { type } = await table.floor.ask(table.seat, { do: "place_bet", seat: 1, spot: id, cents });
          if (type === "done") break;
        }
      }
    };

    before(async () => {
      mkdirSync("pictures", { recursive: true });
      table = await Table.open(game, everySideGame(game));
      await bet(FIRST);
      await table.roll([4, 2]);
      await bet(THEN);
      await table.roll([1, 3]);
      const { seat } = table;
      if (game === "craps") await seat.getByRole("dialog", { name: /odds/ }).waitFor(); // for the come bet on the 4
      await dismiss(seat);
      await table.roll([3, 2]);
      await seat.waitForFunction((n) => document.querySelectorAll("[aria-label='Last rolls'] li").length === n, 3);
      await seat.getByText("Place your bets", { exact: true }).waitFor();
      await quiet(seat);
      await dismiss(seat);
    });
    after(() => table.close());

    for (const [n, size] of SIZED.entries()) {
      test(`the seat is well laid out at ${size}: no letters under 13 px, no price under a chip, no barrier`, async () => {
        const { seat } = table;
        const said: string[] = [];
        for (const language of ALL ? LANGUAGES : [LANGUAGES[n % LANGUAGES.length]!]) {
          await speak(seat, language);
          await resize(seat, size);
          for await (const tab of tabsOf(seat, "[role=tab]:visible")) {
            assert.equal(await seat.locator("dialog").count(), 0, "the felt itself is looked at");
            const faults = [
              ...(await examine(seat)),
              ...(await smallLetters(seat)),
              ...(await coveredPrints(seat)),
              ...(await violations(seat)),
            ];
            said.push(...faults.map((fault) => `${size}, ${language}, tab ${tab}: ${fault}`));
            await picture(seat, `sides-${game}-${size}-${tab}-${language}`);
          }
        }
        assert.ok(!said.length, said.join("\n"));
      });
    }
    if (game === "craps") shownAsRows(() => table);
  });
}

function shownAsRows(played: () => Table): void {
  let seat: Page;
  before(() => void ({ seat } = played()));

  /** What of these can be seen without scrolling. */
  const inSight = (spots: readonly string[]): Promise<string[]> =>
    seat.evaluate(
      (ids) =>
        ids.filter((id) => {
          const { left, right, top, bottom } = document.querySelector(`[data-spot="${id}"]`)!.getBoundingClientRect();
          const { scrollTop } = document.querySelector(".main-room")!;
          const at = document.elementFromPoint((left + right) / 2, bottom - 4)?.closest<SVGElement>("[data-spot]");
          return scrollTop === 0 && top > 0 && at?.dataset["spot"] === id;
        }),
      spots,
    );

  test("all six are in sight at once at 1366×768, each in a row of at least 44 px with its progress and best pay", async () => {
    await speak(seat, "en");
    await resize(seat, "laptop");
    await seat.getByRole("tab", { name: /Special/ }).click();
    const rows = seat.locator("[data-game]");
    assert.equal(await rows.count(), 6);
    for (const each of await rows.all()) {
      const box = (await each.boundingBox())!;
      assert.ok(box.height >= 44 && box.y > 0 && box.y + box.height < 768, JSON.stringify(box));
    }
    await seat.locator('[data-print="make_em_all"]').getByText("$25,000").waitFor();
    await seat.locator('[data-print="lucky_shooter"]').getByText("150:1").waitFor();
  });

  test("a tap on its name opens its ladder, and another or Escape closes it; a tap on its spot asks for the bet", async () => {
    await resize(seat, "desk");
    await seat.getByRole("tab", { name: /Special/ }).click();
    await seat.locator('[data-game="lucky_roller"]').click();
    const ladder = seat.getByRole("dialog", { name: "LUCKY ROLLER" });
    await ladder.waitFor();
    const [over, props] = [(await ladder.boundingBox())!, (await seat.locator("section.props").boundingBox())!];
    assert.ok(
      Math.abs(over.y - props.y) < 3 && Math.abs(over.height - props.height) < 6,
      "it lies over the props panel",
    );
    await ladder.getByText("155 to 1").waitFor();
    await ladder
      .getByText(/^Still needed: /)
      .first()
      .waitFor();
    await seat.keyboard.press("Escape");
    await ladder.waitFor({ state: "detached" });
    assert.equal(await seat.evaluate(() => (document.activeElement as SVGElement).dataset["game"]), "lucky_roller");
    await seat.keyboard.press("Enter");
    await ladder.waitFor();
    await seat.locator('[data-game="lucky_roller"]').click();
    await ladder.waitFor({ state: "detached" });
    await spot(seat, "lucky_shooter").click({ force: true }); // which is not open now
    await seat.locator(".sides").getByRole("alert").waitFor();
    assert.equal(await seat.getByRole("dialog").count(), 0);
  });

  test("the header is one row, whatever progressives run", async () => {
    for (const size of ["desk", "terminal", "laptop", "tablet"] as const) {
      await resize(seat, size);
      const { height } = (await seat.locator("header").first().boundingBox())!;
      assert.ok(height <= 66, `${size}: ${height} px`);
      assert.equal(await seat.locator("header").getByText("$25,000").count(), 0);
    }
  });

  test("a phone opens at the line, the Field and the numbers to place; what is against the shooter is under More bets", async () => {
    await resize(seat, "phone");
    await seat.locator("[role=tab]").first().click();
    const first = ["pass", "pass.odds", "field", ...[4, 5, 6, 8, 9, 10].map((number) => `place.${number}`)];
    assert.deepEqual(await inSight(first), first);
    assert.equal(await spot(seat, "lay.4").count(), 0);
    await seat.getByRole("button", { name: /^More bets/ }).click();
    await spot(seat, "lay.4").waitFor();
    await spot(seat, "dont_pass").waitFor();
    await seat.getByRole("button", { name: /^More bets/ }).click();
  });

  test("on a phone a refusal at the edge of the felt is whole", async () => {
    await resize(seat, "phone");
    const dim = seat.locator('.main-room [data-spot][aria-disabled="true"]');
    for (let n = 0; n < (await dim.count()); n += 1) {
      await dim.nth(n).press("Enter");
      const says = (await seat.locator("p.bubble").boundingBox())!;
      const felt = (await seat.locator(".main-room").boundingBox())!;
      assert.ok(says.x >= felt.x && says.x + says.width <= felt.x + felt.width, JSON.stringify(says));
    }
    assert.ok((await dim.count()) > 2, "there are such spots");
  });

  test("a phone lying down has the felt at full height, chips in a column and the rest in a drawer", async () => {
    await resize(seat, "lying");
    await seat.locator(".main-room").evaluate((room) => room.scrollTo(0, 0));
    const felt = (await seat.locator(".table").boundingBox())!;
    const rack = (await seat.locator(".rack").boundingBox())!;
    assert.ok(felt.height > 370 && felt.width > 580, JSON.stringify(felt));
    assert.ok(rack.height > 3 * rack.width && rack.x >= felt.x + felt.width, JSON.stringify(rack));
    const first = ["pass", "field", ...[4, 5, 6, 8, 9, 10].map((number) => `place.${number}`)];
    assert.deepEqual(await inSight(first), first);
    await seat.getByRole("button", { name: /^Rolls and meters/ }).click();
    for (const meter of ["win", "denomination", "bet", "last_win", "last_bet", "playable", "credit"])
      await seat.locator(`.drawer [data-meter="${meter}"]`).waitFor();
    await seat.locator('.drawer [data-button="undo"]').waitFor();
    assert.deepEqual([...(await examine(seat)), ...(await smallLetters(seat))], []);
    await picture(seat, "sides-lying-drawer");
    await seat.getByRole("button", { name: /^Rolls and meters/ }).click();
  });

  test("the table display shows the special games that are bet on, each at least 44 px high, and no others", async () => {
    const table = await played().floor.screen("table", "desk");
    await table.locator(".sides svg > text").first().waitFor();
    const names = await table.locator(".sides svg > text").allTextContents();
    assert.ok(names.includes("LUCKY ROLLER") && !names.includes("FIRED UP"), names.join());
    const { height } = (await table.locator(".zone.sides").boundingBox())!;
    assert.ok(height / names.length >= 44, `${height} px for ${names.length}`);
    await picture(table, "sides-table");
  });
}
