import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { spoken, type Announcement } from "../src/sound/announcements.ts";
import { heard, type Heard, type Moment } from "../src/sound/heard.ts";
import { askedVolumes } from "../src/table/from-url.ts";
import { fitStrip } from "../src/table/fit.ts";
import type { Dice, Past, Request, Shared } from "../src/wire.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { zh } from "../src/words/zh.ts";
import { Floor } from "./floor.ts";
import { settle } from "./hands.ts";

const SLOW = ["timers.bets_s = 600", "timers.shooter_s = 600", "timers.result_s = 600"];
const SOUNDS = "../src/stickman/sounds";
const TEXTS = { en: spoken(en), es: spoken(es), zh: spoken(zh) };
const LANGUAGES = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
/** The first tone of an effect. */
const FIRST_HZ = { chip: 2400, take: 1500, close: 660, win: 523, seven_out: 392, alarm: 880, bell: 988, tip: 1319 };
type Tone = keyof typeof FIRST_HZ;

// --- The recordings ---

test("every announcement is recorded in every language, and nothing else is", () => {
  for (const language of LANGUAGES) {
    const files = readdirSync(`${SOUNDS}/${language}`).sort();
    assert.deepEqual(
      files,
      Object.keys(TEXTS[language])
        .map((name) => `${name}.opus`)
        .sort(),
    );
  }
  assert.deepEqual(readdirSync(SOUNDS).sort(), LANGUAGES);
});

test("every recording says what the screens write: else make them again by web/sounds.py", () => {
  for (const language of LANGUAGES) {
    for (const [name, text] of Object.entries(TEXTS[language])) {
      const file = readFileSync(`${SOUNDS}/${language}/${name}.opus`);
      assert.ok(file.includes(Buffer.from(text)), `${language}/${name} does not say: ${text}`);
    }
  }
});

// --- What is heard, from one view to the next ---

function past(dice: Dice, mark: Past["mark"] = ""): Past {
  return { dice, total: dice[0] + dice[1], puck_before: 0, puck_after: 0, mark };
}

function moment(shared: Partial<Shared>, more: Partial<Moment> = {}): Moment {
  const message =
    shared.phase === "betting" ? "place_your_bets" : shared.phase === "rolled" ? "result" : "no_more_bets";
  const table = {
    round: 1,
    puck: 0,
    paused: false,
    history: [],
    no_rolls: {},
    jackpots: [],
    message,
    ...shared,
  } as unknown as Shared;
  return { shared: table, message, won: false, lockups: [], chips_cents: 0, ...more };
}

const betting = moment({ phase: "betting" });
const shooting = moment({ phase: "shooting" });
const thrown = moment({ phase: "thrown" });

const CHANGES: readonly (readonly [string, Moment, Moment, Omit<Heard, "call">])[] = [
  [
    "a chip that is placed",
    betting,
    moment({ phase: "betting" }, { chips_cents: 500 }),
    { said: [], effects: ["chip"] },
  ],
  [
    "a chip that is taken",
    moment({ phase: "betting" }, { chips_cents: 500 }),
    betting,
    { said: [], effects: ["take"] },
  ],
  ["bets that close", betting, shooting, { said: ["no_more_bets"], effects: ["close"] }],
  [
    "a roll that nobody won",
    shooting,
    moment({ phase: "rolled", history: [past([3, 3])] }),
    { said: ["hard_6"], effects: ["dice"] },
  ],
  [
    "a roll that paid",
    shooting,
    moment({ phase: "rolled", history: [past([6, 5])] }, { won: true }),
    { said: ["roll_11"], effects: ["dice", "win"] },
  ],
  [
    "a seven-out",
    shooting,
    moment({ phase: "rolled", history: [past([4, 3], "seven_out")] }),
    { said: ["seven_out"], effects: ["dice", "seven_out"] },
  ],
  ["dice that are thrown are heard as they bounce", shooting, thrown, { said: [], effects: [] }],
  [
    "dice that flew do not roll again",
    thrown,
    moment({ phase: "rolled", history: [past([6, 5])] }, { won: true }),
    { said: ["roll_11"], effects: ["win"] },
  ],
  [
    "chips that are paid are not placed",
    moment({ phase: "rolled", history: [past([6, 5])] }),
    moment({ phase: "betting", round: 2, history: [past([6, 5])] }, { chips_cents: 900 }),
    { said: ["bets_come_out"], effects: [] },
  ],
  [
    "a roll that does not count",
    shooting,
    moment({ phase: "shooting", no_rolls: { cocked: 1 } }),
    { said: ["no_roll"], effects: [] },
  ],
  [
    "a correction, which says so before the right roll",
    moment({ phase: "rolled", history: [past([4, 2])] }),
    moment({ phase: "rolled", history: [{ ...past([4, 1]), instead_of: [4, 2] }] }),
    { said: ["corrected", "roll_5"], effects: [] },
  ],
  [
    "bets under the minimum",
    betting,
    moment({ phase: "betting" }, { message: "bets_not_valid" }),
    { said: ["bets_not_valid"], effects: [] },
  ],
  ["a lock-up", betting, moment({ phase: "betting" }, { lockups: [2] }), { said: ["attendant"], effects: ["alarm"] }],
  [
    "another lock-up",
    moment({ phase: "betting" }, { lockups: [2] }),
    moment({ phase: "betting" }, { lockups: [3] }),
    { said: ["attendant"], effects: ["alarm"] },
  ],
  [
    "a lock-up of the whole table",
    betting,
    moment({ phase: "betting", locked_up: true } as Partial<Shared>),
    { said: ["attendant"], effects: ["alarm"] },
  ],
  [
    "a lock-up that goes on is heard once",
    moment({ phase: "betting" }, { lockups: ["door"] }),
    moment({ phase: "betting" }, { lockups: ["door"] }),
    { said: [], effects: [] },
  ],
  ["a lock-up that is cleared", moment({ phase: "betting" }, { lockups: [2] }), betting, { said: [], effects: [] }],
];

