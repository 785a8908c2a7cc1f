/** The front door, pages without a place, and several screens in one browser. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "./axe.ts";
import { Clerk } from "./devices.ts";
import { Floor, openBrowser, openDemo, SIZES, type Size } from "./floor.ts";
import { examine, smallLetters } from "./geometry.ts";
import { button, picture, settle, spot } from "./hands.ts";

const LANGUAGES = ["English", "Español", "中文"] as const;
const TAPS_MAX = 4;
/** The question whether a player is new takes one tap, where it is asked. */
const TAPS_OF_A_QUESTION = 1;
/** A roll in the history; on a phone it is a line that unfolds. */
const ROLLED = "ol[aria-label='Last rolls'] > li, .fold b";
mkdirSync("pictures/door", { recursive: true });

async function visitor(size: Size): Promise<Page> {
  const [width, height] = SIZES[size];
  const context = await (
    await openBrowser()
  ).newContext({ viewport: { width, height }, reducedMotion: "reduce", hasTouch: size === "phone" });
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  return page;
}

/** Taps a spot where its chips lie: some are bent round others. */
async function tapAt(page: Page, id: string): Promise<void> {
  await spot(page, id).scrollIntoViewIfNeeded();
  const at = await spot(page, id).evaluate((element: SVGGElement) => {
    const [x = 0, y = 0] = element.dataset["at"]!.split(" ").map(Number);
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(element.ownerSVGElement!.getScreenCTM()!);
    return [left, top] as const;
  });
  await page.mouse.click(...at);
}

async function looksWell(page: Page, name: string): Promise<void> {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    await settle(page);
    await picture(page, `door/${name}-${size}`);
    assert.deepEqual(await examine(page), [], `${name} ${size}`);
    assert.deepEqual(await smallLetters(page), [], `${name} ${size}`);
  }
  assert.deepEqual(await violations(page), [], name);
}

describe("the front door of a demonstration", () => {
  let demo: Awaited<ReturnType<typeof openDemo>>;
  before(async () => {
    demo = await openDemo();
  });
  after(() => demo.close());

  for (const [size, name] of [
    ["desk", "Crapless Craps"],
    ["phone", "Roll to Win"],
  ] as const) {
    test(`leads to the first rolled dice with at most ${TAPS_MAX} taps: ${size}`, async () => {
      const page = await visitor(size);
      let taps = 0;
      const tap = async (what: Promise<void>): Promise<void> => {
        taps += 1;
        await what;
      };
      await page.goto(demo.told.url);
      await tap(button(page, new RegExp(`^Play at ${name}`)).click());
      await page.locator('[data-meter="credit"] b', { hasText: /\$[1-9]/ }).waitFor(); // the first bills
      const question = button(page, "I know the game");
      if (await question.isVisible()) await tap(question.click());
      else taps += TAPS_OF_A_QUESTION;
      await tap(tapAt(page, "pass"));
      await tap(page.locator("button.dice[aria-disabled=false]").first().click());
      await page.locator(ROLLED).first().waitFor(); // whoever does not throw lets the table roll
      assert.ok(taps <= TAPS_MAX, `${taps} taps`);
      await page.context().close();
    });
  }

  test("looks well at every size, and its QR codes have the address that the visitor used", async () => {
    const page = await visitor("desk");
    await page.goto(demo.told.url);
    await page.getByRole("heading", { name: "Shoot to Win" }).waitFor();
    await looksWell(page, "demo");
    await page.locator("summary").first().click();
    await page.locator("summary").first().press("Tab");
    await button(page, "QR code: Table display, Craps").press("Enter");
    await page.getByRole("img", { name: "QR code: Table display, Craps" }).waitFor();
    await page.getByText(`${demo.told.url}/table?table=1`).waitFor();
    await page.getByText("A phone cannot open 127.0.0.1").waitFor();
    await looksWell(page, "qr");
    for (const language of LANGUAGES) {
      await button(page, language).click();
      await page.waitForFunction(
        (lang) => document.documentElement.lang === lang,
        language === "中文" ? "zh" : language.slice(0, 2).toLowerCase(),
      );
      assert.deepEqual(await examine(page), [], language);
    }
    await page.context().close();
  });

  test("opens several screens in one browser, each of which keeps its place and its staff", async () => {
    const page = await visitor("laptop");
    const { links, password, badges } = demo.told;
    const open = async (place: string): Promise<Page> => {
      const opened = await page.context().newPage();
      opened.setDefaultTimeout(40_000);
      await opened.goto(links[place]!);
      return opened;
    };
    const seat = await open("table 3 seat 1");
    await button(seat, "Sit down here").click();
    await seat.locator('[data-meter="credit"]').waitFor();
    const [dealer, office, table] = [await open("table 3 dealer"), await open("office"), await open("table 4 table")];
    for (const [at, badge] of [
      [dealer, badges[1]!],
      [office, badges[0]!],
    ] as const) {
      await at.getByLabel("Badge").fill(badge);
      await at.getByLabel("Password", { exact: true }).fill(password);
      await Promise.all([at.waitForEvent("load"), button(at, "Sign in").click()]);
      await button(at, "Sign out").waitFor();
    }
    for (const each of [seat, dealer, office, table]) await each.reload();
    await seat.locator('[data-meter="credit"]').waitFor();
    await dealer.getByText(`Dealing: ${badges[1]}`).waitFor();
    await office.getByText("Crapless Craps").first().waitFor();
    await table.getByText("Minimum").waitFor();
    await page.goto(demo.told.url);
    await button(page, "Back to seat 1, Easy Craps").waitFor();
    await page.context().close();
  });

  test("leads to a seat that speaks the visitor's language; an address of no seat says so", async () => {
    const page = await visitor("phone");
    await page.goto(demo.told.url);
    await page.locator('button[lang="es"]').first().click();
    await page.locator("html[lang=es]").waitFor({ state: "attached" });
    await page.locator(".play").nth(2).click();
    await page.locator("html[lang=es] main [data-spot]").first().waitFor();
    await page.goto(`${demo.told.url}/seat/1?table=99`);
    await page.getByRole("button", { name: "Sit down here" }).click();
    await page.getByRole("alert").getByText("names no seat or screen of this floor").waitFor();
    await page.context().close();
  });

  test("does not give a seat away that another visitor has", async () => {
    const [first, second] = [await visitor("laptop"), await visitor("laptop")];
    const link = demo.told.links["table 5 seat 1"]!;
    for (const page of [first, second]) {
      await page.goto(link);
      await button(page, "Sit down here").waitFor();
    }
    await button(first, "Sit down here").click();
    await first.locator('[data-meter="credit"]').waitFor();
    await button(second, "Sit down here").click();
    await second.getByRole("alert").getByText("Another visitor has this seat").waitFor();
    await second.getByRole("link", { name: "To the front door" }).click();
    await second.locator("article", { hasText: "Shoot to Win" }).locator('[data-state="taken"]').first().waitFor();
    for (const page of [first, second]) await page.context().close();
  });
});

