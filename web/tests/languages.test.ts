/** Whoever chose Spanish or Chinese reads no English: refusals with details, doors, events, tickets, the office. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import { es as officeEs } from "../src/office/words/es.ts";
import { zh as officeZh } from "../src/office/words/zh.ts";
import { es } from "../src/words/es.ts";
import { es as playerEs } from "../src/words/player/es.ts";
import { zh as playerZh } from "../src/words/player/zh.ts";
import { es as rulesEs } from "../src/words/rules/es.ts";
import { zh as rulesZh } from "../src/words/rules/zh.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";
import { CATALOGUES, texts } from "./catalogues.ts";
import { Floor } from "./floor.ts";
import { picture, story } from "./hands.ts";

const PASSWORD = "four coloured chips on the rail";
/** Names, ids and what is written alike: games and tables have the names that the operator gave them. */
const ALLOWED = [
  "craps",
  "demo",
  "administrator",
  "terminal",
  "terminals",
  "place",
  "come",
  "timers",
  "sha",
  "pin",
  "may", // a month
  "test", // who prepared the floor
  "cashier",
];
/** What staff and terminals are called. */
const IDS = /\b[a-z]+-\d+\b/g;
const LANGUAGES = [
  {
    chosen: "Español",
    nth: 1,
    text: { ...es, ...playerEs, ...rulesEs, ...staffEs },
    office: officeEs,
    short: "Crédito insuficiente. (faltan $1)",
  },
  {
    chosen: "中文",
    nth: 2,
    text: { ...zh, ...playerZh, ...rulesZh, ...staffZh },
    office: officeZh,
    short: "余额不足。 (还差 $1)",
  },
] as const;

let floor: Floor;
let seat: Page;
let dealer: Page;
let office: Page;

const step = story("an evening in Spanish and in Chinese");

before(async () => {
  mkdirSync("pictures", { recursive: true });
  floor = await Floor.open("craps", "selectable", ["timers = { bets_s = 600 }"]);
  seat = await floor.screen("seat 1", "desk");
  dealer = await floor.screen("dealer", "desk");
  office = await floor.screen("office", "desk");
});
after(async () => {
  await floor.close();
});

/** The words of three letters and more in all texts of a language. */
function wordsOf(nth: number): Set<string> {
  const all = Object.values(CATALOGUES).flatMap((catalogues) => texts(catalogues[nth]!));
  return new Set(all.flatMap(([, text]) => lower(text.replace(/\{[^}]*\}/g, " "))));
}