for (const [name, was, is, wanted] of CHANGES) {
  test(`what is heard: ${name}`, () => {
    const { said, effects } = heard(was, is);
    assert.deepEqual({ said, effects }, wanted);
  });
}

// --- What the address asks for ---

test("the whole display sounds; a part is silent unless its address asks for sound", () => {
  const silent = { announcements: 0, music: 0, effects: 0, alarm: 0 };
  const whole = askedVolumes("");
  assert.ok(Object.values(whole).every((volume) => volume > 0));
  assert.deepEqual(askedVolumes("?lang=es"), whole);
  assert.deepEqual(askedVolumes("?sound=off"), silent);
  assert.deepEqual(askedVolumes("?sound=off&music=5"), silent);
  for (const part of ["left", "centre", "right", "field"]) {
    assert.deepEqual(askedVolumes(`?part=${part}`), silent);
    assert.deepEqual(askedVolumes(`?part=${part}&sound=on`), whole);
  }
  assert.deepEqual(askedVolumes("?music=0&alarm=10"), { ...whole, music: 0, alarm: 10 });
  assert.deepEqual(askedVolumes("?effects=99&music=loud&alarm=-1"), { ...whole, effects: 10 });
});

test("the last fifteen rolls are as large as a wall lets them be", () => {
  // One line of fifteen: 2.7 dice each, 3.1 high.
  assert.deepEqual(fitStrip(4050, 310), { size: 100, lines: 1 });
  // Upright: five lines of three are 8.1 dice wide and 15.5 high.
  assert.equal(fitStrip(811, 1550).lines, 5);
  assert.equal(fitStrip(811, 1550).size, 100);
});

// --- In the browser ---

interface Ears {
  contexts: AudioContext[];
  tones: number[];
  recordings: number[];
  /** Short bursts of noise: dice on wood. */
  knocks: number;
  said: string[];
}

/** Runs before a page does: notes what is played, says which voices the machine has, and keeps the rule of browsers that
 * nothing sounds before a touch (which the tools of these tests would count as one by themselves). */
function listen({ voices, kiosk }: { voices: readonly string[]; kiosk: boolean }): void {
  const ears: Ears = { contexts: [], tones: [], recordings: [], knocks: 0, said: [] };
  Object.assign(globalThis, { ears });
  let touched = kiosk;
  addEventListener("pointerup", () => (touched = true), { capture: true });
  globalThis.AudioContext = class extends AudioContext {
    constructor() {
      super();
      ears.contexts.push(this);
    }
    override get state(): AudioContextState {
      return touched ? super.state : "suspended";
    }
    override resume(): Promise<void> {
      return touched ? super.resume() : new Promise(() => {});
    }
  };
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (at) {
    ears.tones.push(this.frequency.value);
    start.call(this, at);
  };
  const { start: play } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...at) {
    if (this.buffer!.duration > 0.1) ears.recordings.push(this.buffer!.duration);
    else ears.knocks += 1;
    play.apply(this, at);
  };
  class Said {
    onend: (() => void) | undefined;
    text: string;
    constructor(text: string) {
      this.text = text;
    }
  }
  const speechSynthesis = {
    getVoices: () => voices.map((lang) => ({ lang })),
    cancel: () => {},
    speak: (one: Said) => {
      ears.said.push(one.text);
      one.onend?.();
    },
  };
  Object.defineProperty(globalThis, "speechSynthesis", { value: speechSynthesis });
  Object.assign(globalThis, { SpeechSynthesisUtterance: Said });
}

