/** A floor with one table, served by the real program, the devices of its seats, and screens of it in Chromium. */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after } from "node:test";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import type { Mode, Request, Told as Answer } from "../src/wire.ts";
import { placeOf } from "../src/place.ts";
import { Clerk, Doors, type Device, type SeatDevices } from "./devices.ts";

export const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const STICKMAN = process.env["STICKMAN"] ?? "../.venv/bin/stickman";
/** The program with the bets of `tests/planted` besides its own. */
export const PLANTED = [PYTHON, "tests/planted_floor.py"] as const;
export const SIZES = {
  desk: [1920, 1080],
  laptop: [1366, 768],
  terminal: [1600, 1200],
  tablet: [1180, 820],
  square: [1024, 768],
  portrait: [820, 1180],
  slate: [834, 1194],
  phone: [390, 844],
  lying: [844, 390],
} as const;
export type Size = keyof typeof SIZES;

/** An event of a browser's trace. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly data?: { readonly type?: string } };
}

/** What the server says when it is open; a demonstration also how to get in. */
interface Told {
  readonly url: string;
  readonly links?: Readonly<Record<string, string>>;
  readonly badges?: readonly string[];
  readonly password?: string;
}

/** What a floor is prepared with: nobody there needs a link. */
interface Prepared {
  readonly tokens: Readonly<Record<string, string>>;
  readonly badges: Readonly<Record<"dealer" | "pit_boss" | "supervisor", string>>;
  readonly password: string;
  /** Who enrols devices, and the token of the terminal where they do. */
  readonly cashier: string;
  readonly cage: string;
  /** An administrator who has not chosen a password. */
  readonly badge: string;
  readonly one_time_password: string;
}

/** A test opens a page more often than rules and rounds may be read: the page says so, or asks again. */
const WAITS_FOR_RULES = /status of 429 .*\/api\/(placard|recall|statistics)/;
/** What the administrator chooses. */
export const PASSWORD = "four coloured chips on the rail";
/** What each seat begins with, in cents. */
const CREDIT = 100_000;
/** Those of this file's tests, by their flags: a floor opens pages in one, and leaves it open for the next floor. */
const browsers = new Map<string, Promise<Browser>>();
const IS_TEST = "NODE_TEST_CONTEXT" in process.env;
if (IS_TEST) after(closeBrowsers);

async function closeBrowsers(): Promise<void> {
  for (const browser of browsers.values()) await (await browser).close();
  browsers.clear();
}

/** The machine's own Chromium, drawing without a graphics card. Its sound goes nowhere and needs no process. */
export function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const opened = browsers.get(flags.join()) ?? launched(flags);
  browsers.set(flags.join(), opened);
  return opened;
}

function launched(flags: readonly string[]): Promise<Browser> {
  const named = ["chromium", "chromium-browser", "google-chrome"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const places = named.flatMap((name) => folders.map((folder) => join(folder, name)));
  const executablePath = process.env["CHROMIUM"] ?? places.find((place) => existsSync(place));
  if (!executablePath) throw new Error(`no Chromium: ${named.join(", ")} are not on the PATH, CHROMIUM is not set`);
  const silent = ["--disable-audio-output"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...silent, ...flags] });
}

export class Floor {
  /** What went wrong on any screen. */
  readonly problems: string[] = [];
  told!: Told;
  readonly prepared: Prepared;
  /** Those of the table itself: its doors, and the dealer's key. */
  doors!: Doors;
  #seats: SeatDevices[] = [];
  #folder: string;
  #server!: ChildProcess;
  #browser: Browser;
  #contexts: BrowserContext[] = [];
  #port = "0";
  #program: readonly string[];

  private constructor(folder: string, prepared: Prepared, browser: Browser, program: readonly string[] = [STICKMAN]) {
    this.#folder = folder;
    this.prepared = prepared;
    this.#browser = browser;
    this.#program = program;
  }

