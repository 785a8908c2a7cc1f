/** A seat that is played with a finger on a screen that feels touches: a chip is carried, the time runs out, the dice are
 * thrown. */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { Floor } from "./floor.ts";
import { lies, middle, spot, story } from "./hands.ts";

type Point = readonly [x: number, y: number];

/** How the time left was shown at one moment. */
interface Moment {
  readonly seconds: number;
  /** The length of the bar, of 1. */
  readonly bar: number;
  /** How much of the ring is gone, of 100. */
  readonly gone: number;
  readonly ring: string;
  readonly digits: string;
}
interface Noted {
  readonly moments: readonly Moment[];
  readonly tones: readonly number[];
}

const BETS_S = 8;
const HURRY_S = 5;
const TICK_HZ = 1000;

let floor: Floor;
let seat: Page;
let fingers: CDPSession;
const step = story("a seat that is played with a finger");

before(async () => {
  const pace = [`timers.bets_s = ${BETS_S}`, "timers.shooter_s = 600", "timers.result_s = 600"];
  floor = await Floor.open("craps", "automated", pace);
  seat = await floor.screen(
    "seat 1",
    "tablet",
    "no-preference",
    async (page) => void (await page.addInitScript(note)),
    true,
  );
  fingers = await seat.context().newCDPSession(seat);
});
after(async () => {
  await floor.close();
  assert.deepEqual(floor.problems, []);
});

/** Runs in the page before its own code: notes each change of the timer, and each tone. */
function note(): void {
  const noted = { moments: [] as Moment[], tones: [] as number[] };
  Object.assign(globalThis, { noted });
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (at) {
    noted.tones.push(this.frequency.value);
    start.call(this, at);
  };
  let last = "";
  new MutationObserver(() => {
    const timer = document.querySelector("header [role=timer]");
    const [halves, text] = [[...(timer?.querySelectorAll("i > i") ?? [])], timer?.querySelector("b")];
    if (!halves.length || !text || text.textContent === last) return;
    last = text.textContent;
    const bar = new DOMMatrix(getComputedStyle(document.querySelector("header > i")!).transform).a;
    noted.moments.push({
      seconds: Number(last),
      bar,
      gone: halves.reduce((sum, half) => sum + (half.getAnimations()[0]?.effect?.getComputedTiming().progress ?? 0), 0),
      ring: getComputedStyle(halves[0]!).borderTopColor,
      digits: getComputedStyle(text).color,
    });
  }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
}

const said = (moments: readonly Moment[]): string => JSON.stringify(moments);
const noted = (): Promise<Noted> => seat.evaluate(() => (globalThis as unknown as { noted: Noted }).noted);

async function finger(type: "touchStart" | "touchMove" | "touchEnd", at?: Point): Promise<void> {
  const touchPoints = at ? [{ x: at[0], y: at[1] }] : [];
  await fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
}

/** A finger comes down and goes from place to place; it is still down. */
async function goes(from: Point, ...to: readonly Point[]): Promise<void> {
  await finger("touchStart", from);
  for (const at of to) await finger("touchMove", at);
}

const halfway = ([x, y]: Point, [toX, toY]: Point): Point => [(x + toX) / 2, (y + toY) / 2];

step("no time runs while nobody bets", async () => {
  await seat.locator('[data-spot="field"][aria-disabled=false]').waitFor();
  assert.equal(await seat.locator("[role=timer]").count(), 0);
  assert.deepEqual((await noted()).moments, []);
});

step("a chip that a finger carries lights the spot under it, and is bet where the finger lifts", async () => {
  const chip = await middle(seat.getByRole("radio", { name: "$5", exact: true }));
  const field = await middle(spot(seat, "field"));
  await goes(chip, halfway(chip, field), field, [field[0] + 2, field[1]]);
  await seat.locator('[data-spot="field"].over').waitFor();
  await finger("touchEnd");
  await lies(seat, "Field, $5").waitFor();
  assert.equal(await seat.locator(".over").count(), 0);
  await seat.locator("[role=timer]").waitFor(); // the first bet starts the time, and the header has room for it
  const line = (await spot(seat, "pass").boundingBox())!; // it turns a corner: its middle is not on it
  await seat.touchscreen.tap(line.x + line.width / 2, line.y + line.height - 12);
  await lies(seat, "Pass Line, $5").waitFor();
});

step("the time left is digits, a ring and a bar", async () => {
  await seat.locator(".over.mine").waitFor({ timeout: 30_000 }); // bets are closed, and the dice are this seat's
  const { moments } = await noted();
  const betting = moments.slice(
    0,
    moments.findIndex(({ seconds }) => seconds <= 1),
  );
  assert.deepEqual(
    betting.map(({ seconds }) => seconds),
    [8, 7, 6, 5, 4, 3, 2],
  );
  const grows = (all: readonly number[]): boolean => all.every((each, n) => n === 0 || each > all[n - 1]!);
  assert.ok(grows(betting.map(({ gone }) => gone)), `the ring shrinks, and is never filled again: ${said(betting)}`);
  assert.ok(grows(betting.map(({ bar }) => -bar)), `the bar shrinks, and is never filled again: ${said(betting)}`);
});

step("from five seconds on it is red, and ticks each second", async () => {
  const { moments, tones } = await noted();
  const at = (s: number): Moment => moments.find(({ seconds }) => seconds === s)!;
  const red = await seat.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--red)";
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  for (const s of [8, 7, 6]) assert.notEqual(at(s).ring, red, `${s} s`);
  for (const s of [5, 4, 3, 2]) {
    assert.equal(at(s).ring, red, `${s} s`);
    assert.notEqual(at(s).digits, at(6).digits, `${s} s`);
  }
  assert.equal(tones.filter((hz) => hz === TICK_HZ).length, HURRY_S);
});

step("a swipe with the finger throws the dice, wherever it ends", async () => {
  const felt = (await seat.locator(".table").boundingBox())!;
  const [x, y] = [felt.x + felt.width / 2, felt.y + felt.height / 2];
  await goes([x, y], [x + 60, y - 40], [felt.x + felt.width - 4, 6]);
  assert.equal(await seat.locator(".flight").count(), 0, "it is thrown when the finger lifts");
  await finger("touchEnd");
  await seat.locator(".flight").waitFor();
  await seat.locator(".result").waitFor();
  assert.equal(await seat.locator('ol[aria-label="Last rolls"] > li').count(), 1);
});
