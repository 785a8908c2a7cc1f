import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Request } from "../src/wire.ts";
import { Floor, PASSWORD, SIZES, type Size } from "./floor.ts";
import { button, dialog, holdFor, middle, picture, settle, story } from "./hands.ts";

const THEIRS = "a stick, a puck and two dice";
const FINGER_PX = 44;
const HELD_MS = 600;
const HAND_PAY_DOLLARS = 5_000;
const SLOW = ["timers.bets_s = 600", "timers.result_s = 600", "puck_can_be_reset = true"];
let floor: Floor;
let seat: Page;
let dealer: Page;
let table: Page;

/** One story: what the audit menus show at its end is what its steps did before, each figure counted by hand. */
const step = story("a dealer's evening");

before(async () => {
  mkdirSync("pictures", { recursive: true });
  floor = await Floor.open("craps", "selectable", SLOW);
  seat = await floor.screen("seat 1", "desk");
  dealer = await floor.screen("dealer", "desk");
  table = await floor.screen("table", "desk");
});
after(async () => {
  await floor.close();
});

const confirm = (dice: string): Locator => dealer.getByRole("button", { name: `Confirm ${dice}` });
const die = (row: string, face: number, within: Page | Locator = dealer): Locator =>
  within.getByRole("group", { name: row }).getByRole("button", { name: String(face), exact: true });
const card = (number: number): Locator => dealer.getByRole("article", { name: `Seat ${number}` });
const refused = (says: string): Promise<void> => dealer.getByRole("alert").getByText(says).first().waitFor();
const status = (says: string): Promise<void> => dealer.getByRole("status").getByText(says).first().waitFor();
const bets = (spot: string, cents: number): Promise<unknown> =>
  floor.ask(seat, { do: "place_bet", seat: 1, spot, cents }, "done");
/** Touches what cannot be done now, to be told why. */
const touch = (shut: Locator): Promise<void> => shut.click({ force: true });
const asksAtSeat = (request: Request): Promise<unknown> => floor.ask(seat, request, "done");
/** Does what is one tap further than a seat's card. */
async function more(number: number, name: string): Promise<void> {
  await button(card(number), "More").click();
  await button(card(number), name).click();
}
/** What a total would bring or cost the house. */
const exposed = (total: string, says: string): Promise<void> =>
  dealer
    .getByRole("region", { name: "If it is rolled now" })
    .getByRole("listitem")
    .filter({ hasText: new RegExp(`^${total}\\s`) })
    .filter({ hasText: says })
    .waitFor();
/** A message at the foot of the screen. */
const told = (says: string): Promise<void> => dealer.locator(".news").getByText(says, { exact: true }).waitFor();
/** What is read back of the dice that are entered, or that count. */
const readsBack = (says: string): Promise<void> =>
  dealer.locator(".total strong").getByText(says, { exact: true }).waitFor();

async function signIn(badge: string, password: string): Promise<void> {
  await dealer.getByLabel("Badge").fill(badge);
  await dealer.getByLabel("Password", { exact: true }).fill(password);
  await button(dealer, "Sign in").click();
}

/** The administrator adds an account, whose owner then takes a password of their own. */
async function addAccount(badge: string, role: string): Promise<void> {
  await dealer.evaluate(
    async ([badge, role, chosen]) => {
      const post = async (path: string, body: object) =>
        (await fetch(path, { method: "POST", body: JSON.stringify(body) })).json() as Promise<Record<string, string>>;
      const { one_time_password } = await post("/api/staff", { badge, label: badge, role });
      await post("/api/password", { badge, password: one_time_password, new: chosen });
    },
    [badge, role, THEIRS] as const,
  );
}

/** The page looks who is signed in, as it does every five seconds. */
async function looksAgain(): Promise<void> {
  await dealer.clock.install();
  const answered = dealer.waitForResponse("**/api/place");
  await dealer.clock.fastForward(5_000);
  await (await answered).finished();
  await dealer.clock.resume();
  await settle(dealer);
}

async function enter(first: number, second: number): Promise<void> {
  await die("First die", first).click();
  await die("Second die", second).click();
}

