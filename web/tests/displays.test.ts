import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { isFreshRoll, notice, type Told } from "../src/shared/notices.ts";
import type { Dice } from "../src/wire.ts";
import { Floor } from "./floor.ts";
import { picture, settle } from "./hands.ts";

const SLOW = ["timers.bets_s = 600", "timers.shooter_s = 600", "timers.result_s = 600"];
const TALL = { width: 1080, height: 1920 };
const WIDE = { width: 1920, height: 1080 };

// --- What players are told, between two views ---

function told(round: number, phase: Told["phase"], dice: Dice, no_rolls: Told["no_rolls"] = {}, wrong?: Dice): Told {
  const past = { dice, total: dice[0] + dice[1], puck_before: 0, puck_after: 0, mark: "" as const };
  return {
    round,
    phase,
    history: [wrong ? { ...past, instead_of: wrong } : past],
    no_rolls,
    jackpots: [],
    envy_cents: 0,
  };
}

test("a roll that does not count is told with its reason", () => {
  const before = told(3, "shooting", [1, 2], { cocked: 1 });
  const said = notice(before, told(3, "shooting", [1, 2], { cocked: 1, short: 1 }));
  assert.deepEqual(said, { kind: "no_roll", why: "short" });
  assert.equal(notice(before, before), null);
});

test("a correction is told whether bets have opened since or not, and is no fresh roll", () => {
  const right = { kind: "reversed", dice: [4, 3], total: 7 };
  const after_ = told(3, "rolled", [4, 3], {}, [4, 2]);
  for (const before of [told(3, "rolled", [4, 2]), told(4, "betting", [4, 2])]) {
    assert.deepEqual(notice(before, after_), right);
    assert.equal(isFreshRoll(before, after_), false);
  }
});

test("a correction is told once, also to a screen that comes later, and corrected again it is told again", () => {
  const corrected = told(4, "betting", [4, 3], { cocked: 1 }, [4, 2]);
  assert.deepEqual(notice(undefined, corrected), { kind: "reversed", dice: [4, 3], total: 7 });
  assert.equal(notice(told(3, "rolled", [4, 3], { cocked: 1 }, [4, 2]), corrected), null);
  const again = told(3, "rolled", [5, 3], { cocked: 1 }, [4, 3]);
  assert.deepEqual(notice(corrected, again), { kind: "reversed", dice: [5, 3], total: 8 });
});

test("a jackpot is told with its roll, once, and to a screen that comes while it is shown", () => {
  const [before, rolled] = [told(3, "thrown", [4, 2]), told(3, "rolled", [4, 2])];
  const won = {
    ...rolled,
    jackpots: [{ meter: "fired_up", seat: 2, player: "", cents: 6_000_000 }],
    envy_cents: 100_000,
  };
  const jackpot = { kind: "jackpot", won: won.jackpots, envy_cents: 100_000 };
  assert.deepEqual(notice(before, won), jackpot);
  assert.deepEqual(notice(undefined, won), jackpot);
  assert.equal(notice(won, { ...won }), null);
});

test("an ordinary roll is fresh and no correction", () => {
  const [before, after_] = [told(3, "shooting", [4, 2]), told(3, "rolled", [4, 2])];
  assert.equal(notice(before, after_), null);
  assert.equal(isFreshRoll(before, after_), true);
});

// --- A dealer's table ---

