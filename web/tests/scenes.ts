/** A table in play and its screens, for whoever looks at how they are drawn. */

import { spawnSync } from "node:child_process";
import type { Locator, Page } from "playwright-core";
import type { Request } from "../src/wire.ts";
import { Floor, PASSWORD, SIZES, type Size } from "./floor.ts";
import { settle } from "./hands.ts";

export const GAMES = ["craps", "crapless", "easy", "roll-to-win", "shoot-to-win"] as const;
export type Game = (typeof GAMES)[number];
export type Language = "en" | "es" | "zh";
/** Without a font for Chinese its texts are boxes, which say nothing of how its letters lie: then it is left out. */
export const LANGUAGES: readonly Language[] = hasFontFor("zh") ? ["en", "es", "zh"] : ["en", "es"];
const EACH_SIZE: readonly Size[] = ["desk", "tablet", "portrait", "phone"];
/** What a screen of the house may have too, though not a player terminal: its spots would be too low for a finger. */
const LOW: readonly Size[] = ["laptop", "square"];

const SEAT = 1;

/** Chips of every kind: bets that the game lacks, or takes only later, are refused, and that is all. */
const ON_THE_COME_OUT = ["pass", "dont_pass", "field", "place.5", "place.8", "place.10", "big.8", "hard.4", "hard.8"];
const ON_A_POINT = [
  ...["pass.odds", "come", "place.9", "place_to_lose.4", "low_field", "high_field", "c", "e", "c_and_e", "seven"],
  ...["any_craps", "horn", "horn.2", "horn.12", "hop.1-3", "hop.5-6", "lucky_roller.all", "lucky_shooter"],
];
const CENTS = 1200;

function hasFontFor(language: Language): boolean {
  const { stdout } = spawnSync("fc-list", [`:lang=${language}`], { encoding: "utf8" });
  if (!stdout) console.warn(`no font for ${language} is installed: its texts are not looked at`);
  return Boolean(stdout);
}

export interface Evening {
  readonly floor: Floor;
  readonly seat: Page;
  readonly dealer: Page;
  readonly table: Page;
  readonly info: Page;
  readonly office: Page;
}
export type Screen = Exclude<keyof Evening, "floor">;
const SCREENS = ["seat", "dealer", "table", "info", "office"] as const;
/** What changes the page below it. */
const TABS: Readonly<Partial<Record<Screen, string>>> = {
  seat: "[role=tab]:visible",
  dealer: "main > nav button:visible",
  office: "nav a:visible",
};

/** A table some rolls into a hand: a point is on, a come bet has travelled, chips lie, the history has begun. */
export async function playEvening(game: Game): Promise<Evening> {
  const floor = await Floor.open(game, "dealer_assisted", ["timers.bets_s = 600"]);
  try {
    const places = [`seat ${SEAT}`, ...SCREENS.slice(1)];
    const screens = await Promise.all(places.map((place) => floor.screen(place, "desk")));
    const [seat, dealer, table, info, office] = screens as [Page, Page, Page, Page, Page];
    const evening = { floor, seat, dealer, table, info, office };
    await chooseOwnPassword(evening);
    for (const at of [dealer, office]) await signIn(evening, at);
    await bet(evening, ON_THE_COME_OUT);
    await roll(evening, [4, 2]);
    await bet(evening, ON_A_POINT);
    await roll(evening, [1, 4]); // odds on the Come bet are at 3 to 2: a $5 chip bets $6 there, which is written on them
    await roll(evening, [3, 1]);
    // The seat is told of the last roll and then of the bets that are open, with the questions for them.
    await seat.waitForFunction((n) => document.querySelectorAll("[aria-label='Last rolls'] li").length === n, 3);
    await seat.getByText("Place your bets", { exact: true }).first().waitFor();
    await dismiss(seat);
    return evening;
  } catch (problem) {
    await floor.close();
    throw problem;
  }
}

export interface Look {
  readonly page: Page;
  /** What is looked at, in words: screen, what is open, size, language. */
  readonly where: string;
  /** Whether it is among those that stand for the others: at the first size, in one language. */
  readonly sampled: boolean;
}