/** What was heard so far. */
const ears = (page: Page): Promise<Omit<Ears, "contexts"> & { contexts: number }> =>
  page.evaluate(() => {
    const noted = (globalThis as unknown as { ears: Ears }).ears;
    return { ...noted, contexts: noted.contexts.length };
  });

/** Opens a page anew with its ears on. */
async function opened(page: Page, address: string, voices: readonly string[] = [], kiosk = false): Promise<Page> {
  await page.addInitScript(listen, { voices, kiosk });
  await page.goto(address);
  await page.waitForSelector("main");
  return page;
}

async function runs(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    (globalThis as unknown as { ears: Ears }).ears.contexts.some(({ state }) => state === "running"),
  );
}

async function hears(page: Page, effect: Tone): Promise<void> {
  const sounded = (hz: number) => (globalThis as unknown as { ears: Ears }).ears.tones.includes(hz);
  await page.waitForFunction(sounded, FIRST_HZ[effect]);
}

/** Does something, and waits until this recording was fetched for it. */
async function fetches(page: Page, name: `${string}/${Announcement}`, act: () => Promise<unknown>): Promise<void> {
  const fetched = page.waitForResponse((answer) => answer.url().endsWith(`/sounds/${name}`));
  await act();
  assert.equal((await fetched).headers()["content-type"], "audio/ogg");
}

interface Crew {
  readonly floor: Floor;
  readonly dealer: Page;
  readonly seat: Page;
  readonly table: Page;
  readonly ask: (...requests: Request[]) => Promise<void>;
  /** A device of the seat fails for a moment, which locks the seat up. */
  readonly fails: (part: "printer" | "acceptor") => Promise<void>;
}

async function crew(settings: readonly string[] = [], flags: readonly string[] = []): Promise<Crew> {
  const floor = await Floor.open("craps", "dealer_assisted", [...SLOW, ...settings], flags);
  const [dealer, seat, table] = [
    await floor.screen("dealer", "desk"),
    await floor.screen("seat 1", "desk"),
    await floor.screen("table", "desk"),
  ];
  await floor.signIn(dealer);
  const ask = async (...requests: Request[]): Promise<void> => {
    for (const each of requests) await floor.ask("seat" in each ? seat : dealer, each, "done");
  };
  const fails = (part: "printer" | "acceptor"): Promise<void> =>
    floor
      .devices(1)
      [part].report({ signal: "fault_began", fault: "failure" }, { signal: "fault_ended", fault: "failure" });
  return { floor, dealer, seat, table, ask, fails };
}

const bet: Request = { do: "place_bet", seat: 1, spot: "pass", cents: 500 };
const rolls = (dice: Dice): Request[] => [{ do: "enter_dice", dice }, { do: "confirm_dice" }];