describe("a real floor", () => {
  let floor: Floor;
  let clerk: Clerk;
  before(async () => {
    floor = await Floor.openWithoutMoney("craps", "automated");
    const { cage, cashier, password } = floor.prepared;
    clerk = await Clerk.signIn(floor.told.url, cage, cashier, password);
  });
  after(() => floor.close());

  const enrols = async (page: Page, code: string): Promise<void> => {
    await page.getByLabel("Code").fill(code);
    await button(page, "Enrol").click();
  };

  test("has a field for a code at its door, and a button to the screen that it then is", async () => {
    const page = await visitor("phone");
    await page.goto(floor.told.url);
    await page.getByText("An attendant gives you a code").waitFor();
    await page.getByText("Eight letters and digits").waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /Demo|Come-out|Play\b/);
    await looksWell(page, "real");
    await enrols(page, "0000-0000");
    await page.getByRole("alert").getByText("This code is not valid").waitFor();
    await enrols(page, await clerk.offer("info", 1));
    await page.waitForURL(/\/info\?table=1$/);
    await page.goto(floor.told.url);
    await page.getByRole("link", { name: "Open Information display of table 1" }).click();
    await page.waitForURL(/\/info\?table=1$/);
    await page.context().close();
  });

  for (const path of ["seat/1", "dealer", "table", "info", "office"]) {
    test(`says what /${path} is where it has no place, with a field for its code`, async () => {
      const page = await visitor("laptop");
      await page.goto(`${floor.told.url}/${path}`);
      await page.getByRole("heading", { name: "This screen is not enrolled" }).waitFor();
      await page.getByText(/^This page is/).waitFor();
      await page.getByRole("link", { name: "To the front door" }).waitFor();
      if (path === "seat/1") await looksWell(page, "unenrolled");
      await enrols(page, "0000-0000");
      await page.getByRole("alert").getByText("This code is not valid").waitFor();
      await enrols(page, await clerk.offer("table", 1));
      await page.waitForURL(/\/table\?table=1$/);
      await page.getByText("Minimum").waitFor();
      await page.context().close();
    });
  }
});
