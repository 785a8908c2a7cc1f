import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fitting, printed, ratio, reached, rungs, written } from "../src/felt/pays.ts";
import { advice } from "../src/seat/coach.ts";
import { hidesOthers } from "../src/seat/easy.ts";
import { printing } from "../src/seat/spot-text.ts";
import { sides } from "../src/seat/side-games.ts";
import { callOf, called } from "../src/shared/calls.ts";
import { recalled } from "../src/shared/past-rounds.ts";
import type { Past, Placard, Round, SeatView, Shared } from "../src/wire.ts";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const told = execFileSync(PYTHON, ["tests/placards.py"], { maxBuffer: 1 << 26 }).toString();
const [craps, rollToWin] = JSON.parse(told) as [Placard, Placard];
const views = JSON.parse(execFileSync(PYTHON, ["tests/views.py"], { maxBuffer: 1 << 26 }).toString()) as SeatView[];
const view = views[0]!;
/** Craps with every side game. */
const withSides = views[views.length / 2]!;

// --- Pays (RULES 3) ---

const ENGLISH = { pays: (printed: string) => printed, progressive: "Progressive" };
const SPANISH = { pays: (printed: string) => printed.replace("for", "por"), progressive: "Progresivo" };

test("a felt prints 9:5, and for 1 as it is, for that is another pay", () => {
  assert.equal(ratio("9 to 5", ENGLISH), "9:5");
  assert.equal(ratio("30 for 1", ENGLISH), "30 for 1");
  assert.equal(ratio("30 for 1", SPANISH), "30 por 1");
});

test("every spot has its pays printed", () => {
  for (const placard of [craps, rollToWin]) {
    const onFelt = printed(placard, {}, ENGLISH);
    for (const spot of Object.keys(placard.spots)) assert.ok(onFelt[spot]?.short, spot);
  }
});

test("pays are those of the rules", () => {
  const onFelt = printed(craps, {}, ENGLISH);
  const expected = {
    pass: "1:1",
    "place.4": "9:5",
    "place.6": "7:6",
    "buy.5": "3:2",
    "lay.10": "1:2",
    "come.8.odds": "6:5",
    "hard.6": "9:1",
    "horn.12": "30:1",
    "hop.1-3": "15:1",
    seven: "4:1",
    "lucky_roller.all": "155:1",
  };
  for (const [spot, pays] of Object.entries(expected)) assert.equal(onFelt[spot]?.long, pays, spot);
  assert.equal(onFelt["pass.odds"]?.long, "6/8 6:5 | 5/9 3:2 | 4/10 2:1");
  assert.equal(onFelt["field"]?.long, "3/4/9/10/11 1:1 | 2/12 2:1");
  assert.equal(onFelt["c_and_e"]?.short, "3:1 · 7:1");
});

test("Power Odds change what is printed on the spots of their group, and mark them", () => {
  // STW chart: group G, hard 6 and 8, 13 or 18 to 1; group B, any seven, 6 or 8 to 1.
  const onFelt = printed(rollToWin, { G: "low", B: "high" }, ENGLISH);
  assert.deepEqual(onFelt["hard.6"], { long: "13:1", short: "13:1", power: true });
  assert.deepEqual(onFelt["seven"], { long: "8:1", short: "8:1", power: true });
  assert.deepEqual(onFelt["hard.4"], { long: "7:1", short: "7:1" });
});

test("the short form is printed where the long one has no room", () => {
  const pays = { long: "3/4/9/10/11 1:1 | 2/12 2:1", short: "1:1 · 2:1" };
  assert.equal(fitting(pays, 16, 400), pays.long);
  assert.equal(fitting(pays, 16, 90), pays.short);
});

test("limits stand in place of the pays, and the edge beside them, as the player chose", () => {
  const write = {
    money: (cents: number) => `$${cents / 100}`,
    percent: () => "1.41%",
    text: { easy: { wins: "wins {win} for {stake}" } },
    ...ENGLISH,
  };
  const none = { limits: false, edges: false, easy: false };
  assert.equal(printing(craps, view.shared, none, write)["pass"]?.long, "1:1");
  assert.match(printing(craps, view.shared, { ...none, limits: true }, write)["pass"]!.long, /^\$1 – \$1000$/);
  assert.match(printing(craps, view.shared, { ...none, edges: true }, write)["pass"]!.long, /^1:1 .*1\.41%$/);
  assert.equal(printing(craps, view.shared, { ...none, easy: true }, write)["pass"]!.long, "wins $1 for $1");
});

// --- Special games (RULES 9) ---

test("a ladder is marked where the game has got to", () => {
  const ladder = rungs(rollToWin.bets["hot_shooter"]!, () => "", ENGLISH);
  assert.deepEqual(
    ladder.map(({ at }) => written(at)),
    ["8–15", "16–23", "24–31", "32–39", "40–44", "45–49", "50+"],
  );
  const at = (count: number) => ladder.filter((rung) => reached(rung, count)).map(({ at }) => written(at));
  assert.deepEqual([7, 8, 15, 44, 45, 50, 61].map(at), [
    [],
    ["8–15"],
    ["8–15"],
    ["40–44"],
    ["45–49"],
    ["50+"],
    ["50+"],
  ]);
});

