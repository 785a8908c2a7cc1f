/** Screens that misbehaved, each in the words of who met it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Dice, Request, Told } from "../src/wire.ts";
import { Floor, PASSWORD } from "./floor.ts";
import { button, dialog, middle, settle, spot } from "./hands.ts";
import { ALL } from "./scenes.ts";

let floor: Floor;
let seat: Page;
let two: Page;
let dealer: Page;

/** What lies on a spot; what it would win may be said after it. */
const lies = (said: string, on = seat): Locator =>
  on.locator(`[data-spot][aria-label="${said}"], [data-spot][aria-label^="${said}, wins "]`);
const key = (name: string, on = seat): Locator => on.locator(`[data-button="${name}"]`);
const chip = (name: string, on = seat): Locator => on.getByRole("radio", { name, exact: true });
const meter = (name: string, amount: string, on = seat): Promise<void> =>
  on.locator(`[data-meter="${name}"] b`).getByText(amount, { exact: true }).waitFor();

async function open(game: string, settings: readonly string[] = []): Promise<void> {
  floor = await Floor.open(game, "dealer_assisted", ["timers.bets_s = 600", ...settings]);
  seat = await floor.screen("seat 1", "desk");
  two = await floor.screen("seat 2", "desk");
  dealer = await floor.screen("dealer", "desk");
  await floor.signIn(dealer);
  await dealer.reload();
  await button(dealer, "Sign out").waitFor();
}

/** The second person, for what takes two. */
function addPitBoss(office: Page): Promise<void> {
  return office.evaluate(async (chosen) => {
    const post = async (path: string, body: object) =>
      (await fetch(path, { method: "POST", body: JSON.stringify(body) })).json() as Promise<Record<string, string>>;
    const { one_time_password } = await post("/api/staff", { badge: "pit-1", label: "pit-1", role: "pit_boss" });
    await post("/api/password", { badge: "pit-1", password: one_time_password, new: chosen });
  }, PASSWORD);
}

async function deal(...steps: Request[]): Promise<void> {
  for (const step of steps) await floor.ask(dealer, step, "done");
}

/** A whole round: what lies meets the dice, and bets are open again. */
function roll(...dice: Dice): Promise<void> {
  return deal({ do: "close_bets" }, { do: "enter_dice", dice }, { do: "confirm_dice" }, { do: "open_bets" });
}

function bet(id: string, cents: number): Promise<unknown> {
  return floor.ask(seat, { do: "place_bet", seat: 1, spot: id, cents }, "done");
}

/** Takes all chips down that may be. */
async function clear(): Promise<void> {
  await key("cancel").click();
  await key("cancel_all").click();
  await key("done").click();
}

/** What was done to the page on purpose, and said so in its console. */
function forget(said: RegExp): void {
  floor.problems.splice(0, Infinity, ...floor.problems.filter((problem) => !said.test(problem)));
}

/** The middle of the chips on a spot. */
async function chips(id: string): Promise<[number, number]> {
  const name = (await spot(seat, id).getAttribute("aria-label"))!;
  assert.match(name, /\$/, `chips lie on ${id}`);
  return middle(spot(seat, id));
}

async function setOption(page: Page, name: string): Promise<void> {
  await button(page, "Options").click();
  await page.getByRole("switch", { name }).click();
  await page.keyboard.press("Escape");
}

