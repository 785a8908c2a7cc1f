/** The lessons, by a bot that follows only the hints on the screen: it finds what is hinted at and touches it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ElementHandle, Page } from "playwright-core";
import { violations } from "./axe.ts";
import { Floor, SIZES, type Size } from "./floor.ts";
import { examine, hiddenSpots, smallLetters } from "./geometry.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { en as lessonsEn } from "../src/words/lessons/en.ts";
import { es as lessonsEs } from "../src/words/lessons/es.ts";
import { zh as lessonsZh } from "../src/words/lessons/zh.ts";
import { zh } from "../src/words/zh.ts";
import { ALL, LANGUAGES, quiet, resize, speak } from "./scenes.ts";

const TOUCHES_MAX = 80;
const PATIENCE_MS = 20_000;
/** Of each lesson. */
const STEPS = [3, 4, 6, 5, 4, 6] as const;
/** Where a real table shows its felt without scrolling, a lesson does too. */
const WHOLE: readonly Size[] = ["desk", "laptop", "terminal", "tablet", "portrait", "slate"];
const LAST = STEPS.length - 1;
const QUESTION = "section[aria-label]:has(button)";
/** Each language on another screen; the bot knows neither. */
const ON = { en: "desk", es: "phone", zh: "lying" } as const;

/** Opens a lesson, as the seat offers it. */
async function begin(page: Page, lesson = 0): Promise<void> {
  await page.locator(QUESTION).getByRole("button").first().click();
  await page.locator("dialog button:has(b)").nth(lesson).click();
  await page.locator("main.practice [data-hint]").first().waitFor();
}

/** Runs in a page for each frame: a point where what is hinted at can be touched, because it stands still and nothing lies
 * over it. */
function touchable(): readonly [x: number, y: number] | null {
  const page = globalThis as { stood?: string };
  const PARTS = 12;
  const hinted = document.querySelector("main.practice [data-hint]");
  hinted?.scrollIntoView({ block: "nearest" });
  const box = hinted?.getBoundingClientRect();
  const [stands, stood] = [JSON.stringify(box), page.stood];
  page.stood = stands;
  if (!hinted || !box || stands !== stood) return null;
  for (let n = PARTS * PARTS - 1; n > 0; n -= 1) {
    const x = box.x + (box.width * ((n % PARTS) + 0.5)) / PARTS;
    const y = box.y + (box.height * (Math.floor(n / PARTS) + 0.5)) / PARTS;
    if (hinted.contains(document.elementFromPoint(x, y))) return [x, y];
  }
  return null;
}

/** Touches what is hinted at until the lessons are over; how often. */
async function followHints(page: Page): Promise<number> {
  for (let touches = 0; touches < TOUCHES_MAX; touches += 1) {
    await page.locator("main.practice [data-hint], main:not(.practice)").first().waitFor({ timeout: PATIENCE_MS });
    if (!(await page.locator("main.practice").count())) return touches;
    const touched = (await page.locator("main.practice [data-hint]").first().elementHandle()) as ElementHandle<Element>;
    try {
      const at = await page.waitForFunction(touchable, undefined, { timeout: PATIENCE_MS });
      await page.mouse.click(...(await at.jsonValue())!);
      // Then the hint is elsewhere, or nowhere while the dice fly.
      const gone = (node: Element) => !node.isConnected || !node.hasAttribute("data-hint");
      await page.waitForFunction(gone, touched, { timeout: PATIENCE_MS });
    } catch (cause) {
      const shown = await page.locator("body").innerText();
      throw new Error(`after ${touches} touches the hint ${String(touched)} stays on: ${shown}`, { cause });
    }
  }
  throw new Error("the lessons do not end");
}

describe("who follows the hints finishes the lessons, and the real table is as it was", { concurrency: true }, () => {
  let floor: Floor;
  before(async () => {
    floor = await Floor.open("craps", "automated");
  });
  after(async () => {
    assert.deepEqual(floor.problems, []);
    await floor.close();
  });

  for (const [n, language] of LANGUAGES.entries()) {
    const first = ALL || n === 0 ? 0 : LAST; // `make looks` has all six in each language
    test(`lessons ${first + 1} to ${STEPS.length} are finished by hints alone in ${language}`, async () => {
      const page = await floor.screen(`seat ${n + 1}`, ON[language]);
      await speak(page, language);
      const credit = page.locator('[data-meter="credit"]').first();
      const had = await credit.innerText();
      await begin(page, first);
      const steps = STEPS.slice(first); // and a touch to go on from each
      assert.ok((await followHints(page)) >= steps.reduce((sum, each) => sum + each + 1, 0));
      assert.equal(await credit.innerText(), had);
      assert.equal(await page.locator("html").getAttribute("lang"), language);
      assert.equal(await page.locator(QUESTION).count(), 0, "it is asked once");
    });
  }
});

/** What is printed where a step asks for a bet. */
const PRINTED = {
  bet_pass: ["pass_line"],
  bet_line: ["pass_line"],
  bet_odds: ["pass_odds"],
  bet_come: ["come"],
  bet_place: ["place"],
  bet_field: ["field"],
  bet_eleven: ["horn_11"],
  bet_small: ["set_small", "bonus_craps"],
} as const;

