import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { examine } from "./geometry.ts";
import { picture, settle } from "./hands.ts";
import { ALL, playEvening, type Evening } from "./scenes.ts";

/** Walls are low and wide, some are upright; the field is as large as a screen. */
const WALLS = { "a wall": [1920, 360], "a low wall": [2400, 180], "an upright wall": [480, 800] } as const;
const SCREENS = { "a screen": [1920, 1080], "an upright screen": [1080, 1920] } as const;
/** Of the Field bet. */
const NUMBERS = "2 · 3 · 4 · 9 · 10 · 11 · 12";
/** What each part shows (RTW 3.1 items 5 to 8): it, and nothing that another part shows. */
const SHOWN = {
  left: { en: ["Roll count"], es: ["Tiros"], zh: ["掷骰次数"] },
  centre: {
    en: ["The Point is 6", "Place your bets"],
    es: ["El punto es 6", "Hagan sus apuestas"],
    zh: ["目标点为 6", "请下注"],
  },
  right: {
    en: ["Minimum", "Maximum", "Max odds"],
    es: ["Mínimo", "Máximo", "Odds máx."],
    zh: ["最低", "最高", "最高赔率注"],
  },
  field: { en: [NUMBERS], es: [NUMBERS], zh: [NUMBERS] },
} as const;
type Part = keyof typeof SHOWN;
const PARTS = Object.keys(SHOWN) as Part[];
const LANGUAGES = ["en", "es", "zh"] as const;
/** Of the height of a wall: text that is lower cannot be read across the table. */
const LEAST_SHARE = 0.055;

let evening: Evening;
let table: Page;

before(async () => {
  mkdirSync("pictures", { recursive: true });
  evening = await playEvening("roll-to-win");
  table = evening.table;
  await evening.floor.ask(evening.seat, { do: "place_bet", seat: 1, spot: "field", cents: 700 });
});
after(() => evening.floor.close());

async function look(search: string, [width, height]: readonly [number, number]): Promise<void> {
  await table.setViewportSize({ width, height });
  await table.goto(`${evening.floor.told.url}/table${search}`);
  await table.waitForSelector("main");
  await settle(table);
}

const texts = (): Promise<string> => table.locator("main").innerText();

/** Each part in another language by turns; `make looks` has all of them. */
for (const [turn, part] of PARTS.entries()) {
  const sizes = part === "field" ? SCREENS : WALLS;
  for (const language of LANGUAGES.filter((_, n) => ALL || n === turn % LANGUAGES.length)) {
    test(`the ${part} alone shows what is its own, and nothing of the others: ${language}`, async () => {
      await look(`?part=${part}&lang=${language}`, Object.values(sizes)[0]!);
      for (const text of SHOWN[part][language]) await table.getByText(text).first().waitFor();
      const all = (await texts()).toLowerCase();
      for (const other of PARTS.filter((one) => one !== part)) {
        for (const text of SHOWN[other][language]) assert.ok(!all.includes(text.toLowerCase()), `${text} on ${part}`);
      }
    });

    for (const [name, size] of Object.entries(sizes)) {
      test(`the ${part} alone on ${name}: nothing is cut off or too small: ${language}`, async () => {
        await look(`?part=${part}&lang=${language}`, size);
        await picture(table, `part-${part}-${size.join("x")}-${language}`);
        assert.deepEqual(await examine(table), []);
        if (part !== "field") assert.ok((await lowest()) >= LEAST_SHARE * Math.min(...size), `${await lowest()} px`);
        const box = (await table.locator("main").boundingBox())!;
        assert.deepEqual([box.width, box.height], [...size]);
      });
    }
  }
}

/** The height of the smallest letters of a wall. */
function lowest(): Promise<number> {
  return table
    .locator("main :is(dt, dd, p, li b)")
    .evaluateAll((all) => Math.min(...all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize))));
}

test("the field adds up the bets of all, and shows the roll", async () => {
  await look("?part=field", [1920, 1080]);
  const stacks = table.locator("[aria-label^='Field, $']");
  assert.equal(await stacks.count(), 1);
  const { floor, dealer } = evening;
  await floor.ask(dealer, { do: "close_bets" }, "done");
  await floor.ask(dealer, { do: "enter_dice", dice: [6, 6] }, "done");
  await floor.ask(dealer, { do: "confirm_dice" }, "done");
  await table.locator(".rolled").getByText("Twelve, boxcars!").waitFor();
  await floor.ask(dealer, { do: "open_bets" }, "done");
});

test("the centre alone tells players of a roll that does not count", async () => {
  const { floor, dealer } = evening;
  await look("?part=centre", [1920, 360]);
  await floor.ask(dealer, { do: "close_bets" }, "done");
  await floor.ask(dealer, { do: "call_no_roll", reason: "cocked" }, "done");
  await table.getByRole("alert").getByText("No roll: cocked.").waitFor();
  for (const size of Object.values(WALLS)) {
    await table.setViewportSize({ width: size[0], height: size[1] });
    assert.deepEqual(await examine(table), []);
    await picture(table, `part-centre-told-${size.join("x")}`);
  }
  await floor.ask(dealer, { do: "enter_dice", dice: [3, 2] }, "done");
  await floor.ask(dealer, { do: "confirm_dice" }, "done");
  await floor.ask(dealer, { do: "open_bets" }, "done");
});

test("fifteen rolls fit on the centre, all as large as the newest", async () => {
  await look("?part=centre", [1920, 360]);
  const { floor, dealer, seat } = evening;
  for (let n = 0; n < 15; n += 1) {
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 100 });
    await floor.ask(dealer, { do: "close_bets" }, "done");
    await floor.ask(dealer, { do: "enter_dice", dice: [n % 2 ? 3 : 4, 1] }, "done");
    await floor.ask(dealer, { do: "confirm_dice" }, "done");
    await floor.ask(dealer, { do: "open_bets" }, "done");
  }
  const rolls = table.getByRole("list").getByRole("listitem");
  await rolls.nth(14).waitFor();
  const boxes = await rolls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  assert.equal(boxes.length, 15);
  assert.ok(boxes.every(({ width, bottom, right }) => width > 100 && bottom < 360 && right < 1920));
  assert.deepEqual(await examine(table), []);
  await picture(table, "part-centre-fifteen");
});

test("without a part, all of the display is there", async () => {
  await look("", [1920, 1080]);
  for (const part of PARTS) for (const text of SHOWN[part].en.slice(-1)) await table.getByText(text).first().waitFor();
});

test("a part that there is not is said, with those that there are", async () => {
  await look("?part=top", [1920, 360]);
  await table.getByRole("alert").getByText("Unknown part “top”").waitFor();
  assert.match(await texts(), /left, centre, right or field/);
  assert.deepEqual(await examine(table), []);
  await look("?part=%3Cb%3Ex&lang=es", [1920, 360]);
  await table.getByRole("alert").getByText("«<b>x»").waitFor();
});

test("no display had a problem", () => {
  assert.deepEqual(evening.floor.problems, []);
});