function lower(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** English words on a part of a page, by the words of our own English texts and codes with an underscore. */
async function english(part: Locator, nth: number): Promise<string[]> {
  const ours = wordsOf(0);
  const theirs = new Set([...wordsOf(nth), ...ALLOWED]);
  const shown = (await part.innerText()).replace(IDS, " ");
  return [
    ...lower(shown).filter((word) => ours.has(word) && !theirs.has(word)),
    ...(shown.match(/\b[a-z]+_[a-z_]+\b|\bundefined\b|\bobject\b/g) ?? []),
  ];
}

step("an administrator signs in at the dealer terminal and at the office", async () => {
  const { acceptor, printer, doors } = floor.devices(1);
  acceptor.state({ doing: "inhibited", fault: "stacker_full", "bills in stacker": 3, "cents in stacker": 300 });
  printer.state({ doing: "idle", fault: "paper_out cover_open", "paper low": true });
  doors.state({ linked: true, cage_main: "closed", key: "off" });
  const { badge, one_time_password } = floor.prepared;
  await floor.post(office, "/api/password", { badge, password: one_time_password, new: PASSWORD });
  for (const page of [office, dealer]) {
    await floor.post(page, "/api/sign-in", { badge, password: PASSWORD });
    await page.reload();
  }
});

for (const { chosen, nth, text, office: words, short } of LANGUAGES) {
  const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

  step(`${chosen}: a ticket is written in the player's language`, async () => {
    await button(seat, chosen).click();
    await button(seat, text.buttons.cash_out).waitFor();
    assert.ok(await floor.devices(1).acceptor.bill(2_000));
    await button(seat, text.buttons.cash_out).click();
    const ticket = seat.getByRole("dialog", { name: text.paper.take.cash_out });
    await ticket.waitFor();
    assert.deepEqual(await english(ticket, nth), []);
    await picture(seat, `language-${nth}-ticket`);
    await button(seat, text.seat.done).click();
    await button(seat, "Cash out").waitFor(); // the stay has ended: the house's own language is back
  });

  step(`${chosen}: a bet that is refused says how much is short`, async () => {
    await button(seat, chosen).click();
    await button(seat, text.buttons.cash_out).waitFor();
    await seat.locator('[data-spot="pass"]').click({ force: true });
    await seat.getByRole("alert").getByText(short).first().waitFor();
    assert.deepEqual(await english(seat.locator("body"), nth), []);
    await picture(seat, `language-${nth}-refused`);
  });

  step(`${chosen}: an open door is named on the dealer terminal and at the seat`, async () => {
    await button(dealer, chosen).click();
    await floor.devices(1).doors.door("acceptor_and_printer", true);
    const card = dealer.getByRole("article", { name: text.seat.terminal.replace("{n}", "1") });
    await card.getByText(text.dealer.doors.acceptor_and_printer).waitFor();
    assert.deepEqual(await english(card, nth), []);
    assert.deepEqual(await english(dealer.locator("main"), nth), []);
    await picture(dealer, `language-${nth}-door`);
    await floor.devices(1).doors.door("acceptor_and_printer", false);
    await floor.devices(1).doors.key(true);
    await floor.ask(dealer, { do: "clear_lockup", seat: 1 }, "done");
    await floor.devices(1).doors.key(false);
  });

  step(`${chosen}: the dealer terminal lists the events of the table and of the floor`, async () => {
    await button(dealer, text.dealer.tab_events).click();
    for (const [where, event] of [
      [text.dealer.audit.this_table, text.dealer.events.door_opened],
      [text.dealer.audit.floor, text.dealer.events.program_started],
    ] as const) {
      await button(dealer, where).click();
      await dealer.getByRole("row").filter({ hasText: event }).first().waitFor();
      assert.deepEqual(await english(dealer.locator("main"), nth), []);
      await picture(dealer, `language-${nth}-events-${event}`);
    }
    await button(dealer, text.dealer.tab_table).click();
  });

  step(`${chosen}: the office lists events, and its tickets and health have no English`, async () => {
    await button(office, chosen).click();
    for (const page of ["events", "tickets", "drawers", "terminals", "devices", "staff", "health", "tables"] as const) {
      await office.getByRole("link", { name: words.pages[page], exact: true }).click();
      await office.getByRole("heading", { name: words.pages[page], exact: true }).first().waitFor();
      await office.getByText(text.dealer.audit.loading).first().waitFor({ state: "detached" });
      assert.deepEqual(await english(office.locator("main"), nth), [], page);
      await picture(office, `language-${nth}-office-${page}`);
    }
  });

  step(`${chosen}: the key opens menus without English at the seat`, async () => {
    const { doors } = floor.devices(1);
    const menu = seat.getByRole("dialog", { name: text.dealer.behind_key.title.replace("{n}", "1") });
    await doors.key(true);
    await seat.getByRole("dialog").getByRole("button", { name: chosen, exact: true }).click();
    await menu.getByText(text.dealer.behind_key.lead).waitFor();
    assert.deepEqual(await english(menu, nth), []);
    await floor.post(seat, "/api/sign-in", { badge: floor.prepared.badge, password: PASSWORD });
    await seat.reload();
    for (const tab of ["terminal", "meters", "rounds", "events", "tickets", "devices"] as const) {
      const name = text.dealer[`tab_${tab}`];
      await button(seat, name).click();
      if (tab !== "terminal") await menu.getByRole("heading", { name }).waitFor();
      await menu.getByText(text.dealer.audit.loading).waitFor({ state: "detached" });
      assert.deepEqual(await english(menu, nth), [], tab);
      await picture(seat, `language-${nth}-key-${tab}`);
    }
    await doors.key(false);
    await menu.waitFor({ state: "detached" });
  });

  step(`${chosen}: a wrong password at the office is refused`, async () => {
    await floor.post(office, "/api/sign-out", {});
    await office.reload();
    await office.locator("form input").first().fill(floor.prepared.badge);
    await office.locator('form input[type="password"]').first().fill("not the password");
    await button(office, text.dealer.sign_in).click();
    await office.getByRole("alert").getByText(text.floor_why.not_signed_in).waitFor();
    assert.deepEqual(await english(office.locator("main"), nth), []);
    await picture(office, `language-${nth}-password`);
    await floor.post(office, "/api/sign-in", { badge: floor.prepared.badge, password: PASSWORD });
    await office.reload();
  });
}

step("no screen had a fault", () => {
  assert.deepEqual(
    floor.problems.filter((problem) => !/40[19]/.test(problem)),
    [],
  );
});
