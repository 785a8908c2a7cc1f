/** What the screens explain: rules, help, the coach, and how the special games stand. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { LANGUAGES, lights, Table } from "./table.ts";

// --- Rules and help ---

describe("shoot-to-win", () => {
  let table: Table;
  before(async () => {
    table = await Table.open("shoot-to-win");
  });
  after(() => table.close());

  test("the rules say that the dice pass at each point too", async () => {
    const { text } = await table.rules();
    assert.match(
      text,
      /After a seven-out the dice go to the next seat that wants them\. They also go to the next seat each time a point is set/,
    );
  });

  test("the rules say what stays up, what excludes what, what is locked, and when a wager works", async () => {
    const { rows } = await table.rules();
    assert.match(rows["Pass Line"]!, /Not together with Don't Pass Changes Locked once it has its point/);
    assert.match(rows["Pass Line"]!, /It stays up until it loses.* at most 2× the bet on every point/);
    assert.match(rows["Don't Pass"]!, /Locked once it has its point/);
    assert.match(rows["Don't Come"]!, /you can reduce or remove it, but not increase it.* After 2 or 3 it stays up/);
    const place = Object.entries(rows).find(([name]) => name.startsWith("Place 4 · 5 · 6"))![1];
    assert.match(place, /Not together with Lay \(any number\), Place to Lose \(any number\)/);
    assert.match(place, /It stays up .* Working An earlier bet is off on a come-out roll/);
  });

  test("the rules and the card say what may really be staked on Don't Come odds", async () => {
    const real = /4: 4× · 5: 3× · 6: 2.4× · 8: 2.4× · 9: 3× · 10: 4×/;
    assert.match((await table.rules()).rows["Don't Come"]!, real);
    assert.match((await table.help("dont_come"))["Odds behind it"]!, real);
  });

  test("a don't bet's card says that 12 pushes", async () => {
    for (const bet of ["dont_pass", "dont_come"]) {
      const card = await table.help(bet);
      assert.equal(card["Wins on"], "2, 3");
      assert.match(card["Pushes on"]!, /^12 \(no win, no loss/);
    }
  });

  test("Lucky Roller may be bet before any roll here", async () => {
    assert.equal((await table.help("lucky_roller.all"))["When to bet"], "Before any roll, if you have no bet there.");
  });
});

describe("craps with every special game", () => {
  const EVERYTHING = [
    "puck_can_be_reset = true",
    "roll_button = true",
    "bonus_craps.on = true",
    "bonus_craps.aggregate_max_cents = 2_500_000",
    "make_em_all.on = true",
    "fired_up.on = true",
    "hot_shooter.on = true",
  ];
  let table: Table;
  let display: Page;
  before(async () => {
    table = await Table.open("craps", EVERYTHING);
    display = await table.floor.screen("table", "desk");
  });
  after(() => table.close());

  test("a card says that Place starts off after a seven-out, and odds are 5× on every point", async () => {
    assert.match(
      (await table.help("place.6"))["Working"]!,
      /^On every roll, unless you switch it off\. If you bet it after a seven-out.* it starts OFF/,
    );
    assert.match((await table.help("buy.4"))["Working"]!, /it starts OFF/);
    assert.doesNotMatch((await table.help("hard.8"))["Working"]!, /OFF/);
    assert.match((await table.help("lay.4"))["Working"]!, /it goes on again after a point is set or a 7/);
    assert.equal((await table.help("pass"))["Odds behind it"], "at most 5× the bet on every point");
    assert.equal((await table.help("place.6"))["Not together with"], "Lay (same number)");
    assert.equal((await table.help("place.6"))["After a win"], "Stake and win go to your credit.");
  });

  test("the windows of the special games are told", async () => {
    assert.equal((await table.help("lucky_shooter"))["When to bet"], "Only before a come-out roll.");
    assert.equal((await table.help("hot_shooter"))["When to bet"], "Only before the first roll of a hand.");
    assert.equal((await table.help("fired_up"))["When to bet"], "Only after a 7, or before the first roll.");
    assert.match(
      (await table.help("bonus.small"))["When to bet"]!,
      /^Only after a 7.* Again once the table has rolled its whole set\.$/,
    );
  });

  test("a limit on what a special game pays at this table is posted", async () => {
    const posted = "At most $25,000 per roll at this table; higher wins are reduced in proportion.";
    assert.equal((await table.help("bonus.all"))["Table limit"], posted);
    assert.match((await table.rules()).text, new RegExp(posted.replace("$", "\\$")));
    assert.equal((await table.help("lucky_roller.all"))["Table limit"], undefined);
  });

  test("Fired Up's card says its sequences in order, what each length pays, and what ends it", async () => {
    const card = await table.help("fired_up");
    assert.equal(
      card["Pays"],
      "1 in order: 1 for 1 · 2 in order: 5 for 1 · 3 in order: 40 for 1 · 4 in order: 300 for 1 · 5 in order: the whole meter",
    );
    assert.match(card["How it plays"]!, /exactly this order: 6-5-4-3-2 or 8-9-10-11-12\./);
    assert.match(card["How it plays"]!, /The first miss ends the bet.* The first roll selects the sequence\./);
    assert.equal(card["Wins on"], undefined);
    assert.match((await table.rules()).text, /6-5-4-3-2 or 8-9-10-11-12/);
  });

  test("Make 'Em All's card says what it collects and from how many it pays", async () => {
    const card = await table.help("make_em_all");
    assert.match(card["How it plays"]!, /Different totals in a row.* A 7 or a repeated total ends the bet.* from 5 on/);
    assert.match(card["Pays"]!, /^5 different totals: 2 for 1/);
    assert.equal(card["Several winners"], "Each is paid the whole meter.");
  });

  for (const language of LANGUAGES) {
    test(`every button of the seat screen is described: ${language}`, async () => {
      await table.speak(language);
      const shown = await table.seat.evaluate(() => {
        const told = "nav button, .shoot button:not(.dice), header .tools > button";
        const texts = [...document.querySelectorAll(told)].map((button) => button.firstChild!.textContent!.trim());
        return texts.filter(Boolean);
      });
      assert.ok(shown.length >= 20, `${shown}`);
      const { rows } = await table.rules(language);
      assert.deepEqual(
        shown.filter((name) => !rows[name]),
        [],
      );
      assert.doesNotMatch(Object.values(rows).join(), /undefined|\{/);
    });
  }

  test("Fired Up's sequences are printed at its spot, and how far the wager has come is lit", async () => {
    await table.speak("en");
    await table.bet("fired_up", 100);
    const printed = (page: Page) =>
      page
        .locator('[data-lammer^="fired_up "]')
        .evaluateAll((all) => all.map((one) => one.querySelector("text")!.textContent));
    for (const page of [table.seat, display]) {
      await page.locator('[data-lammer="fired_up 6"]').waitFor({ state: "attached" });
      assert.deepEqual((await printed(page)).map(Number), [6, 5, 4, 3, 2, 8, 9, 10, 11, 12]);
    }
    await table.roll([4, 2], [3, 2]);
    for (const page of [table.seat, display]) await lights(page, "fired_up", [6, 5]);
    await table.roll([6, 6]); // a miss
    for (const page of [table.seat, display]) await lights(page, "fired_up", []);
    await table.bet("field", 500);
    await table.roll([3, 4]);
  });

  test("a fulfilled Lucky Roller field is outlined in gold until the next 7", async () => {
    const outlined = () =>
      table.seat
        .locator(".spot.fulfilled")
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["spot"]));
    await table.bet("lucky_roller.low", 500);
    await table.bet("lucky_roller.all", 500);
    await table.roll([1, 1], [1, 2], [2, 2], [3, 2]);
    await lights(table.seat, "lucky_roller", [2, 3, 4, 5]);
    assert.deepEqual(await outlined(), []);
    await table.roll([3, 3]);
    await lights(table.seat, "lucky_roller", [2, 3, 4, 5, 6]);
    assert.deepEqual(await outlined(), ["lucky_roller.low"]);
    await table.roll([4, 4], [4, 5], [5, 5], [5, 6]);
    await lights(table.seat, "lucky_roller", [2, 3, 4, 5, 6, 8, 9, 10, 11]);
    assert.deepEqual(await outlined(), ["lucky_roller.low"]);
    await table.roll([6, 6]);
    await lights(table.seat, "lucky_roller", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]);
    assert.deepEqual((await outlined()).sort(), ["lucky_roller.all", "lucky_roller.low"]);
    const [stroke, gold] = await table.seat.evaluate(() => {
      const field = document.querySelector('.spot[data-spot="lucky_roller.all"] path')!;
      const win = document.querySelector('[data-lammer="lucky_roller 2"] circle')!;
      return [getComputedStyle(field).stroke, getComputedStyle(win).fill];
    });
    assert.equal(stroke, gold);
    assert.equal(gold, "rgb(255, 210, 94)");
    await table.bet("field", 500);
    await table.roll([3, 4]);
    await lights(table.seat, "lucky_roller", []);
    assert.deepEqual(await outlined(), []);
  });

  test("lammers of a new bet on a completed set are empty", async () => {
    await table.bet("bonus.small", 500);
    await table.roll([1, 1], [1, 2], [2, 2], [3, 2], [3, 3]);
    await lights(table.seat, "bonus_craps", [2, 3, 4, 5, 6]);
    await table.bet("bonus.small", 500);
    for (const page of [table.seat, display]) await lights(page, "bonus_craps", []);
    await table.roll([1, 2]);
    for (const page of [table.seat, display]) await lights(page, "bonus_craps", [3]);
  });
});

describe("two seats that bet Lucky Roller at different times", () => {
  let table: Table;
  after(() => table.close());

  test("each seat shows its own set, and the table display what all and what some have", async () => {
    table = await Table.open("shoot-to-win");
    const display = await table.floor.screen("table", "desk");
    const two = await table.floor.screen("seat 2", "desk");
    await table.bet("lucky_roller.low", 500);
    await table.roll([1, 3], [2, 3]);
    await table.bet("lucky_roller.low", 500, two, 2);
    await lights(two, "lucky_roller", []);
    await lights(display, "lucky_roller", []);
    await table.roll([4, 2]);
    await lights(table.seat, "lucky_roller", [4, 5, 6]);
    await lights(two, "lucky_roller", [6]);
    await lights(display, "lucky_roller", [6]);
    const some = display.locator('.part[data-lammer^="lucky_roller "]');
    assert.deepEqual(await some.evaluateAll((all) => all.map((one) => one.textContent)), ["4", "5"]);
  });
});

// --- The coach of beginner mode ---

const SIX = {
  en: "Tap the Pass Line to bet your chip. 7 or 11 wins at once. 2, 3, or 12 loses. Any other number becomes the point.",
  es: "Toque la línea de pase para apostar su ficha. 7 u 11 gana al momento. 2, 3 o 12 pierde. Otro número pasa a ser el punto.",
  zh: "点按过线，下所选的筹码。 7或11 立即赢。 2、3或12 输。 其他点数成为目标点。",
};
const TEN = {
  en: "Tap the Pass Line to bet your chip. 7 wins at once. Any other number becomes the point.",
  es: "Toque la línea de pase para apostar su ficha. 7 gana al momento. Otro número pasa a ser el punto.",
  zh: "点按过线，下所选的筹码。 7 立即赢。 其他点数成为目标点。",
};
const COACHED = { craps: SIX, crapless: TEN, easy: TEN, "roll-to-win": SIX, "shoot-to-win": SIX };

for (const [game, says] of Object.entries(COACHED)) {
  test(`the coach tells the rules of the game that is played: ${game}`, async () => {
    const table = await Table.open(game);
    await table.seat.getByRole("button", { name: "Options", exact: true }).click();
    await table.seat.getByRole("switch", { name: "Beginner mode" }).click();
    await table.seat.keyboard.press("Escape");
    for (const language of LANGUAGES) {
      await table.speak(language);
      const told = table.seat.getByRole("note").getByText(says[language]);
      await told.waitFor().catch(async () => {
        assert.fail(`${language}: ${await table.seat.getByRole("note").textContent()}`);
      });
    }
    await table.close();
  });
}