step("a dealer signs in with a one-time password and must choose one of their own", async () => {
  const { badge, one_time_password } = floor.prepared;
  await signIn(badge, "not the password");
  await refused("Badge and password do not match");
  await signIn(badge, one_time_password);
  await dealer.getByText("Use 15 to 256 characters.").waitFor();
  await looksAgain();
  await dealer.getByLabel("Badge").fill(badge); // the form is still the same
  await dealer.getByLabel("New password").fill("password");
  await button(dealer, "Show the password").click();
  assert.equal(await dealer.getByLabel("New password").getAttribute("type"), "text");
  await button(dealer, "Sign in").click();
  await refused("The password is too easy to guess. (it has 8 characters; allowed: 15 to 256)");
  await dealer.getByLabel("New password").fill(PASSWORD);
  await button(dealer, "Sign in").click();
  await dealer.getByText(`Dealing: ${badge}`).waitFor();
  await addAccount("pit-1", "pit_boss");
  await addAccount("dealer-1", "dealer");
});

step("who may selects the mode of play", async () => {
  assert.equal(await dealer.getByRole("group", { name: "First die" }).count(), 0);
  await button(dealer, "With dealer").click();
  await dealer.getByRole("group", { name: "First die" }).waitFor();
});

step("dice are not entered while bets are open, and the terminal says why", async () => {
  await touch(die("First die", 4));
  await refused("Not possible right now.");
});

step("bets that are closed with nothing bet stay open, and the dealer is told", async () => {
  await button(dealer, "Close bets").click();
  await told("Nothing is bet, so bets stay open.");
  await status("Place your bets");
});

step("the dealer sees each seat's credit, felt and net, and what the house pays on each total", async () => {
  await dealer.getByText("No bets on the felt").waitFor();
  await bets("pass", 1000);
  await bets("field", 500);
  await bets("hard.6", 500);
  for (const [name, says] of [
    ["Credit", "$980"],
    ["On the felt", "$20"],
    ["Net", "$0"],
  ] as const) {
    const figure = card(1).locator("dl div").filter({ hasText: name });
    await figure.getByText(says, { exact: true }).waitFor();
  }
  // Pass and Field alone, then with the hard way.
  await exposed("7", "the house wins $0"); // $10 paid, $5 and $5 taken
  await exposed("8", "the house wins $5");
  await exposed("6", "the house pays $40"); // the hard way pays 9 to 1, and Field loses
  await exposed("6", "the house wins $10"); // easy
  await asksAtSeat({ do: "take_bet", seat: 1, spot: "hard.6" });
  await exposed("7", "the house pays $5");
  await picture(dealer, "dealer-exposure");
});

step("two taps enter a roll, a third corrects a die, a long press undoes it, and confirmed it counts", async () => {
  await card(1).getByText("$15").waitFor();
  await button(dealer, "Close bets").click();
  await status("Tap what both dice show");
  await enter(4, 3);
  await confirm("4-3").waitFor();
  await die("Second die", 2).click();
  await confirm("4-2").waitFor();
  await readsBack("6 six");
  const size = await dealer.locator(".total strong").evaluate((total) => getComputedStyle(total).fontSize);
  assert.equal(size, "96px");
  await picture(dealer, "dealer-entered");
  await settle(dealer); // nothing moves away under the finger
  await holdFor(dealer, await middle(die("First die", 6)), HELD_MS);
  await confirm("4-2").waitFor({ state: "detached" });
  assert.equal(await die("First die", 6).getAttribute("aria-pressed"), "false", "the tap that ends it chooses nothing");
  await die("Second die", 2).click();
  await status("Now the other die");
  await die("First die", 4).click();
  await confirm("4-2").click();
  await status("Point is 6");
  await readsBack("6 six");
  await table.getByText("The Point is 6").waitFor();
});

step("an entry can be undone by a button as well", async () => {
  await button(dealer, "Open bets").click();
  await button(dealer, "Close bets").click();
  await enter(1, 1);
  await readsBack("2 snake eyes");
  await enter(3, 3);
  await readsBack("6 hard six");
  await button(dealer, "Undo the entry").click();
  await confirm("3-3").waitFor({ state: "detached" });
  await status("Tap what both dice show");
});

step("no roll is called with its reason, and the players are told", async () => {
  await button(dealer, "Cocked").click();
  await table.getByRole("alert").getByText("No roll: cocked. All bets stand").waitFor();
  await dealer.getByRole("alert").getByText("No roll: cocked.").waitFor();
  await seat.getByText("No roll! All bets stand.").waitFor();
  await picture(table, "table-no-roll");
});