export interface Which {
  readonly screens?: readonly Screen[];
  readonly sizes?: readonly Size[];
  /** With what can be opened above them, and with nobody signed in. */
  readonly popUps?: boolean;
}

/** Screens of an evening with each of their tabs and pop-ups, at last with nobody signed in. */
export async function* looksAt(evening: Evening, which: Which = {}): AsyncGenerator<Look> {
  const { screens = SCREENS, sizes = EACH_SIZE, popUps = true } = which;
  for (const screen of screens) {
    const tabs = screen === "seat" || popUps ? TABS[screen] : undefined;
    const low = screen !== "seat" && popUps ? LOW : [];
    yield* eachLook(evening[screen], screen, [...sizes, ...low], tabs);
  }
  if (!popUps) return;
  for (const { on, name, from = "desk", open, close } of POP_UPS) {
    const page = evening[on];
    if (!screens.includes(on)) continue;
    await resize(page, from);
    if (!(await open(evening))) continue;
    await page.locator(DIALOG).first().waitFor({ timeout: 20_000 });
    await quiet(page);
    yield* eachLook(page, `${on} with ${name}`, sizes);
    await dismiss(page);
    await close?.(evening);
  }
  for (const [name, steps] of PHASES) {
    for (const step of steps) await evening.floor.ask(evening.dealer, step, "done");
    for (const screen of screens.filter((one) => one !== "office")) {
      yield* eachLook(evening[screen], `${screen}, ${name}`, sizes);
    }
  }
  for (const screen of screens.filter((one) => one === "dealer" || one === "office")) {
    const page = evening[screen];
    const { origin, pathname } = new URL(page.url());
    // Where no table is watched, which the session's end would cut, and when nothing is asked for that needs it.
    await page.goto(origin + pathname, { waitUntil: "networkidle" });
    await evening.floor.post(page, "/api/sign-out", {});
    await page.reload();
    await page.waitForSelector("main");
    yield* eachLook(page, `${screen} signed out`, sizes);
  }
}

/** A round as the dealer leads it, from closed bets to the dice on the table. */
const PHASES: readonly (readonly [string, readonly Request[]])[] = [
  ["bets closed", [{ do: "close_bets" }]],
  ["dice entered", [{ do: "enter_dice", dice: [5, 3] }]],
  ["rolled", [{ do: "confirm_dice" }]],
];

/** `LOOKS=all`: everything in every language at every size, as `make looks` does. */
export const ALL = process.env["LOOKS"] === "all";
/** Otherwise each thing is met at every third size. */
const TURNS = 3;
/** How many things were looked at: sizes and languages take turns. */
let looked = 0;

/** One thing, tab by tab, at every size in every language; or, unless all is wanted, at sizes that take turns from tab to
 * tab and from thing to thing, each in a language that takes turns too. */
async function* eachLook(page: Page, what: string, sizes: readonly Size[], tabs?: string): AsyncGenerator<Look> {
  looked += 1;
  /** Whether a size stands for the others, and which language for the other two. */
  const turn = (size: Size, tab: number) => (looked + tab + sizes.indexOf(size)) % TURNS === 0;
  const spokenIn = (size: Size, tab: number) => (looked + 2 * tab + sizes.indexOf(size)) % LANGUAGES.length;
  for (const [n, language] of LANGUAGES.entries()) {
    const wanted = (size: Size, tab: number) => ALL || (turn(size, tab) && spokenIn(size, tab) === n);
    const here = sizes.filter((size) => tabs || wanted(size, 0));
    if (here.length) await speak(page, language);
    for (const size of n % 2 ? here.toReversed() : here) {
      await resize(page, size);
      for await (const tab of tabsOf(page, tabs, (one) => wanted(size, one))) {
        const where = `${what}${tab ? ` tab ${tab}` : ""}, ${size}, ${language}`;
        yield { page, where, sampled: size === sizes[0] && spokenIn(size, tab) === n };
      }
    }
  }
  await speak(page, "en");
}