test("the top of a progressive ladder reads its meter", () => {
  const ladder = rungs(craps.bets["make_em_all"]!, (meter) => `all of ${meter}`, ENGLISH);
  assert.deepEqual(ladder.at(-1), { at: { kind: "hits", at_least: 10 }, pays: "all of make_em_all" });
});

test("a side bet shows the numbers of its own wager, its point apart, and all of them once it is fulfilled", () => {
  const wager = (bet: string, more: object) => ({ [bet]: { bet, stake_cents: 500, working: true, ...more } });
  const wagers = {
    ...wager("lucky_roller.low", { hits: [2, 5] }),
    ...wager("lucky_roller.all", {}),
    ...wager("lucky_shooter", { point: 6, hits: [4, 9] }),
    ...wager("fired_up", { hits: [8, 9, 10] }),
  };
  const shared = { ...withSides.shared, roll_count: 9 };
  const tops = { meter: () => "", jackpots: ["MINOR", "MAJOR", "GRAND"], write: ENGLISH };
  const shown = sides({ ...withSides, wagers, shared, fulfilled: ["lucky_roller.high"] }, craps, tops);
  assert.deepEqual(shown.collected["lucky_roller.low"], [2, 5]);
  assert.deepEqual(shown.collected["lucky_roller.all"], []);
  assert.deepEqual(shown.collected["lucky_roller.high"], [8, 9, 10, 11, 12]);
  assert.deepEqual(shown.fulfilled, ["lucky_roller.high"]);
  assert.deepEqual(shown.collected["lucky_shooter"], [4, 9]);
  assert.equal(shown.collected["bonus.small"], undefined);
  assert.equal(shown.points["lucky_shooter"], 6);
  assert.equal(shown.ladders["hot_shooter"]?.count, 9);
  assert.equal(shown.ladders["lucky_shooter"]?.count, 2);
  assert.equal(shown.ladders["fired_up"]?.count, 3);
  assert.deepEqual(shown.sequences["fired_up"], [
    [6, 5, 4, 3, 2],
    [8, 9, 10, 11, 12],
  ]);
});

// --- Calls ---

const past = (dice: Past["dice"], mark: Past["mark"] = ""): Past => {
  return { dice, total: (dice?.[0] ?? 0) + (dice?.[1] ?? 0), puck_before: 0, puck_after: 0, mark };
};

test("a roll is called by its total, its pair, or what it did to the line", () => {
  assert.equal(callOf(past([5, 6])), "roll_11");
  assert.equal(callOf(past([4, 4], "point_set")), "hard_8");
  assert.equal(callOf(past([5, 3])), "roll_8");
  assert.equal(callOf(past([1, 1])), "roll_2");
  assert.equal(callOf(past([3, 4], "seven_out")), "seven_out");
  assert.equal(callOf(past([3, 3], "point_made")), "point_made");
  assert.equal(callOf(past(null, "put_off")), "put_off");
});

test("each phase is called once", () => {
  const betting: Shared = { ...view.shared, phase: "betting", message: "place_your_bets", puck: 0 };
  const hurry: Shared = { ...betting, message: "hurry_up" };
  const closed: Shared = { ...betting, phase: "closed", message: "no_more_bets" };
  const shooting: Shared = { ...closed, phase: "shooting" };
  const rolled: Shared = { ...betting, phase: "rolled", message: "result", history: [past([5, 6])] };
  assert.equal(called(null, betting), "bets_come_out");
  assert.equal(called(betting, betting), null);
  assert.equal(called(betting, hurry), "hurry_up");
  assert.equal(called(hurry, closed), "no_more_bets");
  assert.equal(called(closed, shooting), null);
  assert.equal(called(shooting, rolled), "roll_11");
  assert.equal(called(rolled, { ...betting, puck: 6 }), "bets_point");
});

test("a roll that does not count is called, whatever else happened", () => {
  const shooting: Shared = { ...view.shared, phase: "shooting", message: "no_more_bets", no_rolls: { cocked: 1 } };
  const again: Shared = { ...shooting, no_rolls: { cocked: 1, short: 1 } };
  assert.equal(called(shooting, again), "no_roll");
  assert.equal(called(again, again), null);
  assert.equal(called(null, again), "no_more_bets");
});

test("a corrected roll is called anew, wherever the round was, and once", () => {
  const history = [{ ...past([5, 3]), instead_of: [5, 2] as const }];
  const betting: Shared = {
    ...view.shared,
    phase: "betting",
    message: "place_your_bets",
    puck: 0,
    history: [past([5, 2])],
  };
  const rolled: Shared = { ...betting, phase: "rolled", message: "result" };
  const right: Shared = { ...rolled, history };
  assert.equal(called(rolled, right), "roll_8");
  assert.equal(called(betting, right), "roll_8");
  assert.equal(called(right, right), null);
  assert.equal(called(right, { ...betting, history }), "bets_come_out");
});