step("a wrong roll is reversed by two people, and the players are told", async () => {
  await enter(5, 2);
  await confirm("5-2").click();
  await status("Come-out roll");
  await button(dealer, "Wrong roll").click();
  await dialog(dealer).getByText("The last roll was 5-2.").waitFor();
  await die("First die", 5, dialog(dealer)).click();
  await die("Second die", 3, dialog(dealer)).click();
  await dialog(dealer).getByText("Reverse the roll: 5-2 becomes 5-3.").waitFor();
  await dialog(dealer).getByRole("button", { name: "Reverse the roll" }).click();
  await dialog(dealer).getByText("Approval by a second person").waitFor();
  await dialog(dealer).getByText("Reverse the roll: 5-2 becomes 5-3.").waitFor();
  await picture(dealer, "dealer-reverse");
  const second = async (badge: string, password: string): Promise<void> => {
    await dialog(dealer).getByLabel("Second person's badge").fill(badge);
    await dialog(dealer).getByLabel("Second person's password").fill(password);
    await dialog(dealer).getByRole("button", { name: "Approve" }).click();
  };
  await second(floor.prepared.badge, PASSWORD);
  await refused("This needs two people.");
  await second("dealer-1", THEIRS);
  await dialog(dealer).getByRole("alert").getByText("This needs a higher role.").waitFor();
  await second("pit-1", THEIRS);
  await dialog(dealer).waitFor({ state: "detached" });
  await status("Point is 6");
  await table.getByRole("alert").getByText("It was 5-3, total 8. All bets were settled again.").waitFor();
  await picture(table, "table-reversed");
  await seat.getByRole("alert").getByText("It was 5-3, total 8. All bets were settled again.").waitFor();
  await picture(seat, "seat-reversed");
  await seat.locator(".result").click();
  await seat.locator(".result").waitFor({ state: "detached" });
  for (const late of [seat, table]) {
    await late.reload();
    await late.getByRole("alert").getByText("It was 5-3, total 8").waitFor();
  }
});

step("a paused table says so on every screen, and goes on", async () => {
  await button(dealer, "Pause").click();
  await table.getByText("The table is paused").waitFor();
  await touch(button(dealer, "Open bets"));
  await refused("The table is paused.");
  await button(dealer, "Resume").click();
  await button(dealer, "Open bets").click();
  await status("Place your bets");
});

step("a hand pay takes the key, and is paid by who may", async () => {
  await asksAtSeat({ do: "take_bet", seat: 1, spot: "field" }).catch(() => undefined);
  await enterRoll(3, 4);
  await giveCredit(1, HAND_PAY_DOLLARS);
  await asksAtSeat({ do: "cash_out", seat: 1 });
  await card(1).getByText("hand pay due").waitFor();
  const pay = async () => {
    const button = card(1).getByRole("button", { name: "by hand" });
    const [amount] = /\$5,\d{3}\.\d{2}/.exec((await button.textContent())!)!;
    await button.click();
    const question = dialog(dealer);
    await question.getByText(`Did the player at seat 1 receive ${amount}?`).waitFor();
    await question.getByRole("button", { name: "by hand" }).click();
  };
  await pay();
  await refused("Turn the key switch first.");
  await floor.devices(1).doors.key(true);
  await card(1).getByText("key turned").waitFor();
  await pay();
  await card(1).getByText("hand pay due").waitFor({ state: "detached" });
});

/** Cash for a seat, into the drawer that is opened for it where it is not. */
async function giveCredit(number: number, dollars: number): Promise<void> {
  await button(dealer, "Cash drawer").click();
  await dialog(dealer).getByRole("textbox").waitFor();
  if (await dialog(dealer).getByLabel("Float").count())
    await dialog(dealer).getByRole("button", { name: "Open with" }).click();
  await dialog(dealer).getByLabel("Counted").waitFor();
  await dealer.keyboard.press("Escape");
  await card(number).getByRole("button", { name: "Give credit" }).click();
  await dialog(dealer).getByLabel("Amount").fill(String(dollars));
  await dialog(dealer).getByRole("button", { name: "Take" }).click();
  await dialog(dealer).getByRole("button", { name: "Done" }).click();
  await dialog(dealer).waitFor({ state: "detached" });
}

/** A whole round; bets are open again afterwards. */
async function enterRoll(first: number, second: number): Promise<void> {
  await button(dealer, "Close bets").click();
  await enter(first, second);
  await confirm(`${first}-${second}`).click();
  await button(dealer, "Open bets").click();
  await status("Place your bets");
}

