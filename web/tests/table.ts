/** A table with a dealer, whose seat is asked what it says and shows. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Dice } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { settle } from "./hands.ts";

const SLOW = ["timers.bets_s = 600"];
export const LANGUAGES = ["en", "es", "zh"] as const;
type Language = (typeof LANGUAGES)[number];
const RULES: Record<Language, string> = { en: "Rules", es: "Reglas", zh: "规则" };

export class Table {
  readonly floor: Floor;
  readonly seat: Page;
  #dealer: Promise<Page> | null = null;

  private constructor(floor: Floor, seat: Page) {
    this.floor = floor;
    this.seat = seat;
  }

  static async open(game: string, settings: readonly string[] = [], program?: readonly string[]): Promise<Table> {
    const floor = await Floor.open(game, "dealer_assisted", [...SLOW, ...settings], [], program);
    const seat = await floor.screen("seat 1", "desk");
    seat.setDefaultTimeout(20_000);
    return new Table(floor, seat);
  }

  /** The dealer comes with the first roll. */
  #dealing(): Promise<Page> {
    return (this.#dealer ??= this.floor.screen("dealer", "desk").then(async (dealer) => {
      await this.floor.signIn(dealer);
      return dealer;
    }));
  }

  async bet(spot: string, cents: number, page = this.seat, seat = 1): Promise<void> {
    await this.floor.ask(page, { do: "place_bet", seat, spot, cents }, "done");
  }

  async roll(...rolls: readonly Dice[]): Promise<void> {
    const dealer = await this.#dealing();
    for (const dice of rolls) {
      await this.floor.ask(dealer, { do: "close_bets" }, "done");
      await this.floor.ask(dealer, { do: "enter_dice", dice }, "done");
      await this.floor.ask(dealer, { do: "confirm_dice" }, "done");
      await this.floor.ask(dealer, { do: "open_bets" }, "done");
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
    await this.floor.close();
    assert.deepEqual(this.floor.problems, []);
  }
}

/** Waits until these totals of a side bet are lit on a screen, and no others. The page's policy forbids `eval`, which
 * `waitForFunction` needs to try a text again. */
export async function lights(page: Page, bet: string, totals: readonly number[]): Promise<void> {
  const lit = (of: string) => {
    const found = [...document.querySelectorAll<SVGElement>(`.seen[data-lammer^="${of} "]`)];
    return found.map((one) => one.dataset["lammer"]!.slice(of.length + 1)).join();
  };
  const by = Date.now() + 10_000;
  while ((await page.evaluate(lit, bet)) !== totals.join() && Date.now() < by) await settle(page);
  assert.equal(await page.evaluate(lit, bet), totals.join());
}