describe("with a dealer", () => {
  let floor: Floor;
  let dealer: Page;
  let seat: Page;
  let table: Page;
  let info: Page;

  before(async () => {
    mkdirSync("pictures", { recursive: true });
    floor = await Floor.open("craps", "dealer_assisted", [...SLOW, "make_em_all.on = true", "bonus_craps.on = true"]);
    dealer = await floor.screen("dealer", "desk");
    seat = await floor.screen("seat 1", "desk");
    table = await floor.screen("table", "desk");
    info = await floor.screen("info", "desk");
    await floor.signIn(dealer);
    for (const spot of ["pass", "field", "hop.1-3", "bonus.all"]) {
      await floor.ask(seat, { do: "place_bet", seat: 1, spot, cents: 500 }, "done");
    }
  });
  after(() => floor.close());

  async function roll(dice: Dice): Promise<void> {
    await floor.ask(dealer, { do: "close_bets" }, "done");
    await floor.ask(dealer, { do: "enter_dice", dice }, "done");
    await floor.ask(dealer, { do: "confirm_dice" }, "done");
  }

  test("the table display adds the chips up and says what is awaited", async () => {
    await table.locator('[aria-label="Pass Line, $5"]').waitFor();
    await table.getByText("Come Out Roll").waitFor();
    await table.getByText("Place your bets").waitFor();
    for (const wall of ["Roll count", "Minimum", "Maximum", "Max odds"]) await table.getByText(wall).waitFor();
    await table.getByText("$25,000.00").first().waitFor();
  });

  test("before the first roll the information display says so", async () => {
    await info.getByText("No roll yet").waitFor();
  });

  test("both displays show the same roll, the call, the point and who won", async () => {
    await roll([1, 3]);
    for (const display of [table, info]) {
      await display.getByRole("img", { name: "1-3" }).first().waitFor();
      await display.getByText("Four, easy four.").waitFor();
    }
    await table.getByText("The Point is 4").waitFor();
    await info.getByText("Point is 4").waitFor();
    await table.locator(".rolled").getByText("Seat 1").waitFor();
    // Field pays even money on $5, the easy hop 15 to 1 on $5.
    await table.locator(".rolled").getByText("$80").waitFor();
    await picture(table, "table-rolled");
  });

  test("lammers lie on the totals that a wager has seen, and on no others", async () => {
    await table.locator('.seen[data-lammer="bonus_craps 4"]').waitFor();
    assert.equal(await table.locator(".sides .seen").count(), 1);
  });

  test("the information display remembers fifteen rolls and what they come to", async () => {
    const rolls: Dice[] = [
      [2, 2],
      [5, 2],
      [6, 5],
      [3, 3],
      [2, 1],
      [6, 6],
      [4, 4],
      [5, 4],
      [3, 4],
      [1, 1],
      [5, 5],
      [4, 1],
      [6, 2],
      [3, 2],
      [2, 6],
    ];
    for (const dice of rolls) {
      await floor.ask(dealer, { do: "open_bets" }, "done");
      await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 500 }, "done");
      await roll(dice);
    }
    await info.getByText("16 rolls").waitFor();
    const strip = info.getByRole("list", { name: "Last rolls" }).getByRole("listitem");
    assert.equal(await strip.count(), 15);
    assert.match((await strip.first().getAttribute("aria-label"))!, /^8/);
    const chart = info.getByRole("img", { name: /rolled and expected/i });
    const counted = new Map<number, number>();
    for (const [one, other] of [[1, 3] as const, ...rolls])
      counted.set(one + other, (counted.get(one + other) ?? 0) + 1);
    const said = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((total) => `${total}: ${counted.get(total) ?? 0}`).join(", ");
    assert.ok((await chart.getAttribute("aria-label"))!.endsWith(said));
    // 4-4 is the seventh of the fifteen: eight rolls followed it.
    const hardEight = info.getByRole("listitem").filter({ hasText: "Hard 8" });
    assert.equal((await hardEight.locator("b").textContent())!.trim(), "8");
  });

  for (const [name, size] of Object.entries({ wide: WIDE, tall: TALL })) {
    test(`the information display can be read from afar, and nothing is cut off: ${name}`, async () => {
      await info.setViewportSize(size);
      await settle(info);
      assert.deepEqual(await cutOff(info), []);
      assert.deepEqual(await smallText(info, 21), []);
      await picture(info, `info-${name}`);
    });
  }

  test("nothing of the table display is cut off", async () => {
    assert.deepEqual(await cutOff(table), []);
  });

  for (const [language, phase, last] of [
    ["es", "Tiro de salida", "Último tiro"],
    ["zh", "首掷", "上一掷"],
  ] as const) {
    test(`the address chooses the language of a display: ${language}`, async () => {
      await floor.ask(dealer, { do: "open_bets" });
      await table.goto(`${floor.told.url}/table?lang=${language}`);
      await table
        .getByText(phase)
        .or(table.getByText({ es: "El punto es", zh: "目标点为" }[language]))
        .first()
        .waitFor();
      await info.goto(`${floor.told.url}/info?lang=${language}`);
      await info.getByText(last).waitFor();
      for (const display of [table, info]) {
        await display.setViewportSize(WIDE);
        await settle(display);
        assert.deepEqual(await cutOff(display), []);
      }
      await picture(info, `info-${language}`);
      await picture(table, `table-${language}`);
    });
  }

  test("no display had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});

/** Parts of a page whose contents do not fit into them, or that reach out of the page. */
function cutOff(page: Page): Promise<string[]> {
  return page.locator("main, section, aside, dl, dd, .centre, footer").evaluateAll((parts) =>
    parts
      .filter((part) => {
        const { right, bottom } = part.getBoundingClientRect();
        const inside = part.scrollWidth <= part.clientWidth + 1 && part.scrollHeight <= part.clientHeight + 1;
        return !inside || right > innerWidth + 1 || bottom > innerHeight + 1;
      })
      .map((part) => `${part.tagName} ${part.className}: ${part.textContent?.trim().slice(0, 40)}`),
  );
}

/** Texts that are drawn lower than so many pixels. */
function smallText(page: Page, least: number): Promise<string[]> {
  return page.locator("main").evaluate((main, low) => {
    const leaves = [...main.querySelectorAll("*")].filter(
      (one) => one.childElementCount === 0 && one.textContent?.trim(),
    );
    return leaves
      .map((one) => ({ text: one.textContent!.trim(), high: one.getBoundingClientRect().height }))
      .filter(({ high }) => high < low)
      .map(({ text, high }) => `${text}: ${high.toFixed(0)} px`);
  }, least);
}

/** Runs in the page: waits for dice that fly, lets them land at once, and tells which faces look at whoever looks. */
async function watchFlight(): Promise<{ landed: number[]; resultShown: boolean; wall: string }> {
  const thrown = await new Promise<Element>((found) => {
    const look = (): void => {
      const flight = document.querySelector(".flight");
      if (flight?.getAnimations({ subtree: true }).length) found(flight);
      else requestAnimationFrame(look);
    };
    look();
  });
  for (const flying of thrown.getAnimations({ subtree: true })) flying.finish();
  const landed = [...thrown.querySelectorAll<HTMLElement>(".cube")].map((cube) => {
    const turned = new DOMMatrix(getComputedStyle(cube).transform);
    const faces = [...cube.querySelectorAll<HTMLElement>(".face")].map((face) => {
      const normal = turned.multiply(new DOMMatrix(getComputedStyle(face).transform));
      return { face: Number(face.dataset["face"]), front: normal.transformPoint({ x: 0, y: 0, z: 1, w: 0 }).z };
    });
    return faces.sort((one, other) => other.front - one.front)[0]!.face;
  });
  const wall = document.querySelector("[role=status]")?.textContent ?? "";
  return { landed, resultShown: document.querySelector(".rolled") !== null, wall };
}

// --- A table that rolls by itself ---

describe("that rolls by itself", () => {
  let floor: Floor;
  let dealer: Page;
  let seat: Page;
  let moving: Page;

  before(async () => {
    floor = await Floor.open("shoot-to-win", "automated", [...SLOW, "power_odds.one_in = 1"]);
    dealer = await floor.screen("dealer", "desk");
    seat = await floor.screen("seat 1", "desk");
    moving = await floor.screen("table", "desk", "no-preference");
    await floor.signIn(dealer);
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "pass", cents: 500 }, "done");
  });
  after(() => floor.close());

  const print = (page: Page, id: string): Locator => page.locator(`[data-print="${id}"]`);

  test("Power Odds are on the spots themselves once bets have closed, and not before", async () => {
    await print(moving, "hard.6").getByText("9:1").waitFor();
    assert.equal(await moving.locator(".power").count(), 0);
    await floor.ask(dealer, { do: "close_bets" }, "done");
    await moving.getByText("No more bets").waitFor();
    await moving.getByText("Power Odds", { exact: true }).waitFor();
    const shown = await print(moving, "hard.6").locator(".power").textContent();
    assert.match(shown!, /^\s*(13|18):1\s*$/, "the chart has 13 to 1 or 18 to 1");
    const seven = await print(moving, "seven").locator(".power").textContent();
    assert.match(seven!, /^\s*(6|8):1\s*$/);
    await picture(moving, "table-power-odds");
  });

  test("the dice fly, land on what was rolled, and only then is it told", async () => {
    const seen = moving.evaluate(watchFlight);
    await floor.ask(dealer, { do: "roll_dice" }, "done");
    const { landed, resultShown, wall } = await seen;
    assert.equal(resultShown, false);
    assert.match(wall, /No more bets/, "the wall waits for the dice");
    await moving.locator(".rolled").waitFor();
    const told = await moving.locator(".rolled").getByRole("img").getAttribute("aria-label");
    assert.equal(landed.join("-"), told);
    assert.equal(await moving.locator(".flight").count(), 0);
  });

  test("where motion is unwelcome nothing flies", async () => {
    await moving.emulateMedia({ reducedMotion: "reduce" });
    await moving.reload();
    await floor.ask(dealer, { do: "open_bets" }, "done");
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "pass", cents: 500 });
    await floor.ask(seat, { do: "place_bet", seat: 1, spot: "field", cents: 500 }, "done");
    await floor.ask(dealer, { do: "close_bets" }, "done");
    await moving.getByText("No more bets").waitFor();
    await moving.evaluate(() => {
      const seen = new MutationObserver(() => {
        const thrown = document.querySelector(".thrown");
        if (thrown && getComputedStyle(thrown).visibility !== "hidden") document.title = "flew";
      });
      seen.observe(document.body, { childList: true, subtree: true });
    });
    await floor.ask(dealer, { do: "roll_dice" }, "done");
    await moving.locator(".rolled").waitFor();
    assert.notEqual(await moving.title(), "flew");
  });

  test("no display had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});