describe("a seat at a table with a dealer", () => {
  before(() => open("craps"));
  after(() => floor.close());

  test("bet limits are printed on the spots, and the money stays right", async () => {
    await seat.waitForFunction(() => document.querySelector("[data-print='place.9']")?.textContent?.includes("7:5"));
    await setOption(seat, "Show bet limits");
    await seat.waitForFunction(() =>
      /\$1 – \$1,000|1–1000/.test(document.querySelector("[data-print='field']")!.textContent!),
    );
    await chip("$5").click();
    await spot(seat, "field").click();
    await lies("Field, $5").waitFor();
    await meter("bet", "$5.00");
    await setOption(seat, "Show bet limits");
    await clear();
    await meter("bet", "$0.00");
  });

  test("chips come off by the amount of the chip that is held, whole by a drag, and part by part from their card", async () => {
    await bet("field", 4500);
    await lies("Field, $45").waitFor();
    await chip("$10").click();
    await button(seat, "Take down").click();
    await spot(seat, "field").click();
    await lies("Field, $35").waitFor();
    await button(seat, "Done").click();
    await spot(seat, "field").press("-");
    await lies("Field, $25").waitFor();
    await spot(seat, "field").focus();
    await spot(seat, "field").press("?");
    await dialog(seat, "Field").getByRole("button", { name: "Take down part …" }).click();
    const pad = dialog(seat, "Field: how much of $25 do you want to take down?");
    for (const digit of ["2", "0", "Enter"]) await pad.getByRole("button", { name: digit, exact: true }).click();
    await lies("Field, $5").waitFor();
    await spot(seat, "field").press("-"); // ten of five is all of it
    await lies("Field").waitFor();
    await bet("field", 2500);
    await lies("Field, $25").waitFor();
    await spot(seat, "field").press("Delete");
    await lies("Field").waitFor();
    await meter("credit", "$1,000.00");
  });

  test("the right button carries no chips off", async () => {
    await bet("hard.8", 1000);
    await lies("Hard 8, $10").waitFor();
    const [x, y] = await chips("hard.8");
    await seat.mouse.move(x, y);
    await seat.mouse.down({ button: "right" });
    await seat.mouse.move(400, 500, { steps: 6 });
    await seat.mouse.up({ button: "right" });
    await floor.ask(seat, { do: "call_service", seat: 1 }, "done"); // what was asked before is answered by now
    assert.equal(await seat.locator(".ghost").count(), 0);
    assert.equal(await lies("Hard 8, $10").count(), 1);
    await floor.ask(seat, { do: "press_button", seat: 1, button: "clear_all" }, "done");
  });

  test("a second finger neither ends nor takes over a drag", async () => {
    await bet("hard.8", 1000);
    await bet("hard.6", 1000);
    await lies("Hard 6, $10").waitFor();
    const [from, other] = [await chips("hard.8"), await chips("hard.6")];
    const finger = (kind: string, pointerId: number, [x, y]: readonly [number, number]) =>
      seat.evaluate(
        ([kind, pointerId, x, y]) => {
          const at = {
            pointerId,
            isPrimary: pointerId === 11,
            clientX: x,
            clientY: y,
            pointerType: "touch",
            bubbles: true,
          };
          document.elementFromPoint(x, y)!.dispatchEvent(new PointerEvent(kind, at));
        },
        [kind, pointerId, x, y] as const,
      );
    await finger("pointerdown", 11, from);
    await finger("pointermove", 11, [400, 500]);
    await seat.locator(".ghost").waitFor();
    await finger("pointerdown", 12, other);
    await finger("pointermove", 12, [500, 400]);
    await finger("pointerup", 12, [500, 400]);
    assert.equal(await seat.locator(".ghost").count(), 1, "the first finger still carries its chips");
    await finger("pointermove", 11, from);
    await finger("pointerup", 11, from);
    await seat.locator(".ghost").waitFor({ state: "detached" });
    await floor.ask(seat, { do: "reserve_seat", seat: 1 }, "done");
    await floor.ask(seat, { do: "return_to_seat", seat: 1 }, "done");
    assert.deepEqual([await lies("Hard 8, $10").count(), await lies("Hard 6, $10").count()], [1, 1]);
  });

  test("a refusal goes when something succeeds", async () => {
    await seat.evaluate(() => {
      const later = window.setTimeout;
      // By itself it would go after more than three seconds: those never end.
      window.setTimeout = ((run: () => void, ms = 0) => (ms > 3000 ? 0 : later(run, ms))) as typeof setTimeout;
    });
    await bet("field", 500);
    await lies("Field, $5").waitFor();
    await button(seat, "Cash out").click({ force: true });
    await seat.getByRole("alert").getByText("Only when you have no bets on the table.").waitFor();
    await clear();
    await meter("bet", "$0.00");
    await seat.getByText("Only when you have no bets on the table.").waitFor({ state: "detached" });
    await seat.reload();
    await lies("Field").waitFor();
  });

  test("Clear last, pressed again, is Clear all, and says so", async () => {
    await bet("field", 500);
    await bet("hard.8", 500);
    await key("cancel").click();
    await key("clear_last").getByText("Clear last").waitFor();
    await key("clear_last").click();
    await key("clear_last").getByText("Clear all").waitFor();
    await key("clear_last").click();
    await meter("bet", "$0.00");
    await key("done").click();
  });

  test("auto-repeat is confirmed in the options too, and goes off at once", async () => {
    await bet("field", 500);
    await roll(1, 1);
    const repeats = seat.getByRole("switch", { name: "Auto repeat" });
    const question = dialog(seat, "Repeat these bets every round?");
    await button(seat, "Options").click();
    await repeats.click();
    await question.getByRole("button", { name: "No" }).click();
    await question.waitFor({ state: "detached" });
    await button(seat, "Options").click();
    assert.equal(await repeats.getAttribute("aria-checked"), "false");
    await repeats.click();
    await question.getByRole("button", { name: "Yes" }).click();
    await key("auto_repeat").waitFor();
    await button(seat, "Options").click();
    await repeats.click();
    await key("repeat").waitFor();
    await seat.keyboard.press("Escape");
    await floor.ask(seat, { do: "press_button", seat: 1, button: "clear_all" });
  });

  test("odds are asked for once for each point: a no holds, and the same number asks again in another hand", async () => {
    const question = dialog(seat, "How much odds do you want on 6?");
    await bet("pass", 1000);
    await roll(4, 2);
    await question.getByRole("button", { name: "No odds" }).click();
    await roll(2, 3); // decides nothing
    await seat.locator("ol li[aria-label^='5']").first().waitFor();
    await lies("Pass Line, $10, locked").waitFor();
    assert.equal(await question.count(), 0);
    await roll(4, 3); // seven out
    await bet("pass", 1000);
    await roll(5, 1);
    await question.waitFor();
    await deal({ do: "close_bets" }, { do: "enter_dice", dice: [3, 2] }, { do: "confirm_dice" }, { do: "open_bets" });
    await lies("Pass Line, $10, locked").waitFor();
    await seat.locator("ol li[aria-label^='5']").first().waitFor();
    assert.equal(await question.count(), 0, "bets closed over it: it was asked");
  });

  test("the puck flashes for a refused Lucky Roller, and for no other refusal", async () => {
    await bet("hard.10", 100);
    await roll(1, 2);
    await spot(seat, "come.4").press("Enter");
    await seat.getByRole("alert").getByText("Come bets move here. You cannot bet here directly.").waitFor();
    assert.equal(await seat.locator("circle.flash").count(), 0);
    await spot(seat, "lucky_roller.low").click({ force: true });
    await seat.getByRole("alert").getByText("Only after a 7, or before the first roll.").waitFor();
    assert.equal(await seat.locator("circle.flash").count(), 1);
  });

  test("a Place win asks in a pop-up whether it moves, and again when wanted", async () => {
    await bet("field", 500);
    await roll(3, 3); // the point is made: the next roll comes out
    await bet("place.8", 1200);
    await roll(5, 3);
    const question = dialog(seat, "Place 8 has won. Do you want to move it?");
    await question.getByRole("button", { name: "Leave it there" }).click();
    await question.waitFor({ state: "detached" });
    await button(seat, "Move Place 8 …").click();
    await question.getByRole("button", { name: "Move to Buy 5" }).click();
    const fee = dialog(seat, /^Pay a commission of/);
    await fee.getByRole("button", { name: "Pay it" }).click();
    await lies("Buy 5, $12").waitFor();
    await lies("Place 8").waitFor();
  });

  test("beside each hard way are the rolls since it was rolled", async () => {
    await roll(4, 4);
    await roll(1, 2);
    const note = (id: string) => seat.locator(`[data-print="${id}"]`).getByText("since last");
    await note("hard.8").getByText("1 since last").waitFor();
    assert.notEqual(await note("hard.4").textContent(), "1 since last");
    assert.match((await spot(seat, "hard.8").getAttribute("aria-description"))!, /1 since last/);
  });

  test("a change of settings that takes chips off a seat says so there, and what Repeat then leaves out is named", async () => {
    const office = await floor.screen("office", "desk");
    await floor.post(office, "/api/sign-in", { badge: floor.prepared.badge, password: PASSWORD });
    await addPitBoss(office);
    await office.goto(`${floor.told.url}/office?page=tables&table=1`);
    await button(office, "Sign out").waitFor();
    await floor.ask(seat, { do: "press_button", seat: 1, button: "cancel_all" });
    await bet("field", 1000);
    await bet("hard.4", 100);
    await roll(2, 3); // the field loses; hard 4 stays
    await meter("bet", "$1.00");
    const request = { do: "change_setting", key: "bet_limits.field.max_cents", text: "500" } as const;
    await floor.post(office, "/api/approve", { badge: "pit-1", password: PASSWORD, table: 1, request });
    await floor.ask(office, request, "done", "pit-1");
    await seat
      .getByRole("status")
      .getByText("The house returned your bets: Hard 4 $1. $1 is back in your credit.")
      .waitFor();
    await key("repeat").click();
    await seat.getByRole("status").getByText("Not repeated, because the game does not allow it now: Field").waitFor();
    await lies("Hard 4, $1").waitFor();
    assert.equal(await seat.getByText("The house returned your bets").count(), 0);
    await office.close();
  });

  test("no screen had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});

describe("stays, storage and parts of a page", () => {
  before(() => open("roll-to-win", ["lucky_roller.needs_line = true"]));
  after(() => floor.close());

  test("a broken value in the browser's storage stops nothing", async () => {
    for (const broken of [
      "{",
      '"x"',
      '{"switches":7,"volumes":{"effects":"loud","alarm":99},"language":"toString","chip_cents":-5}',
    ]) {
      await seat.evaluate((text) => {
        for (const name of ["stickman-options", `stickman${location.pathname}`]) localStorage.setItem(name, text);
      }, broken);
      await seat.reload();
      await spot(seat, "pass").waitFor();
      await meter("credit", "$1,000.00");
    }
  });

  test("what a player chose lasts for their stay, a reload included, and the next player meets none of it", async () => {
    const chosen = (page: Page) =>
      page.evaluate(() => ({
        language: document.documentElement.lang,
        easy: !document.querySelector('[data-spot="hard.8"]'),
        chips: [...document.querySelectorAll(".rack [role=radio]")].map((each) => each.getAttribute("aria-label")),
      }));
    const volumes = async (title: string, close: string): Promise<number[]> => {
      await button(two, title).click();
      await two.getByRole("dialog").locator("meter").first().waitFor();
      const found = await two
        .locator("meter")
        .evaluateAll((all) => (all as HTMLMeterElement[]).map(({ value }) => value));
      await two.getByRole("dialog").getByRole("button", { name: close }).click();
      return found;
    };
    const house = await chosen(two);
    const quiet = await volumes("Volume", "Done");
    // Player A
    await spot(two, "field").click();
    await roll(1, 1);
    await meter("last_win", "$10.00", two);
    await two.locator(".rack .own").click();
    await two.locator(".rack .own").click();
    for (const digit of ["1", "7", "Enter"])
      await dialog(two, "Set this chip").getByRole("button", { name: digit, exact: true }).click();
    await button(two, "Volume").click();
    await two.getByRole("group", { name: "Effects" }).getByRole("button", { name: "Louder" }).click();
    await two.keyboard.press("Escape");
    await button(two, "Options").click();
    await two.getByRole("switch", { name: "Beginner mode" }).click();
    await two.getByRole("dialog").getByRole("button", { name: "Español" }).click();
    await two.getByRole("dialog", { name: "Opciones" }).getByRole("button", { name: "Cerrar" }).click();
    await two.reload();
    await two.waitForFunction(
      () => document.documentElement.lang === "es" && !document.querySelector('[data-spot="hard.8"]'),
    );
    assert.match((await chosen(two)).chips.at(-1)!, /17/, "a reload keeps the chip");
    assert.notDeepEqual(await volumes("Volumen", "Listo"), quiet, "a reload keeps the volume");
    await floor.ask(two, { do: "press_button", seat: 2, button: "clear_all" });
    await button(two, "Cobrar").click();
    // The stay ends with the cash-out: the ticket keeps the player's language, the last result stays, all else is the
    // house's.
    const ticket = dialog(two, "Tome su tique");
    await ticket.getByText(/^acaba en \d{4}$/).waitFor();
    await ticket.getByRole("button", { name: "Listo" }).click();
    await two.waitForFunction(
      () => document.documentElement.lang === "en" && document.querySelector('[data-spot="hard.8"]'),
    );
    assert.deepEqual(await chosen(two), house);
    await meter("last_win", "$10.00", two);
    // Player B
    await floor.devices(2).acceptor.bill(2_000);
    await meter("credit", "$20.00", two);
    await meter("last_win", "$0.00", two);
    assert.deepEqual(await chosen(two), house);
    assert.deepEqual(await volumes("Volume", "Done"), quiet);
    await two.reload();
    await meter("credit", "$20.00", two);
    assert.deepEqual(await chosen(two), house);
    assert.ok(
      !(await two.evaluate(() => JSON.stringify(localStorage))).includes("1700"),
      "nothing is left in the browser",
    );
  });

  test("what is chosen before money comes is for who puts it in", async () => {
    await button(two, "Cash out").click();
    await dialog(two, "Take your ticket").getByRole("button", { name: "Done" }).click();
    await button(two, "Español").click();
    await two.waitForFunction(() => document.documentElement.lang === "es");
    await floor.devices(2).acceptor.bill(2_000);
    await two.locator('[data-meter="credit"] b').getByText("20.00").waitFor();
    assert.equal(await two.evaluate(() => document.documentElement.lang), "es");
  });

  test("side wagers that no longer qualify go back when bets close, and the seat says which", async () => {
    await bet("pass", 1000);
    await bet("lucky_roller.low", 500);
    await floor.ask(seat, { do: "take_bet", seat: 1, spot: "pass" }, "done");
    await floor.ask(two, { do: "place_bet", seat: 2, spot: "field", cents: 500 }, "done");
    await deal({ do: "close_bets" });
    await seat.getByRole("status").getByText("Returned, because they no longer qualify: Lucky Roller Low").waitFor();
    await deal({ do: "enter_dice", dice: [1, 2] }, { do: "confirm_dice" }, { do: "open_bets" });
    await seat.getByText("Returned, because").waitFor({ state: "detached" });
  });

  test("a resting wager is switched both ways, in its mode and from its card", async () => {
    await bet("pass", 1000);
    await roll(2, 2);
    await dialog(seat, /^How much odds/)
      .getByRole("button", { name: "No odds" })
      .click();
    await bet("place.9", 1000);
    await roll(2, 2); // the point is made: on the come-out it rests
    await lies("Place 9, $10, off").waitFor();
    await button(seat, "On / off").click();
    await spot(seat, "place.9").press("Enter");
    const both = dialog(seat, "Place 9");
    await both.getByRole("button", { name: "Switch on" }).waitFor();
    assert.deepEqual(await both.locator(".content button").allInnerTexts(), ["Switch on", "Switch off"]);
    await both.getByRole("button", { name: "Switch on" }).click();
    await lies("Place 9, $10").waitFor();
    await button(seat, "Done").click();
    await spot(seat, "place.9").press("?");
    await both.getByRole("button", { name: "Switch off" }).click();
    await lies("Place 9, $10, off").waitFor();
  });

  test("the alarm sounds when a lock-up begins, and not with every frame", async () => {
    const three = await floor.screen("seat 3", "desk");
    await three.addInitScript(() => {
      const counted = window as unknown as { heard: number; notes: number };
      [counted.heard, counted.notes] = [0, 0];
      for (const make of ["createOscillator", "createBufferSource"] as const) {
        const made = AudioContext.prototype[make] as () => AudioScheduledSourceNode;
        AudioContext.prototype[make] = function (this: AudioContext) {
          counted.heard += 1;
          if (make === "createOscillator") counted.notes += 1; // recordings are no notes
          return made.call(this) as never;
        };
      }
    });
    await three.reload();
    const count = (what: "heard" | "notes") =>
      three.evaluate((name) => (window as unknown as Record<string, number>)[name]!, what);
    // Browsers are silent until they are touched: once chips are heard, an alarm would be.
    for (let n = 0; n < 40 && !(await count("heard")); n += 1) await spot(three, "field").click();
    assert.ok(await count("heard"), "chips are heard");
    await three.waitForFunction(() => !document.querySelector(".pending"));
    const quiet = await count("notes");
    await floor.devices(3).doors.door("cage_main", true);
    await three.getByText("This seat is waiting for an attendant").waitFor();
    await three.waitForFunction((before) => (window as unknown as { notes: number }).notes > before, quiet);
    const begun = await count("notes");
    for (const [step, says] of [
      [{ do: "pause_table" }, "The table is paused"],
      [{ do: "resume_table" }, "Waiting for an attendant"],
    ] as const) {
      await deal(step);
      await three.locator("header").getByText(says, { exact: true }).first().waitFor();
    }
    assert.equal(await count("notes"), begun);
    await three.close();
  });

  test("a fault in drawing leaves no stale money, but says so and offers to reload, in the player's language", async () => {
    await two.keyboard.press("Escape");
    await button(two, "Español").click();
    await two.waitForFunction(() => document.documentElement.lang === "es");
    await two.route("**/api/placard*", async (route) => {
      const told = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...told, bets: null, spots: null } }); // no game is so
    });
    await two.reload();
    await two.getByRole("alert").getByText("Esta pantalla tiene un fallo.").waitFor();
    assert.equal(await two.locator("[data-meter]").count(), 0, "no money is on the screen");
    await two.unroute("**/api/placard*");
    await button(two, "Recargar").click();
    await two.locator('[data-meter="credit"]').waitFor();
    assert.ok(floor.problems.length > 0, "and the console has what it was");
    forget(/./);
  });

  test("a fault outside of drawing is said above the page, with a way to reload", async () => {
    const thrown = () => void setTimeout(() => { throw new Error("planted"); }); // prettier-ignore
    const rejected = () => void Promise.reject(new Error("planted"));
    for (const fault of [thrown, rejected]) {
      await seat.evaluate(fault);
      const said = seat.getByRole("alert").filter({ hasText: "This screen has a fault." });
      await said.getByRole("button", { name: "Reload" }).click();
      await said.waitFor({ state: "detached" });
      await spot(seat, "pass").waitFor();
    }
    forget(/planted/);
  });

  test("a part that cannot be loaded says so, and the felt goes on", async () => {
    await seat.reload();
    await spot(seat, "pass").waitFor();
    await seat.route(/assets\/(loaders|es)-/, (route) => route.abort());
    await button(seat, "Rules").click();
    const missing = dialog(seat, "This part of the page could not be loaded. The server may have a newer version.");
    await missing.getByRole("button", { name: "Reload" }).waitFor();
    await missing.getByRole("button", { name: "Close" }).click();
    await missing.waitFor({ state: "detached" });
    await button(seat, "Español").click();
    await missing.getByRole("button", { name: "Close" }).click();
    await spot(seat, "field").click();
    await lies("Field, $5").waitFor();
    await button(seat, "Rules").click();
    await seat.unroute(/assets\/(loaders|es)-/);
    await missing.getByRole("button", { name: "Reload" }).click();
    await spot(seat, "pass").waitFor();
    await button(seat, "Rules").click();
    await dialog(seat, /^Rules of/).waitFor();
    await seat.keyboard.press("Escape");
    forget(/ERR_FAILED|dynamically imported/);
  });

  test("a page that is opened while the server is away says so, and opens when it is back", async () => {
    await seat.route("**/api/place", (route) => route.abort());
    await seat.reload();
    await seat.getByText("The server does not respond. Trying again …").waitFor();
    await seat.unroute("**/api/place");
    await spot(seat, "pass").waitFor();
    forget(/ERR_FAILED/);
  });

  test("no screen had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});

describe("the staff's screens", () => {
  before(() => open("craps"));
  after(() => floor.close());

  const confirm = (dice: string): Locator => dealer.getByRole("button", { name: new RegExp(`Confirm ${dice}`) });

  test("dice that the dealer undid stay undone, whatever else happens at the table", async () => {
    await bet("field", 500);
    await button(dealer, "Close bets").click();
    for (const [group, face] of [
      ["First die", "4"],
      ["Second die", "2"],
    ] as const) {
      await dealer.getByRole("group", { name: group }).getByRole("button", { name: face }).click();
    }
    await confirm("4-2").waitFor();
    await button(dealer, "Undo the entry").click();
    await confirm("4-2").waitFor({ state: "detached" });
    await floor.ask(two, { do: "call_service", seat: 2 }, "done");
    await dealer
      .getByRole("article", { name: "Seat 2" })
      .getByRole("button", { name: /service|answer/i })
      .first()
      .waitFor();
    assert.equal(await confirm("4-2").count(), 0);
    await deal({ do: "enter_dice", dice: [1, 2] }, { do: "confirm_dice" }, { do: "open_bets" });
  });

  test("the newest of many events are shown first, and older ones when asked", async () => {
    for (let n = 0; n < 105; n += 1) await deal({ do: "pause_table" }, { do: "resume_table" });
    await floor.devices(2).doors.door("cage_main", true);
    await button(dealer, "Events").click();
    const rows = dealer.locator("tbody tr");
    await rows.first().waitFor();
    assert.match((await rows.first().textContent())!, /Door opened/);
    assert.equal(await dealer.getByText("Table opened").count(), 0);
    await button(dealer, "More").click();
    await dealer.getByText("Table opened").waitFor();
  });

  for (const place of ["dealer", "office"] as const) {
    test(`the language that is chosen before signing in is spoken after it: ${place}`, async () => {
      const page = place === "dealer" ? dealer : await floor.screen(place, "desk");
      if (place === "dealer") await button(page, "Sign out").click();
      await page.locator("form").getByRole("button", { name: "Español" }).click();
      await page.waitForFunction(() => document.documentElement.lang === "es");
      await page.locator("input[autocomplete=username]").fill(floor.prepared.badge);
      await page.locator("input[autocomplete=current-password]").fill(PASSWORD);
      await page.locator("form .main").click();
      await button(page, "Salir").waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), "es");
    });
  }

  test("no screen had a problem", () => {
    assert.deepEqual(floor.problems, []);
  });
});

type Spoiled = (told: Told) => unknown;

/** Messages that no server sends. Where a page hears them it fails: as it merges a frame, or is given a view. */
const UNHEARD: Spoiled = (told) =>
  told.type === "frame" ? { ...told, changes: null } : told.type === "snapshot" ? { ...told, view: null } : told;
/** Where a page draws it, it fails. */
const UNDRAWN: Spoiled = (told) => {
  if (told.type !== "frame") return told;
  const { shared = {} } = told.changes as { shared?: object };
  return { ...told, changes: { ...told.changes, shared: { ...shared, history: null } } };
};

describe("a fault on any page leaves no stale money there", () => {
  const PLACES = ["seat 1", "dealer", "table", "info", "office"] as const;
  let hall: Floor;
  let player: Page;
  let boss: Page;

  before(async () => {
    hall = await Floor.open("craps", "dealer_assisted", ["timers.bets_s = 600", "make_em_all.on = true"]);
    player = await hall.screen("seat 1", "desk");
    boss = await hall.screen("dealer", "desk");
  });
  after(() => hall.close());

  /** Money moves; a page that shows no wagers has a pause. */
  async function changes(place: string): Promise<void> {
    if (place !== "info") {
      await hall.ask(player, { do: "place_bet", seat: 1, spot: "pass", cents: 100 }, "done");
    } else {
      await hall.signIn(boss);
      for (const step of ["pause_table", "resume_table"] as const) await hall.ask(boss, { do: step }, "done");
    }
  }

  const amounts = (page: Page): Promise<string[]> =>
    page.evaluate(() => {
      const labels = [...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label"));
      return [document.body.innerText, ...labels].join(" ").match(/\$[\d.,]+/g) ?? [];
    });

  /** What a page is told on its way from the server. */
  class Line {
    #spoil: Spoiled = (told) => told;
    #left = 0;
    #snapshots = 0;

    readonly around = (page: Page): Promise<void> =>
      page.routeWebSocket(/\/ws/, (here) => {
        const server = here.connectToServer();
        server.onMessage((data) => here.send(JSON.stringify(this.#told(JSON.parse(String(data)) as Told))));
      });

    /** Spoils so many messages from now on. */
    spoil(how: Spoiled, count: number): void {
      [this.#spoil, this.#left, this.#snapshots] = [how, count, 0];
    }

    #told(told: Told): unknown {
      const spoiled = this.#left > 0 ? this.#spoil(told) : told;
      if (spoiled !== told) this.#left -= 1;
      else if (told.type === "snapshot") this.#snapshots += 1;
      return spoiled;
    }

    /** The page was told a whole view again. */
    async comesBack(page: Page): Promise<void> {
      const by = Date.now() + 10_000;
      while (!this.#snapshots && Date.now() < by) await settle(page);
      assert.ok(this.#snapshots > 0, "it joins again");
      await settle(page);
    }
  }

  /** A page that shows money, and its line. */
  async function opened(place: string): Promise<[Page, Line]> {
    const line = new Line();
    const page = await hall.screen(place, "desk", "reduce", line.around);
    page.setDefaultTimeout(20_000);
    if (place === "dealer" || place === "office") await hall.signIn(page);
    await page.goto(`${hall.told.url}/${place.replace(" ", "/")}${place === "office" ? "?page=tables&table=1" : ""}`);
    await showsMoney(page);
    return [page, line];
  }

  async function showsMoney(page: Page): Promise<void> {
    await page.waitForFunction(() => /\$\d/.test(document.body.innerText));
    await settle(page);
  }

  for (const place of PLACES) {
    test(`${place}: after a message that it cannot take, it shows what a page shows that is opened then`, async () => {
      const [page, line] = await opened(place);
      const old = await amounts(page);
      line.spoil(UNHEARD, 1);
      await changes(place);
      await line.comesBack(page);
      const shown = await amounts(page);
      if (place !== "info") assert.notDeepEqual(shown, old, "money has moved");
      await page.reload();
      await showsMoney(page);
      assert.deepEqual(shown, await amounts(page));
      await page.close();
    });

    const faults = [
      ["a message that it can never take", UNHEARD],
      ["a view that it cannot draw", UNDRAWN],
    ] as const;
    // All pages use the same fence: `make looks` tries both on each.
    for (const [what, how] of ALL || place === "seat 1" ? faults : faults.slice(1)) {
      test(`${place}: ${what} takes all money off it`, async () => {
        const [page, line] = await opened(place);
        line.spoil(how, Infinity);
        await changes(place);
        await button(page.getByRole("alert"), "Reload").waitFor();
        await page.waitForFunction(() => !/\$\d/.test(document.body.innerText)); // the second fault may come after the alert
        assert.deepEqual(await amounts(page), []);
        await page.close();
      });
    }
  }
});
