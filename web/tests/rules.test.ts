/** What the screens explain: rules, help, the coach, and how the special games stand. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { Dice } from "../src/wire.ts";
import { Floor } from "./floor.ts";

const PASSWORD = "four coloured chips on the rail";
const SLOW = ["timers.bets_s = 600"];
const LANGUAGES = ["en", "es", "zh"] as const;
type Language = (typeof LANGUAGES)[number];
const RULES: Record<Language, string> = { en: "Rules", es: "Reglas", zh: "规则" };

class Table {
  readonly floor: Floor;
  readonly seat: Page;
  readonly dealer: Page;

  private constructor(floor: Floor, seat: Page, dealer: Page) {
    this.floor = floor;
    this.seat = seat;
    this.dealer = dealer;
  }

  static async open(game: string, settings: readonly string[] = []): Promise<Table> {
    const floor = await Floor.open(game, "dealer_assisted", [...SLOW, ...settings]);
    const [seat, dealer] = [await floor.screen("seat 1", "desk"), await floor.screen("dealer", "desk")];
    const { badge, one_time_password } = floor.told;
    await floor.post(dealer, "/api/password", { badge, password: one_time_password, new: PASSWORD });
    await floor.post(dealer, "/api/sign-in", { badge, password: PASSWORD });
    return new Table(floor, seat, dealer);
  }

  async bet(spot: string, cents: number, page = this.seat, seat = 1): Promise<void> {
    await this.floor.ask(page, { do: "place_bet", seat, spot, cents }, "done");
  }

  async roll(...rolls: readonly Dice[]): Promise<void> {
    for (const dice of rolls) {
      await this.floor.ask(this.dealer, { do: "close_bets" }, "done");
      await this.floor.ask(this.dealer, { do: "enter_dice", dice }, "done");
      await this.floor.ask(this.dealer, { do: "confirm_dice" }, "done");
      await this.floor.ask(this.dealer, { do: "open_bets" }, "done");
    }
  }

  /** What the help card of a bet says, by what it is about. */
  async help(spot: string): Promise<Record<string, string>> {
    await this.seat.locator(`[data-spot="${spot}"]`).focus();
    await this.seat.keyboard.press("?");
    const card = this.seat.locator("dialog dl");
    await card.waitFor();
    const said = await card.evaluate((list) =>
      [...list.querySelectorAll("dt")].map((about) => {
        const says = about.nextElementSibling!;
        const pays = [...says.querySelectorAll(".pays")].map((line) => line.textContent);
        return [about.textContent, pays.join(" · ") || says.textContent];
      }),
    );
    await this.seat.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    return Object.fromEntries(said.map(([about, says]) => [about, says!.replace(/\s+/g, " ").trim()]));
  }

  /** What the rules say, each table's rows by their first cell. */
  async rules(language: Language = "en"): Promise<{ text: string; rows: Record<string, string>; names: string[] }> {
    await this.seat.getByRole("button", { name: RULES[language], exact: true }).click();
    const page = this.seat.locator("dialog .content");
    await page.locator("table").first().waitFor();
    const text = (await page.textContent())!.replace(/\s+/g, " ");
    const rows = await page.locator(".may tr").evaluateAll((found) =>
      found.map((row) => {
        const [name, cell] = [row.querySelector("th")!, row.querySelector("td")!];
        const lines = [...cell.querySelectorAll("span")].map((line) => line.textContent);
        return [name.textContent, lines.join(" ") || cell.textContent];
      }),
    );
    await this.seat.keyboard.press("Escape");
    await page.waitFor({ state: "detached" });
    const said = rows.map(([name, says]) => [name!, says!.replace(/\s+/g, " ").trim()] as const);
    return { text, rows: Object.fromEntries(said), names: said.map(([name]) => name) };
  }

  async speak(language: Language): Promise<void> {
    await this.seat.locator(`header button[lang=${language}]`).click();
    await this.seat.getByRole("button", { name: RULES[language], exact: true }).waitFor();
  }

  async close(): Promise<void> {
    assert.deepEqual(this.floor.problems, []);
    await this.floor.close();
  }
}