describe("a table without a voice, in a browser that waits for a touch", () => {
  let here: Crew;
  before(async () => {
    here = await crew();
  });
  after(() => here.floor.close());

  test("every recording that is served can be decoded and is not silent", async () => {
    const names = LANGUAGES.flatMap((language) => Object.keys(TEXTS[language]).map((name) => `${language}/${name}`));
    const measured = await here.table.evaluate(async (wanted) => {
      const context = new OfflineAudioContext(1, 1, 48_000);
      const found = [];
      for (const name of wanted) {
        const answer = await fetch(`/sounds/${name}`);
        const buffer = await context.decodeAudioData(await answer.arrayBuffer());
        const wave = buffer.getChannelData(0);
        let [peak, square] = [0, 0];
        for (const one of wave) {
          peak = Math.max(peak, Math.abs(one));
          square += one * one;
        }
        found.push({ name, peak, rms: Math.sqrt(square / wave.length), seconds: buffer.duration });
      }
      return found;
    }, names);
    assert.equal(measured.length, names.length);
    for (const { name, peak, rms, seconds } of measured) {
      assert.ok(peak > 0.2 && rms > 0.02, `${name}: peak ${peak}, rms ${rms}`);
      assert.ok(seconds > 0.5 && seconds < 6, `${name}: ${seconds} s`);
    }
  });

  test("before a touch nothing is heard, nothing waits to be heard later, and nothing looks broken", async () => {
    const { table, floor, ask } = here;
    await opened(table, `${floor.told.url}/table?music=0`);
    await table.waitForFunction(() => (globalThis as unknown as { ears: Ears }).ears.contexts.length === 1);
    await ask(bet);
    await table.locator('[aria-label="Pass Line, $5"]').waitFor();
    const { tones, recordings, said } = await ears(table);
    assert.deepEqual({ tones, recordings, said }, { tones: [], recordings: [], said: [] });
    assert.equal(await table.locator("[role=alert]").count(), 0);
  });

  test("from the first touch on the table calls, and its effects sound", async () => {
    const { table, ask } = here;
    await table.mouse.click(200, 500);
    await runs(table);
    assert.deepEqual((await ears(table)).tones, []);
    await ask({ do: "place_bet", seat: 1, spot: "field", cents: 500 });
    await hears(table, "chip");
    await ask({ do: "take_bet", seat: 1, spot: "field", cents: 500 });
    await hears(table, "take");
    await fetches(table, "en/no_more_bets", () => ask({ do: "close_bets" }));
    await hears(table, "close");
    await fetches(table, "en/roll_7", () => ask(...rolls([3, 4])));
    await hears(table, "win");
    await fetches(table, "en/bets_come_out", () => ask({ do: "open_bets" }));
    await ask(bet, { do: "close_bets" });
    await fetches(table, "en/hard_8", () => ask(...rolls([4, 4])));
    await ask({ do: "open_bets" }, { do: "close_bets" });
    await fetches(table, "en/seven_out", () => ask(...rolls([5, 2])));
    await hears(table, "seven_out");
    assert.ok((await ears(table)).recordings.length > 2);
  });

  test("a roll that does not count is said", async () => {
    const { table, ask } = here;
    await ask({ do: "open_bets" }, bet, { do: "close_bets" });
    await fetches(table, "en/no_roll", () => ask({ do: "call_no_roll", reason: "cocked" }));
  });

  test("when a seat locks up, the alarm sounds at the table and an attendant is announced", async () => {
    const { table, fails } = here;
    await fetches(table, "en/attendant", () => fails("printer"));
    await hears(table, "alarm");
  });

  test("the address chooses the language of the calls", async () => {
    const { table, floor, ask } = here;
    await opened(table, `${floor.told.url}/table?lang=es`);
    await table.mouse.click(200, 500);
    await runs(table);
    await fetches(table, "es/roll_5", () => ask(...rolls([4, 1])));
  });

  for (const address of ["?sound=off", "?part=centre", "?part=field", "?announcements=0&music=0&effects=0&alarm=0"]) {
    test(`silent: ${address}`, async () => {
      const { table, floor, ask } = here;
      await ask({ do: "open_bets" });
      await opened(table, `${floor.told.url}/table${address}`);
      await table.mouse.click(200, 100);
      await ask({ do: "close_bets" }, ...rolls([5, 4]));
      // It has shown the roll, and what it would have fetched for its sound came before what it is asked to fetch now.
      await table.getByRole("img", { name: "5-4" }).first().waitFor();
      await table.evaluate(() => fetch("/api/place").then((answer) => answer.text()));
      await settle(table);
      const { contexts, said } = await ears(table);
      assert.deepEqual([contexts, said], [0, []]);
    });
  }

  test("a part that is asked to sound does", async () => {
    const { table, floor, ask } = here;
    await opened(table, `${floor.told.url}/table?part=left&sound=on&music=0`);
    await table.mouse.click(200, 100);
    await runs(table);
    await fetches(table, "en/bets_point", () => ask({ do: "open_bets" }));
  });

  test("a seat without a voice calls from the files too, and sounds the alarm once for one lock-up", async () => {
    const { dealer, seat, floor, ask, fails } = here;
    await floor.devices(1).doors.key(true);
    await floor.ask(dealer, { do: "clear_lockup", seat: 1 }, "done");
    await floor.devices(1).doors.key(false);
    await opened(seat, `${floor.told.url}/seat/1`);
    await seat.mouse.click(5, 5);
    await runs(seat);
    await fetches(seat, "en/attendant", () => fails("acceptor"));
    await fetches(seat, "en/no_more_bets", () => ask({ do: "close_bets" }));
    await ask(...rolls([2, 1]));
    await seat.getByText("Three, ace-deuce.").first().waitFor();
    const alarms = (await ears(seat)).tones.filter((hz) => hz === FIRST_HZ.alarm).length;
    assert.equal(alarms, 2, "an alarm has that tone twice");
  });

  test("no screen had a problem", () => {
    assert.deepEqual(here.floor.problems, []);
  });
});