  /** One whose seats have $1,000 each. `settings`: more of them, as lines of the table's configuration
   * (`power_odds.one_in = 1`); `flags`: of Chromium; `program`: another than the shipped one. */
  static async open(
    game: string,
    mode: Mode | "selectable",
    settings: readonly string[] = [],
    flags: readonly string[] = [],
    program?: readonly string[],
  ): Promise<Floor> {
    const floor = await Floor.openWithoutMoney(game, mode, settings, flags, program);
    await Promise.all(floor.#seats.map(({ acceptor }) => acceptor.stacks(CREDIT)));
    return floor;
  }

  /** One whose seats have devices, and no money yet. */
  static async openWithoutMoney(
    game: string,
    mode: Mode | "selectable",
    settings: readonly string[] = [],
    flags: readonly string[] = [],
    program?: readonly string[],
  ): Promise<Floor> {
    const folder = mkdtempSync(join(tmpdir(), "stickman-floor-"));
    const prepared = prepare(folder, seatsOf(settings));
    writeFileSync(join(folder, "floor.toml"), config(game, mode, settings));
    const floor = new Floor(folder, prepared, await openBrowser(flags), program);
    await floor.serve();
    const { cage, cashier, password } = prepared;
    await floor.#furnish(await Clerk.signIn(floor.told.url, cage, cashier, password), seatsOf(settings));
    return floor;
  }

  /** The devices of a seat. */
  devices(seat: number): SeatDevices {
    return this.#seats[seat - 1]!;
  }

  async #furnish(clerk: Clerk, seats: number): Promise<void> {
    const each = Array.from({ length: seats }, (_, n) => clerk.seatDevices(n + 1));
    this.doors = await clerk.device(Doors, "doors", 0);
    this.#seats = await Promise.all(each);
  }