/** Waits until these totals of a side bet are lit on a screen, and no others. */
async function lights(page: Page, bet: string, totals: readonly number[]): Promise<void> {
  const lit = (of: string) => {
    const found = [...document.querySelectorAll<SVGElement>(`.seen[data-lammer^="${of} "]`)];
    return found.map((one) => one.dataset["lammer"]!.slice(of.length + 1)).join();
  };
  const isLit = `(${lit})(${JSON.stringify(bet)}) === ${JSON.stringify(totals.join())}`;
  await page.waitForFunction(isLit).catch(async () => assert.equal(await page.evaluate(lit, bet), totals.join()));
}

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
      /After a seven-out the dice go to the next seat that wants them\. They also go on .* each time a point is set/,
    );
  });

  test("the rules say what stays up, what excludes what, what is locked, and when a wager works", async () => {
    const { rows } = await table.rules();
    assert.match(rows["Pass Line"]!, /Not together with Don't Pass Changing it Locked once it has its point/);
    assert.match(rows["Pass Line"]!, /It stays up until it loses.* at most 2× the bet on every point/);
    assert.match(rows["Don't Pass"]!, /Locked once it has its point/);
    assert.match(rows["Don't Come"]!, /may be reduced or removed, but never increased.* After 2 or 3 it stays up/);
    const place = Object.entries(rows).find(([name]) => name.startsWith("Place 4 · 5 · 6"))![1];
    assert.match(place, /Not together with Lay \(any number\), Place to Lose \(any number\)/);
    assert.match(place, /It stays up .* Works Not on a come-out roll if it lies from before/);
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
      assert.match(card["Pushes on"]!, /^12 \(neither won nor lost/);
    }
  });

  test("Lucky Roller may be bet before any roll here", async () => {
    assert.equal((await table.help("lucky_roller.all"))["When to bet"], "Before any roll while you have no bet there.");
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
      (await table.help("place.6"))["Works"]!,
      /^On every roll, unless you switch it off\. If you bet it after a seven-out.* it starts OFF/,
    );
    assert.match((await table.help("buy.4"))["Works"]!, /it starts OFF/);
    assert.doesNotMatch((await table.help("hard.8"))["Works"]!, /OFF/);
    assert.match((await table.help("lay.4"))["Works"]!, /it comes on again after a point is set or a 7/);
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
      /^Only after a 7.* Again as soon as the table has rolled its whole set\.$/,
    );
  });

  test("a limit on what a special game pays at this table is posted", async () => {
    const posted = "At most $25,000 a roll at this table; wins above are shared in proportion.";
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
    assert.match(card["How it plays"]!, /The first miss ends it.* The first roll chooses the sequence\./);
    assert.equal(card["Wins on"], undefined);
    assert.match((await table.rules()).text, /6-5-4-3-2 or 8-9-10-11-12/);
  });

  test("Make 'Em All's card says what it collects and from how many it pays", async () => {
    const card = await table.help("make_em_all");
    assert.match(card["How it plays"]!, /Different totals in a row.* A 7 or a repeated total ends it.* from 5 on/);
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
    await lights(table.seat, "lucky_roller.low", [2, 3, 4, 5]);
    assert.deepEqual(await outlined(), []);
    await table.roll([3, 3]);
    await lights(table.seat, "lucky_roller.low", [2, 3, 4, 5, 6]);
    assert.deepEqual(await outlined(), ["lucky_roller.low"]);
    await table.roll([4, 4], [4, 5], [5, 5], [5, 6]);
    await lights(table.seat, "lucky_roller.all", [2, 3, 4, 5, 6, 8, 9, 10, 11]);
    assert.deepEqual(await outlined(), ["lucky_roller.low"]);
    await table.roll([6, 6]);
    await lights(table.seat, "lucky_roller.all", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]);
    assert.deepEqual((await outlined()).sort(), ["lucky_roller.all", "lucky_roller.low"]);
    const [stroke, gold] = await table.seat.evaluate(() => {
      const field = document.querySelector('.spot[data-spot="lucky_roller.all"] path')!;
      const win = document.querySelector('[data-lammer="lucky_roller.all 2"] circle')!;
      return [getComputedStyle(field).stroke, getComputedStyle(win).fill];
    });
    assert.equal(stroke, gold);
    assert.equal(gold, "rgb(255, 210, 94)");
    await table.bet("field", 500);
    await table.roll([3, 4]);
    await lights(table.seat, "lucky_roller.all", []);
    assert.deepEqual(await outlined(), []);
  });

  test("lammers of a new bet on a completed set are empty", async () => {
    await table.bet("bonus.small", 500);
    await table.roll([1, 1], [1, 2], [2, 2], [3, 2], [3, 3]);
    await lights(table.seat, "bonus.small", [2, 3, 4, 5, 6]);
    await table.bet("bonus.small", 500);
    for (const page of [table.seat, display]) await lights(page, "bonus.small", []);
    await table.roll([1, 2]);
    for (const page of [table.seat, display]) await lights(page, "bonus.small", [3]);
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
    await lights(two, "lucky_roller.low", []);
    await lights(display, "lucky_roller.low", []);
    await table.roll([4, 2]);
    await lights(table.seat, "lucky_roller.low", [4, 5, 6]);
    await lights(two, "lucky_roller.low", [6]);
    await lights(display, "lucky_roller.low", [6]);
    const some = display.locator('.part[data-lammer^="lucky_roller.low "]');
    assert.deepEqual(await some.evaluateAll((all) => all.map((one) => one.textContent)), ["4", "5"]);
  });
});

// --- The coach of easy mode ---

const SIX = {
  en: "Touch the Pass Line to bet your chip. 7 or 11 wins at once. 2, 3, or 12 loses. Any other number becomes the point.",
  es: "Toque la línea de pase para apostar su ficha. 7 u 11 gana al momento. 2, 3 o 12 pierde. Otro número pasa a ser el punto.",
  zh: "触摸过线，下所选的筹码。 7或11 立即赢。 2、3或12 输。 其他点数成为目标点。",
};
const TEN = {
  en: "Touch the Pass Line to bet your chip. 7 wins at once. Any other number becomes the point.",
  es: "Toque la línea de pase para apostar su ficha. 7 gana al momento. Otro número pasa a ser el punto.",
  zh: "触摸过线，下所选的筹码。 7 立即赢。 其他点数成为目标点。",
};
const COACHED = { craps: SIX, crapless: TEN, easy: TEN, "roll-to-win": SIX, "shoot-to-win": SIX };

for (const [game, says] of Object.entries(COACHED)) {
  test(`the coach tells the rules of the game that is played: ${game}`, async () => {
    const table = await Table.open(game);
    await table.seat.getByRole("button", { name: "Options", exact: true }).click();
    await table.seat.getByRole("switch", { name: "Easy mode" }).click();
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
