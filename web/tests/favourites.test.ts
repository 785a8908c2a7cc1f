/** Layouts that a player saves for the stay, and the stay in numbers. */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Page } from "playwright-core";
import type { Request } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { button, dialog, lies, picture, spot, story } from "./hands.ts";
import { dismiss, LANGUAGES, resize, speak, type Language } from "./scenes.ts";

let floor: Floor;
let seat: Page;
let dealer: Page;

before(async () => {
  floor = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600"]);
  seat = await floor.screen("seat 1", "desk");
  seat.setDefaultTimeout(10_000);
  dealer = await floor.screen("dealer", "desk");
  await floor.signIn(dealer);
  await floor.ask(dealer, { do: "sign_in" });
});
after(() => floor.close());

const slot = (n: number) => seat.locator(`[data-slot="${n}"]`);
const meter = (name: string, says: string) => seat.locator(`[data-meter="${name}"]`, { hasText: says });

async function bets(...wagers: readonly (readonly [string, number])[]): Promise<void> {
  for (const [at, cents] of wagers) await floor.ask(seat, { do: "place_bet", seat: 1, spot: at, cents }, "done");
}

async function rolls(...dice: readonly (readonly [number, number])[]): Promise<void> {
  for (const each of dice) {
    const steps: readonly Request[] = [
      { do: "close_bets" },
      { do: "enter_dice", dice: each },
      { do: "confirm_dice" },
      { do: "open_bets" },
    ];
    for (const step of steps) await floor.ask(dealer, step, "done");
  }
}

const step = story("favourites and statistics");

step("a seat without favourites says what to do, and an empty felt is not saved", async () => {
  await button(seat, "Favourites").click();
  await dialog(seat, "Favourites").getByText("No favourites yet.").waitFor();
  await slot(1).click({ force: true }); // it is dim, and says why
  await dialog(seat, "Favourites").getByText("Nothing to apply it to.").waitFor();
  await dismiss(seat);
});

step("what is saved is placed by one tap at the price shown, and one undo takes it back", async () => {
  await bets(["pass", 1000], ["place.6", 1200], ["place.8", 600]);
  await button(seat, "Favourites").click();
  await slot(1).click();
  await slot(1).getByText("$12").waitFor();
  await picture(seat, "favourites");
  await dismiss(seat);
  await floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" }, "done");
  await bets(["place.8", 200]);
  await button(seat, "Favourites").click();
  await slot(1).locator("em", { hasText: "$26" }).waitFor();
  await slot(1).click();
  await dialog(seat).waitFor({ state: "detached" });
  for (const said of ["Pass Line, $10", "Place 6, $12", "Place 8, $6"]) await lies(seat, said).waitFor();
  await meter("credit", "$1,000.00").waitFor(); // it shows the felt too (ruling 41)
  await meter("bet", "$28.00").waitFor();
  await seat.locator('[data-button="undo"]').click();
  await meter("bet", "$2.00").waitFor();
  assert.equal(await seat.locator(".above").count(), 0, "nothing was refused");
});

step("on a desk each has a key of its own: one tap on the felt's row", async () => {
  await seat.locator('[data-favourite="1"]', { hasText: "$26" }).click();
  await meter("bet", "$28.00").waitFor();
  await resize(seat, "laptop");
  await seat.locator('[data-favourite="1"]').waitFor({ state: "detached" });
  await resize(seat, "desk");
});

step("what is refused is named with its reason, in three languages", async () => {
  await bets(["field", 500]);
  await floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" }, "done");
  await bets(["field", 500]);
  await rolls([2, 2]);
  const said: Record<Language, string> = {
    en: "Not bet: Pass Line: Only before a come-out roll.",
    es: "No apostado: Línea de pase: Solo antes del tiro de salida.",
    zh: "未下注：",
  };
  for (const language of LANGUAGES) {
    await speak(seat, language);
    await seat.locator('[data-button="favourites"]').click();
    await slot(1).click();
    await seat.locator("nav .above", { hasText: said[language] }).waitFor();
    await spot(seat, "place.6").and(seat.locator('[aria-label*="$12"]')).waitFor();
    await seat.locator('[data-button="undo"]').click();
    await meter("bet", "$0.00").waitFor();
  }
  await speak(seat, "en");
});

step("one of which nothing may be bet is dim and says why, and is removed after a question", async () => {
  await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 500 }, "done");
  await floor.ask(seat, { do: "save_favourite", seat: 1, slot: 2 }, "done");
  await button(seat, "Favourites").click();
  await slot(2).getByText("Nothing to change.").waitFor();
  assert.equal(await slot(2).getAttribute("aria-disabled"), "true");
  await button(seat, "Remove favourite 2").click();
  await button(seat, "No").click();
  await button(seat, "Remove favourite 2").click();
  await button(seat, "Yes").click();
  await slot(2).getByText("Save your bets here").waitFor();
  await dismiss(seat);
  await floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" }, "done");
});

/** What a bet came to, as it is written. */
const result = (bet: string) => seat.locator(`[data-bet="${bet}"]`);

step("the statistics say exactly what was bet, won and lost, and what it costs on average", async () => {
  // After the Field's $5 won on 4: it loses $5 on 6, wins $10 on 12; Place 6 of $12 wins $14. The Field costs 1/18.
  await bets(["field", 500], ["place.6", 1200]);
  await rolls([4, 2]);
  await bets(["field", 500]);
  await rolls([6, 6]);
  await button(seat, "Session").click();
  await button(seat, "Statistics").click();
  await result("field").getByText("+$10.00").waitFor();
  await result("field").getByText("won 2 of 3 · $15.00 bet · $15.00 won · costs $0.83 on average").waitFor();
  await result("place.6").getByText("+$14.00").waitFor();
  await dialog(seat, "Statistics").getByText("So far you have +$24.00.").waitFor();
  await dialog(seat, "Statistics").getByText("3 rolls").waitFor();
  const written = async (what: string) => seat.locator(`[data-${what}]`).allInnerTexts();
  assert.deepEqual(await written("rolled"), ["0", "0", "1", "0", "1", "0", "0", "0", "0", "0", "1"]);
  const expected = ["0.1", "0.2", "0.3", "0.3", "0.4", "0.5", "0.4", "0.3", "0.3", "0.2", "0.1"];
  assert.deepEqual(await written("expected"), expected);
  await picture(seat, "statistics");
});

step("they advise nothing: no total is called due, hot or cold", async () => {
  const said = (await dialog(seat, "Statistics").innerText()).toLowerCase();
  for (const word of ["due", "hot", "cold", "overdue", "lucky", "should"]) assert.ok(!said.includes(word), word);
  await dismiss(seat);
});

step("who comes next sees neither favourites nor statistics", async () => {
  await floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" });
  await floor.ask(seat, { do: "cash_out", seat: 1 }, "done");
  await dialog(seat, "Take your ticket").waitFor();
  await dismiss(seat);
  await button(seat, "Favourites").click();
  await dialog(seat, "Favourites").getByText("No favourites yet.").waitFor();
  await dismiss(seat);
  await button(seat, "Session").click();
  await dialog(seat, "Your session").getByText("Your session begins when you put in money.").waitFor();
  await button(seat, "Statistics").click();
  await dialog(seat, "Statistics").getByText("No rolls yet.").waitFor();
  await dismiss(seat);
});

step("nothing went wrong on a screen", () => assert.deepEqual(floor.problems, []));