step("a lock-up is cleared once its door is shut", async () => {
  await floor.devices(1).doors.door("cage_main", true);
  await card(1).getByText("door: Cage, main door").waitFor();
  await button(dealer, "Clear lock-up").click();
  await refused("It cannot be cleared yet. (first close its doors: Cage, main door)");
  await floor.devices(1).doors.door("cage_main", false);
  await button(dealer, "Clear lock-up").click();
  await card(1).getByText("door").waitFor({ state: "detached" });
});

step("a service call is answered, and a reserved seat opened", async () => {
  await asksAtSeat({ do: "call_service", seat: 1 });
  await card(1).getByText("calls").waitFor();
  await told("Service call from seat 1");
  await button(dealer, "Service done").click();
  await card(1).getByText("calls").waitFor({ state: "detached" });
  await asksAtSeat({ do: "reserve_seat", seat: 1 });
  await card(1).getByText("reserved").waitFor();
  await more(1, "Open the seat");
  await card(1).getByText("reserved").waitFor({ state: "detached" });
});

step("tips are shown where they belong", async () => {
  await giveCredit(1, 100);
  await asksAtSeat({ do: "give_tip", seat: 1, cents: 700 });
  await told("Tip of $7 from seat 1");
  await dealer.locator(".strip dl").getByText("$7", { exact: true }).waitFor();
});

step("the dealer names the shooter among the seats that may shoot", async () => {
  const other = await floor.screen("seat 2", "desk");
  await bets("pass", 1000);
  await floor.ask(other, { do: "place_bet", seat: 2, spot: "pass", cents: 1000 }, "done");
  await button(dealer, "Close bets").click();
  // The seven-out passed the dice on.
  await card(2).getByText("shooter", { exact: true }).waitFor();
  await card(1).getByText("may shoot").waitFor();
  await more(1, "Name shooter");
  await card(1).getByText("shooter", { exact: true }).waitFor();
  await table.locator("dl").getByText("Seat 1").waitFor();
  await enter(6, 1);
  await confirm("6-1").click();
  await button(dealer, "Open bets").click();
  await status("Place your bets");
});

step("the audit menus show the meters, the last rounds as they were, events and dealers", async () => {
  await button(dealer, "Meters").click();
  await dealer.getByRole("row", { name: /^Pass Line \$30\.00 \$20\.00 \$20\.00 2 1 0/ }).waitFor();
  await dealer.getByRole("row", { name: /^Cocked 1/ }).waitFor();
  await dealer.getByRole("row", { name: /^Tips, count 1/ }).waitFor();
  await picture(dealer, "audit-meters");
  await button(dealer, "Last rounds").click();
  const dice = dealer.getByRole("img", { name: "5-3", exact: true });
  await dealer.getByRole("listitem").getByRole("button").filter({ has: dice }).click();
  await dealer.getByText(`5-2 was reversed by ${floor.prepared.badge} and pit-1`).waitFor();
  await dealer.getByText("No roll: Cocked").waitFor();
  await dealer.locator('[aria-label="Pass Line, $10"]').waitFor();
  await dealer.getByRole("row", { name: /^Pass Line \$10\.00 stays/ }).waitFor();
  await picture(dealer, "audit-rounds");
  await button(dealer, "Events").click();
  await dealer
    .getByRole("row", { name: /Roll reversed/ })
    .getByText("5-2")
    .waitFor();
  await dealer
    .getByRole("row", { name: /Door opened/ })
    .getByText("Cage, main door")
    .waitFor();
  await button(dealer, "The floor").click();
  await dealer
    .getByRole("row", { name: /Account added/ })
    .first()
    .waitFor();
  await button(dealer, "Dealers").click();
  await dealer.getByRole("row", { name: new RegExp(`^${floor.prepared.badge} 1 \\d+ 1 1 1 \\$7\\.00`) }).waitFor();
});

for (const language of ["es", "zh"] as const) {
  step(`a refusal is told in the language that is chosen: ${language}`, async () => {
    await dealer.locator(`button[lang="${language}"]`).first().click();
    const tab = { es: "Mesa", zh: "赌桌" }[language];
    await button(dealer, tab).click();
    await touch(die({ es: "Primer dado", zh: "第一颗" }[language], 1));
    await refused({ es: "No es posible en este momento", zh: "现在不可以" }[language]);
    await picture(dealer, `dealer-${language}`);
    await dealer.locator('button[lang="en"]').first().click();
    await button(dealer, "Table").waitFor();
  });
}