// --- Beginner mode ---

test("easy mode keeps a few bets, and all of them where chips lie elsewhere", () => {
  const easy = view.shared.felt.filter((spot) => spot.easy);
  assert.deepEqual(easy.map(({ spot }) => spot).sort(), [
    ...["field", "pass", "pass.odds"],
    ...["place.10", "place.4", "place.5", "place.6", "place.8", "place.9"],
  ]);
  assert.ok(hidesOthers(easy, new Set(["field"])));
  assert.ok(!hidesOthers(easy, new Set(["field", "seven"])));
});

test("the coach says what to do next", () => {
  const pass = { pass: { bet: "pass", stake_cents: 500, working: true } };
  const on = { ...view.shared, puck: 6 };
  const odds = [{ spot: "pass.odds", flat: "pass", point: 6, set_in: 1, choices: [] }];
  const broke = { ...view, credit_cents: 0, bet_cents: 0 };
  assert.equal(advice(broke), "buy_in", "staff give credit for cash");
  assert.equal(advice({ ...broke, shared: { ...view.shared, emulator: "http://127.0.0.1:1" } }), "insert");
  assert.equal(advice(view), "bet_line");
  assert.equal(advice({ ...view, wagers: pass }), "come_out");
  assert.equal(advice({ ...view, shared: on }), "bet_number");
  assert.equal(advice({ ...view, shared: on, wagers: pass, offers: { ...view.offers, odds } }), "odds");
  assert.equal(advice({ ...view, shared: on, wagers: pass }), "point");
  assert.equal(advice({ ...view, shared: { ...on, phase: "shooting" } }), "closed");
});

// --- Tickets and rounds ---

test("of a round that was reversed, the right dice and what they paid are recalled", () => {
  const felt = { wagers: { pass: { state: "pass come-out", stake_cents: 1000 } } };
  const rolled = {
    event: "dice_rolled",
    roll_count: 1,
    hand: {},
    seven_out: false,
    ends_cycle: false,
    passes_dice: false,
  } as const;
  const events: Round["events"] = [
    { event: "bets_closed", seats: [{ seat: 2, felt, bet_cents: 1000 }], power: {} },
    { ...rolled, dice: [3, 4] },
    { event: "settled", seats: [{ seat: 2, felt, lines: [], paid_cents: 1000 }] },
    { event: "roll_voided", wrong: [3, 4], by: "dealer-1", approver: "pit-1" },
    { ...rolled, dice: [1, 2] },
    { event: "settled", seats: [] },
  ];
  const { dice, total, seats } = recalled({ seq: 9, at_ms: 0, puck: 0, events });
  assert.deepEqual([dice, total], [[1, 2], 3]);
  const wagers = [{ spot: "pass", stake_cents: 1000, paid_cents: 0, net_cents: 0 }];
  assert.deepEqual(seats, [{ seat: 2, sits_out: false, paid_cents: 0, net_cents: 0, wagers }]);
});

test("of a round that was lost, the loss is recalled", () => {
  const felt = { wagers: { pass: { state: "pass 6", stake_cents: 1000 } } };
  const line = { spot: "pass", bet: "pass", stake_cents: 1000, decided: "lose", taken_cents: 1000 } as const;
  const events: Round["events"] = [
    { event: "bets_closed", seats: [{ seat: 2, felt, bet_cents: 1000 }], power: {} },
    { event: "settled", seats: [{ seat: 2, felt: {}, lines: [line], paid_cents: 0 }] },
  ];
  const [mine] = recalled({ seq: 9, at_ms: 0, puck: 6, events }).seats;
  assert.deepEqual([mine!.net_cents, mine!.wagers[0]!.net_cents], [-1000, -1000]);
});

test("the award of a meter is recalled with the wager that won it", () => {
  const felt = { wagers: { jackpot: { state: "all", stake_cents: 100 }, pass: { state: "pass 6", stake_cents: 500 } } };
  const settled = { bet: "jackpot", stake_cents: 100, decided: "win", taken_cents: 100 } as const;
  const events: Round["events"] = [
    { event: "bets_closed", seats: [{ seat: 2, felt, bet_cents: 600 }], power: {} },
    {
      event: "settled",
      seats: [
        {
          seat: 2,
          felt: {},
          lines: [{ spot: "jackpot", meter: "make_em_all", ...settled }],
          paid_cents: 2_500_100,
          awards: { make_em_all: 2_500_100 },
        },
      ],
    },
  ];
  const [mine] = recalled({ seq: 9, at_ms: 0, puck: 6, events }).seats;
  assert.deepEqual(
    mine!.wagers.map(({ spot, paid_cents, net_cents }) => [spot, paid_cents, net_cents]),
    [
      ["jackpot", 2_500_100, 2_500_000],
      ["pass", 0, 0],
    ],
  );
});