  /** Serves the folder, at the same port as before; its devices come back. */
  async serve(): Promise<void> {
    const which = ["--config", join(this.#folder, "floor.toml"), "--port", this.#port];
    this.#server = serve([...this.#program, "serve", ...which]);
    this.told = await heard(this.#server);
    this.#port = new URL(this.told.url).port;
    for (const device of this.#everyDevice()) await device.connect();
  }

  #everyDevice(): Device[] {
    const { doors } = this as { doors?: Doors };
    return [...(doors ? [doors] : []), ...this.#seats.flatMap((each) => Object.values(each) as Device[])];
  }

  /** Ends the server without a word. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** The screen of a place (`seat 1`, `dealer`), which is enrolled. `before`: what to do to the page before it opens;
   * `hasTouch`: it is touched with real fingers. */
  async screen(
    place: string,
    size: Size,
    reducedMotion: "reduce" | "no-preference" = "reduce",
    before: (page: Page) => Promise<void> = async () => {},
    hasTouch = false,
  ): Promise<Page> {
    const [width, height] = SIZES[size];
    const seen = { viewport: { width, height }, reducedMotion, hasTouch } as const;
    const context = await this.#browser.newContext(seen);
    this.#contexts.push(context);
    const page = await context.newPage();
    const value = named(this.prepared.tokens, place);
    await context.addCookies([{ name: "stickman_terminal", value, url: this.told.url }]);
    const note = (problem: string) => this.problems.push(`${place}: ${problem}`);
    page.on("console", (said) => {
      const problem = `${said.text()} ${said.location().url}`;
      if (said.type() === "error" && !WAITS_FOR_RULES.test(problem)) note(problem);
    });
    page.on("pageerror", (problem) => note(String(problem)));
    await before(page);
    await page.goto(`${this.told.url}/${place.replace(" ", "/")}`);
    await page.waitForSelector("main");
    return page;
  }

  /** Asks the table for something as the terminal that shows this page, past its buttons. */
  async ask(page: Page, request: Request, wanted?: Answer["type"], approver = ""): Promise<Answer> {
    const answer = (await page.evaluate(askOnce, { request, approver })) as Answer;
    if (wanted && answer.type !== wanted) throw new Error(`${JSON.stringify(request)}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Posts what the page itself would. A line has the session that it was made with: the next one is made later. */
  async post(page: Page, path: string, body: object): Promise<void> {
    const send = async ([to, text]: readonly [string, string]) => {
      await fetch(to, { method: "POST", body: text });
      delete (globalThis as { ownLine?: WebSocket }).ownLine;
    };
    await page.evaluate(send, [path, JSON.stringify(body)] as const);
  }

  /** Chooses a password for the administrator, and signs them in at the terminal that shows this page. */
  async signIn(page: Page): Promise<void> {
    const { badge, one_time_password } = this.prepared;
    await this.post(page, "/api/password", { badge, password: one_time_password, new: PASSWORD });
    await this.post(page, "/api/sign-in", { badge, password: PASSWORD });
  }

  /** What the browser did for a page meanwhile, as the events of its trace. */
  async trace(page: Page, meanwhile: () => Promise<void>): Promise<TraceEvent[]> {
    await this.#browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    await meanwhile();
    const { traceEvents } = JSON.parse(String(await this.#browser.stopTracing())) as { traceEvents: TraceEvent[] };
    return traceEvents;
  }

  async close(): Promise<void> {
    if (!IS_TEST) await closeBrowsers();
    for (const device of this.#everyDevice()) await device.hangUp();
    if (this.#browser.isConnected()) for (const context of this.#contexts) await context.close();
    await this.#end("SIGTERM");
    rmSync(this.#folder, { recursive: true });
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    return stopped(this.#server, signal);
  }
}

/** The demonstration itself, with its own emulated devices: the links of its screens, and how it is stopped. */
export async function openDemo(
  folder = mkdtempSync(join(tmpdir(), "stickman-demo-")),
): Promise<{ told: Required<Told>; close: () => Promise<void> }> {
  const server = serve([STICKMAN, "serve", "--demo", "--folder", folder, "--port", "0"]);
  const told = (await heard(server)) as Required<Told>;
  const close = async (): Promise<void> => {
    await stopped(server, "SIGTERM");
    rmSync(folder, { recursive: true });
  };
  return { told, close };
}

/** Opens the page of a place of a demonstration (`table 1 seat 2`), in a browser that has sat down there. */
export async function openPlace(page: Page, told: Required<Told>, place: string): Promise<void> {
  const link = new URL(told.links[place]!);
  await page.context().request.post(`${told.url}/api/sit`, { data: placeOf(link) });
  await page.goto(link.href);
}

function serve([program, ...args]: readonly string[]): ChildProcess {
  const server = spawn(program!, [...args, "--json"], { stdio: ["ignore", "pipe", "ignore"] });
  process.once("exit", () => server.kill("SIGKILL"));
  return server;
}

function stopped(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  server.kill(signal);
  return ended;
}

/** By number of seats, a journal with staff and terminals, made once for all floors of a file. */
const models = new Map<number, readonly [folder: string, prepared: Prepared]>();

/** Fills a folder with the journal and the keys of a floor. */
function prepare(folder: string, seats: number): Prepared {
  const [from, prepared] = models.get(seats) ?? model(seats);
  cpSync(from, folder, { recursive: true });
  return prepared;
}

function model(seats: number): readonly [folder: string, prepared: Prepared] {
  const folder = mkdtempSync(join(tmpdir(), "stickman-model-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const told = execFileSync(PYTHON, ["tests/prepared_floor.py", folder, String(seats)], { timeout: 60_000 });
  const made = [folder, JSON.parse(told.toString()) as Prepared] as const;
  models.set(seats, made);
  return made;
}

const SEATS = /^seats = (\d+)$/;

function seatsOf(settings: readonly string[]): number {
  const [, seats = "3"] = settings.map((each) => SEATS.exec(each)).find(Boolean) ?? [];
  return Number(seats);
}

function config(game: string, mode: string, settings: readonly string[]): string {
  const chosen = [
    `seats = ${seatsOf(settings)}`,
    ...settings.filter((each) => !SEATS.test(each)),
    `mode = "${mode}"`,
  ].join("\n");
  const table = `[tables.1]\nname = "Demo"\ngame = "${game}"\n[tables.1.settings]\n${chosen}\n`;
  const keys = 'ticket_key = "ticket.key"\njournal_key = "journal.key"\n';
  // `ask` opens a line for each request, quicker than any page would.
  const bursts = ["joins_burst", "seat_messages_burst", "messages_burst", "attempts_burst"];
  const limits = ["[limits]", ...bursts.map((name) => `${name} = 10_000`), ""].join("\n");
  return `database = "sqlite:floor.db"\n${keys}${table}${limits}`;
}

/** What is kept for a place. */
function named(places: Readonly<Record<string, string>>, place: string): string {
  return Object.entries(places).find(([name]) => name.endsWith(place))![1];
}

/** Runs in a page: asks by a line of its own, which is kept for as long as it is open. */
async function askOnce(what: { readonly request: object; readonly approver: string }): Promise<unknown> {
  const page = globalThis as { ownLine?: WebSocket | undefined };
  const joined = (): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const line = new WebSocket(`ws://${location.host}/ws${location.search}`);
      line.onopen = () => line.send(JSON.stringify({ type: "join", after: null }));
      line.onmessage = () => resolve(line);
      line.onclose = ({ code }) => reject(new Error(`the line was closed: ${code}`));
    });
  const line = page.ownLine?.readyState === WebSocket.OPEN ? page.ownLine : (page.ownLine = await joined());
  const id = `test:${Math.random()}`;
  return new Promise((resolve, reject) => {
    line.onclose = ({ code }) => reject(new Error(`the line was closed: ${code}`));
    line.addEventListener("message", function hear({ data }: MessageEvent<string>) {
      const told = JSON.parse(data) as { type: string; id?: string };
      if (told.id !== id && told.type !== "bad") return;
      line.removeEventListener("message", hear);
      resolve(told);
    });
    line.send(JSON.stringify({ type: "ask", id, ...what }));
  });
}

/** What the server says once it is open. */
function heard(server: ChildProcess): Promise<Told> {
  let text = "";
  return new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the server stopped with ${code}`)));
    server.stdout?.on("data", (part: Buffer) => {
      text += String(part);
      if (text.includes("\n")) resolve(JSON.parse(text) as Told);
    });
  });
}