/** Opens the tabs of a screen one after the other; where there are none (0) it stays as it is. */
export async function* tabsOf(
  page: Page,
  tab: string | undefined,
  wanted: (tab: number) => boolean = () => true,
): AsyncGenerator<number> {
  const tabs = tab ? page.locator(tab) : null;
  const count = (await tabs?.count()) ?? 0;
  if (!count && wanted(0)) yield 0;
  for (let n = 1; n <= count; n += 1) {
    if (!wanted(n)) continue;
    await tabs!.nth(n - 1).evaluate((one: HTMLElement) => one.click());
    await quiet(page);
    yield n;
  }
  if (count) await tabs!.first().evaluate((one: HTMLElement) => one.click());
}

interface PopUp {
  readonly on: "seat" | "dealer" | "office";
  readonly name: string;
  /** The size at which there is a way to it. */
  readonly from?: Size;
  /** Opens it from English; says whether this game has it. */
  readonly open: (evening: Evening) => Promise<boolean>;
  /** What is undone afterwards, besides that it is dismissed. */
  readonly close?: (evening: Evening) => Promise<void>;
}

const DIALOG = "dialog[open], [role=dialog]";

/** What can be opened above a screen. */
const POP_UPS: readonly PopUp[] = [
  { on: "seat", name: "the question for a commission", open: ({ seat }) => press(seat.locator('[data-spot="buy.4"]')) },
  { on: "seat", name: "the help card", open: ({ seat }) => press(seat.locator('[data-spot="place.6"]'), "?") },
  { on: "seat", name: "the rules", open: ({ seat }) => tap(button(seat, "Rules")) },
  { on: "seat", name: "the options", open: ({ seat }) => tap(button(seat, "Options")) },
  { on: "seat", name: "the volumes", open: ({ seat }) => tap(button(seat, "Volume")) },
  { on: "seat", name: "the session", open: ({ seat }) => tap(button(seat, "Session")) },
  { on: "seat", name: "the statistics", open: statistics },
  { on: "seat", name: "the favourites", open: favourites },
  { on: "seat", name: "money to insert", open: ({ seat }) => tap(button(seat, "Add money")) },
  { on: "seat", name: "a ticket being printed", open: printing },
  { on: "seat", name: "a ticket to take", open: printed },
  {
    on: "seat",
    name: "the sign-in that the key opens",
    open: ({ floor }) => turned(floor, true),
    close: async ({ floor }) => void (await turned(floor, false)),
  },
  { on: "seat", name: "the keypad", open: ({ seat }) => tap(button(seat, "Tip")) },
  { on: "seat", name: "the menu", from: "phone", open: ({ seat }) => tap(button(seat, "Menu")) },
  { on: "seat", name: "the buttons", from: "phone", open: ({ seat }) => tap(seat.locator(".more")) },
  { on: "seat", name: "the question for odds", open: travel },
  { on: "dealer", name: "a wrong roll", open: ({ dealer }) => tap(button(dealer, "Wrong roll")) },
  { on: "dealer", name: "credit before a drawer is open", open: ({ dealer }) => tap(button(dealer, "Give credit")) },
  { on: "dealer", name: "credit for cash", open: giveCredit },
  { on: "dealer", name: "a drawer to be counted", open: ({ dealer }) => tap(button(dealer, "Cash drawer")) },
];

function button(page: Page, name: string): Locator {
  return page.getByRole("button", { name, exact: true });
}

async function tap(target: Locator): Promise<boolean> {
  if (!(await target.count())) return false;
  await target.first().click();
  return true;
}

async function press(target: Locator, key = "Enter"): Promise<boolean> {
  if (!(await target.count())) return false;
  await target.first().press(key);
  return true;
}

async function statistics({ seat }: Evening): Promise<boolean> {
  await tap(button(seat, "Session"));
  await button(seat, "Statistics").waitFor();
  return tap(button(seat, "Statistics"));
}

/** One that is saved, the others empty. */
async function favourites({ floor, seat }: Evening): Promise<boolean> {
  await floor.ask(seat, { do: "save_favourite", seat: SEAT, slot: 1 }, "done");
  return tap(button(seat, "Favourites"));
}

async function giveCredit({ floor, dealer }: Evening): Promise<boolean> {
  await floor.post(dealer, "/api/drawer/open", { float_cents: 20_000 });
  await tap(button(dealer, "Give credit"));
  await button(dealer, "+ $20").waitFor(); // the drawer is looked up first
  return tap(button(dealer, "+ $20"));
}