test("every step that asks for a bet names it as the felt prints it, in every language", () => {
  const spoken = [
    [en, lessonsEn],
    [es, lessonsEs],
    [zh, lessonsZh],
  ] as const;
  for (const [{ felt }, { lessons }] of spoken) {
    const asked = Object.keys(lessons.says).filter((key) => key.startsWith("bet_"));
    assert.deepEqual(asked.sort(), Object.keys(PRINTED).sort());
    for (const [key, names] of Object.entries(PRINTED)) {
      const says = lessons.says[key as keyof typeof PRINTED].toUpperCase();
      for (const name of names) assert.ok(says.includes(felt[name].toUpperCase()), `${says}: ${felt[name]}`);
    }
    // A longer name of another tile is not this one's: ALL SMALL.
    assert.doesNotMatch(lessons.says.bet_small, /ALL SMALL/);
  }
});

describe("the question and the plaque", () => {
  let floor: Floor;
  let page: Page;
  before(async () => {
    floor = await Floor.open("craps", "automated");
    page = await floor.screen("seat 2", "desk");
  });
  after(() => floor.close());

  test("the question covers no spot, and a bet puts it away for this stay", async () => {
    const other = await floor.screen("seat 3", "phone");
    await other.locator(QUESTION).waitFor();
    await other.locator("[data-spot]").first().click();
    await other.locator(QUESTION).waitFor({ state: "detached" });
    await other.reload();
    await other.locator("[data-spot]").first().waitFor();
    assert.equal(await other.locator(QUESTION).count(), 0);
  });

  test("a lesson is left at once, also by keyboard, and does not stop the real table's bets", async () => {
    await begin(page);
    await floor.ask(page, { do: "place_bet", seat: 2, spot: "field", cents: 500 }, "done");
    await page.locator("main.practice section[aria-label] div button").last().focus();
    await page.keyboard.press("Enter");
    await page.locator("main:not(.practice) .chip").first().waitFor();
    assert.equal(await page.locator('[data-meter="bet"]').first().innerText(), "Bet\n$5.00");
  });

  test("a practice that is opened in another tab ends here with a word, and not on the real felt", async () => {
    await page.getByRole("button", { name: "Options" }).click();
    await page.locator("dialog").getByRole("button", { name: "Lessons" }).click();
    await page.locator("dialog button:has(b)").first().click();
    await page.locator("main.practice [data-hint]").first().waitFor();
    await page.evaluate(() => {
      const line = new WebSocket(`ws://${location.host}/ws/practice?lesson=pass`);
      line.onopen = () => line.send(JSON.stringify({ type: "join" }));
    });
    await page.getByText("The practice is over.").waitFor();
    assert.equal(await page.locator("[data-spot]").count(), 0);
    await page.getByRole("button", { name: "Back to the table" }).click();
    await page.locator("main:not(.practice) [data-spot]").first().waitFor();
  });

  test("Options lead to the lessons too", async () => {
    await page.getByRole("button", { name: "Options" }).click();
    await page.locator("dialog").getByRole("button", { name: "Lessons" }).click();
    await page.locator("dialog button:has(b)").nth(4).click();
    await page.locator("main.practice [data-hint]").first().waitFor();
    await page.getByText(/^Price/).waitFor();
  });

  test("a phone's menu leads to the lessons too", async () => {
    const other = await floor.screen("seat 3", "phone");
    await other.getByRole("button", { name: "Menu" }).click();
    await other.locator("dialog").getByRole("button", { name: "Lessons" }).click();
    await other.locator("dialog button:has(b)").first().click();
    await other.locator("main.practice [data-hint]").first().waitFor();
    await other.context().close();
  });

  test("a bet behind a tab: the tab is lit, and the text says to open it first", async () => {
    const other = await floor.screen("seat 1", "laptop");
    await begin(other, LAST);
    const opens = other.getByText("First open SPECIAL.");
    await opens.waitFor();
    const tab = other.locator("[role=tab][data-hint]");
    const outline = await tab.evaluate((one) => parseFloat(getComputedStyle(one).outlineWidth));
    assert.ok(outline >= 5, "as thick as the line of a spot");
    await tab.click();
    await opens.waitFor({ state: "detached" });
    await other.locator('[data-spot="bonus.small"][data-hint]').waitFor();
    await other.context().close();
  });

  /** What is wrong with the felt and the plaque, as large as the screen is now. */
  async function faults(size: Size): Promise<string[]> {
    const hidden = WHOLE.includes(size) ? await hiddenSpots(page) : [];
    return [...(await examine(page)), ...(await smallLetters(page)), ...hidden];
  }

  for (const size of Object.keys(SIZES) as Size[]) {
    test(`the plaque and its hint fit a ${size} and cut no spot, in every language`, async () => {
      await page.mouse.move(0, 0);
      await resize(page, size);
      for (const language of LANGUAGES) {
        await speak(page, language);
        assert.deepEqual(await faults(size), [], language);
      }
      const [plaque, hint] = [
        page.locator("main.practice section[aria-label] div"),
        page.locator("[data-hint]").first(),
      ];
      const { height, width } = page.viewportSize()!;
      for (const each of [plaque, hint]) {
        const box = (await each.boundingBox())!;
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, String(each));
      }
    });
  }

  test("so they do with the pays of beginner mode", async () => {
    await speak(page, "en");
    await resize(page, "desk");
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("switch", { name: "Beginner mode" }).click();
    await page.keyboard.press("Escape");
    await page.locator('[data-print="pass"]').getByText("wins $1 for $1").waitFor();
    await page.mouse.move(0, 0);
    await quiet(page);
    for (const size of WHOLE) {
      await resize(page, size);
      assert.deepEqual(await faults(size), [], size);
    }
  });

  test("nothing is wrong for who does not see it", async () => {
    for (const size of ["desk", "phone"] as const) {
      await resize(page, size);
      assert.deepEqual(await violations(page), [], size);
    }
  });
});