describe("a kiosk, which needs no touch", () => {
  let here: Crew;
  before(async () => {
    here = await crew([], ["--autoplay-policy=no-user-gesture-required"]);
  });
  after(() => here.floor.close());

  test("the table sounds at once, with music, and speaks by the browser's voice where there is one", async () => {
    const { table, floor, ask } = here;
    await opened(table, `${floor.told.url}/table`, ["en-GB"], true);
    await runs(table);
    await table.waitForFunction(() => (globalThis as unknown as { ears: Ears }).ears.tones.includes(110));
    await ask(bet, { do: "close_bets" });
    await table.waitForFunction(() =>
      (globalThis as unknown as { ears: Ears }).ears.said.includes("No more bets. Dice are out!"),
    );
    assert.deepEqual((await ears(table)).recordings, []);
  });

  test("a casino's own recording is played before the voice", async () => {
    const { table, floor, ask } = here;
    await table.route("**/sounds", (route) => route.fulfill({ json: { own: ["en/roll_3"] } }));
    await opened(table, `${floor.told.url}/table`, ["en-GB"], true);
    await runs(table);
    await fetches(table, "en/roll_3", () => ask(...rolls([2, 1])));
    await table.waitForFunction(() => (globalThis as unknown as { ears: Ears }).ears.recordings.length === 1);
    assert.deepEqual((await ears(table)).said, []);
  });

  test("where there is a voice for another language alone, the recording is played", async () => {
    const { table, floor, ask } = here;
    await opened(table, `${floor.told.url}/table?lang=zh`, ["en-GB"], true);
    await runs(table);
    await fetches(table, "zh/bets_come_out", () => ask({ do: "open_bets" }));
  });

  test("a dealer hears a tip and a call for service, and nothing of the game", async () => {
    const { dealer, floor, ask } = here;
    await opened(dealer, `${floor.told.url}/dealer`, ["en-GB"], true);
    await runs(dealer);
    await ask({ do: "give_tip", seat: 1, cents: 500 });
    await hears(dealer, "tip");
    await ask({ do: "call_service", seat: 1 });
    await hears(dealer, "bell");
    const { tones, recordings, said } = await ears(dealer);
    assert.deepEqual([tones, recordings, said], [[1319, 1568, 2093, 988, 784], [], []]);
  });

  test("no screen had a problem", () => {
    assert.deepEqual(here.floor.problems, []);
  });
});

describe("dice that fly", () => {
  const BOUNCES = 4;
  let floor: Floor;
  let seat: Page;
  let table: Page;
  before(async () => {
    const pace = [...SLOW, "roll_button = true"];
    floor = await Floor.open("craps", "automated", pace, ["--autoplay-policy=no-user-gesture-required"]);
    seat = await floor.screen("seat 1", "laptop");
    table = await floor.screen("table", "laptop");
  });
  after(() => floor.close());

  test("are heard once for each time that they touch the table, on a seat and on the display", async () => {
    await opened(seat, `${floor.told.url}/seat/1`, [], true);
    await opened(table, `${floor.told.url}/table?music=0`, [], true);
    for (const page of [seat, table]) await runs(page);
    await floor.ask(seat, bet, "done");
    await floor.ask(seat, { do: "press_roll", seat: 1 }, "done");
    await seat.locator(".over.mine").press("Enter");
    for (const page of [seat, table]) {
      await page.locator('ol[aria-label="Last rolls"] > li').waitFor();
      assert.equal((await ears(page)).knocks, BOUNCES, page.url());
    }
    assert.deepEqual(floor.problems, []);
  });
});

describe("a game without announcements and sound", () => {
  let here: Crew;
  before(async () => {
    here = await crew(["announcements = false", "sound = false"], ["--autoplay-policy=no-user-gesture-required"]);
  });
  after(() => here.floor.close());

  test("ruling 58: nothing but alarms is heard, and captions stay", async () => {
    const { table, seat, floor, ask, fails } = here;
    await opened(table, `${floor.told.url}/table`, [], true);
    await opened(seat, `${floor.told.url}/seat/1`, [], true);
    for (const page of [table, seat]) await runs(page);
    await ask(bet, { do: "close_bets" }, ...rolls([6, 5]));
    for (const page of [table, seat]) await page.getByText("Yo! Eleven.").first().waitFor();
    await fails("printer");
    for (const page of [table, seat]) {
      await hears(page, "alarm");
      const { tones, recordings, said } = await ears(page);
      assert.ok(
        tones.every((hz) => hz === 880 || hz === 660),
        `tones ${tones}`,
      );
      assert.deepEqual([recordings, said], [[], []]);
    }
  });
});