async function turned(floor: Floor, on: boolean): Promise<boolean> {
  await floor.devices(SEAT).doors.key(on);
  return true;
}

/** A tip, whose ticket stays in the printer. */
async function printing({ floor, seat }: Evening): Promise<boolean> {
  floor.devices(SEAT).printer.waits = true;
  const { type } = await floor.ask(seat, { do: "give_tip", seat: SEAT, cents: 500 });
  return type === "done";
}

/** The same ticket, when it has come out. */
async function printed({ floor, seat }: Evening): Promise<boolean> {
  await floor.devices(SEAT).printer.prints();
  await seat.getByRole("dialog", { name: "Take the tip ticket" }).waitFor();
  return true;
}

/** A come bet travels to the nine, where it may have odds. */
async function travel(evening: Evening): Promise<boolean> {
  const { type } = await evening.floor.ask(evening.seat, { do: "place_bet", seat: SEAT, spot: "come", cents: CENTS });
  if (type === "done") await roll(evening, [5, 4]);
  return type === "done";
}

/** The badge of the demonstration has its password for one time only. */
function chooseOwnPassword({ floor, dealer }: Evening): Promise<void> {
  const { badge, one_time_password } = floor.prepared;
  return floor.post(dealer, "/api/password", { badge, password: one_time_password, new: PASSWORD });
}

async function signIn({ floor }: Evening, at: Page): Promise<void> {
  await floor.post(at, "/api/sign-in", { badge: floor.prepared.badge, password: PASSWORD });
  await at.reload();
  await at.waitForSelector("main");
}

async function bet({ floor, seat }: Evening, spots: readonly string[]): Promise<void> {
  for (const spot of spots) await floor.ask(seat, { do: "place_bet", seat: SEAT, spot, cents: CENTS });
}

/** The shooter's dice, as the dealer enters them; bets are open again afterwards. */
async function roll({ floor, dealer }: Evening, dice: readonly [number, number]): Promise<void> {
  const steps: readonly Request[] = [
    { do: "close_bets" },
    { do: "enter_dice", dice },
    { do: "confirm_dice" },
    { do: "open_bets" },
  ];
  for (const step of steps) await floor.ask(dealer, step, "done");
}

/** Closes the pop-ups that are open, one after the other. */
export async function dismiss(page: Page): Promise<void> {
  const dialog = page.locator(DIALOG).last();
  for (let n = 0; n < 10 && (await dialog.count()); n += 1) {
    const open = (await dialog.elementHandle())!;
    await page.keyboard.press("Escape");
    await open.waitForElementState("hidden", { timeout: 20_000 });
    await settle(page);
  }
}

/** Changes the language of a screen: by its button while it runs, or, of a display, by its address. */
export async function speak(page: Page, language: Language): Promise<void> {
  if ((await page.evaluate(() => document.documentElement.lang)) === language) return;
  const button = page.locator(`button[lang="${language}"]`).first();
  if (await button.count()) {
    await button.evaluate((one: HTMLElement) => one.click());
  } else {
    const address = new URL(page.url());
    address.searchParams.set("lang", language);
    await page.goto(address.href);
    await page.waitForSelector("main");
  }
  const spoken = (wanted: string) => document.documentElement.lang === wanted;
  await page.waitForFunction(spoken, language, { timeout: 20_000 }).catch(() => {
    throw new Error(`${page.url()} does not speak ${language}`);
  });
  await quiet(page);
}

export async function resize(page: Page, size: Size): Promise<void> {
  const [width, height] = SIZES[size];
  await page.setViewportSize({ width, height });
  await settle(page);
}

/** Waits, a second at most, until what is still being loaded has come and nothing moves. */
export async function quiet(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((still) => {
        let waiting = setTimeout(still, 100);
        new MutationObserver(() => {
          clearTimeout(waiting);
          waiting = setTimeout(still, 100);
        }).observe(document.body, { childList: true, subtree: true });
        setTimeout(still, 1000);
      }),
  );
  await settle(page);
}