for (const size of ["desk", "tablet", "phone"] as const satisfies readonly Size[]) {
  step(`everything is inside of the screen and large enough for a finger: ${size}`, async () => {
    const [width, height] = SIZES[size];
    await dealer.setViewportSize({ width, height });
    for (const tab of ["Meters", "Last rounds", "Events", "Dealers", "Table"]) {
      await button(dealer, tab).click();
      await dealer.getByText("Loading …").waitFor({ state: "detached" });
      const small = await dealer.getByRole("button").evaluateAll((all) =>
        all
          .map((one) => ({ name: one.textContent?.trim() ?? "", box: one.getBoundingClientRect() }))
          .filter(({ box }) => Math.min(box.width, box.height) < 44)
          .map(({ name, box }) => `${name} ${box.width.toFixed(0)}×${box.height.toFixed(0)}`),
      );
      assert.deepEqual(small, [], `${size} ${tab}: under ${FINGER_PX} px`);
      const wider = await dealer.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
      assert.equal(wider, 0, `${size} ${tab} is wider than its screen`);
    }
    await picture(dealer, `dealer-${size}`);
  });
}

step("a dealer has no audit menus, and what takes a higher role says so", async () => {
  await dealer.setViewportSize({ width: SIZES.desk[0], height: SIZES.desk[1] });
  await button(dealer, "Sign out").click();
  await dealer.getByLabel("Badge").waitFor();
  await signIn("dealer-1", THEIRS);
  await dealer.getByText("Dealing: dealer-1").waitFor();
  assert.equal(await button(dealer, "Meters").count(), 0);
  const denied = await dealer.evaluate(async () => (await fetch("/api/meters")).status);
  assert.equal(denied, 403);
  await floor.devices(1).printer.report({ signal: "fault_began", fault: "paper_out" });
  await card(1).getByText("printer: paper out").waitFor();
  await touch(button(dealer, "Clear lock-up"));
  await refused("This needs a higher role. (Supervisor or above)");
  await touch(button(dealer, "Automated"));
  await refused("This needs a higher role. (Pit boss or above)");
});

step("a session that is gone shows the lock, which the same person's password opens", async () => {
  await floor.kill();
  await floor.serve();
  await dealer.getByRole("heading", { name: "Locked" }).waitFor();
  await dealer.getByText("Badge: dealer-1").waitFor();
  await picture(dealer, "dealer-locked");
  await dealer.getByLabel("Password", { exact: true }).fill("wrong");
  await button(dealer, "Unlock").click();
  await refused("Badge and password do not match");
  await dealer.getByLabel("Password", { exact: true }).fill(THEIRS);
  await button(dealer, "Unlock").click();
  await button(dealer, "Close bets").waitFor();
});

step("seats stand around the table, clockwise from the dealer's left, at any size", async () => {
  const ten = await Floor.openWithoutMoney("craps", "dealer_assisted", [...SLOW, "seats = 10"]);
  const terminal = await ten.screen("dealer", "desk");
  await ten.signIn(terminal);
  await terminal.reload();
  const boxes = async (): Promise<Box[]> => {
    await settle(terminal);
    const found = await Promise.all((await terminal.getByRole("article").all()).map((one) => one.boundingBox()));
    return found.map((box) => box!);
  };
  await terminal.getByRole("article", { name: "Seat 10" }).waitFor();
  const [one, , three, four, , , seven, eight, , last] = await boxes();
  assert.ok(one!.y > three!.y && three!.y > four!.y, "up the left side");
  assert.ok(four!.y === seven!.y && four!.x < seven!.x, "along the far side");
  assert.ok(eight!.y < last!.y && eight!.x === last!.x && last!.x > one!.x, "down the right side");
  for (const size of ["desk", "laptop", "tablet", "phone"] as const) {
    const [width, height] = SIZES[size];
    await terminal.setViewportSize({ width, height });
    const felt = await terminal.getByRole("region", { name: "If it is rolled now" }).boundingBox();
    const all = [...(await boxes()), felt!];
    const overlap = all.flatMap((a, n) => all.slice(n + 1).filter((b) => overlaps(a, b)));
    assert.deepEqual(overlap, [], size);
    await picture(terminal, `dealer-ten-${size}`);
  }
  await ten.close();
  assert.deepEqual(ten.problems, []);
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlaps(a: Box, b: Box): boolean {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  return across > 1 && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 1;
}

step("no screen had a problem", () => {
  // A refusal has an HTTP status of its own, and the server was killed once.
  const expected = /net::ERR_|WebSocket|status of (401|403|409)/;
  assert.deepEqual(
    floor.problems.filter((said) => !expected.test(said)),
    [],
  );
});
