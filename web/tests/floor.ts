/** A floor with one table, served by the real program, and screens of it in Chromium. */

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after } from "node:test";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import type { Mode, Request, Told as Answer } from "../src/wire.ts";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const STICKMAN = process.env["STICKMAN"] ?? "../.venv/bin/stickman";
/** The program with the bets of `tests/planted` besides its own. */
export const PLANTED = [PYTHON, "tests/planted_floor.py"] as const;
export const SIZES = {
  desk: [1920, 1080],
  laptop: [1366, 768],
  tablet: [1180, 820],
  square: [1024, 768],
  portrait: [820, 1180],
  phone: [390, 844],
} as const;
export type Size = keyof typeof SIZES;

interface Told {
  readonly url: string;
  readonly links: Readonly<Record<string, string>>;
  readonly badge: string;
  readonly one_time_password: string;
}

/** What a real floor is prepared with: nobody there has a link. */
interface Prepared {
  readonly tokens: Readonly<Record<string, string>>;
  readonly badges: Readonly<Record<"dealer" | "pit_boss" | "supervisor" | "administrator", string>>;
  readonly password: string;
}

/** A test opens a page more often than rules and rounds may be read: the page says so, or asks again. */
const WAITS_FOR_RULES = /status of 429 .*\/api\/(placard|recall)/;
/** What staff sign in with, once the demonstration's password has been used. */
export const PASSWORD = "four coloured chips on the rail";
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
  /** Of a real floor. */
  prepared: Prepared | null = null;
  #folder: string;
  #server!: ChildProcess;
  #browser: Browser;
  #contexts: BrowserContext[] = [];
  #port = "0";
  #program: readonly string[];

  private constructor(folder: string, browser: Browser, program: readonly string[] = [STICKMAN]) {
    this.#folder = folder;
    this.#browser = browser;
    this.#program = program;
  }

  /** A demonstration's. `settings`: more of them, as lines of the table's configuration (`power_odds.one_in = 1`);
   * `flags`: of Chromium; `program`: another than the shipped one. */
  static async open(
    game: string,
    mode: Mode | "selectable",
    settings: readonly string[] = [],
    flags: readonly string[] = [],
    program?: readonly string[],
  ): Promise<Floor> {
    const folder = mkdtempSync(join(tmpdir(), "stickman-floor-"));
    writeFileSync(join(folder, "floor.toml"), `demo = true\n${config(game, mode, settings)}`);
    const floor = new Floor(folder, await openBrowser(flags), program);
    return floor.#served();
  }

  /** A real one, where no page stands in for a device: its staff have passwords and its terminals tokens. */
  static async openReal(game: string, mode: Mode | "selectable", settings: readonly string[] = []): Promise<Floor> {
    const folder = mkdtempSync(join(tmpdir(), "stickman-floor-"));
    const input = config(game, mode, settings);
    const told = execFileSync(PYTHON, ["tests/real_floor.py", folder], { input, timeout: 60_000 }).toString();
    const floor = new Floor(folder, await openBrowser());
    floor.prepared = JSON.parse(told) as Prepared;
    return floor.#served();
  }

  async #served(): Promise<Floor> {
    await this.serve();
    return this;
  }

  /** Serves the folder, at the same port as before. */
  async serve(): Promise<void> {
    const which = this.prepared ? ["--config", join(this.#folder, "floor.toml")] : ["--demo", "--folder", this.#folder];
    const [program, ...first] = this.#program;
    const args = [...first, "serve", ...which, "--port", this.#port, "--json"];
    this.#server = spawn(program!, args, { stdio: ["ignore", "pipe", "ignore"] });
    process.once("exit", () => this.#server.kill("SIGKILL"));
    this.told = await heard(this.#server);
    this.#port = new URL(this.told.url).port;
  }

  /** Ends the server without a word. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** The screen of a place (`seat 1`, `dealer`), by the link that enrols it. */
  async screen(place: string, size: Size, reducedMotion: "reduce" | "no-preference" = "reduce"): Promise<Page> {
    const [width, height] = SIZES[size];
    const seen = { viewport: { width, height }, reducedMotion } as const;
    const context = await this.#browser.newContext(seen);
    this.#contexts.push(context);
    const page = await context.newPage();
    const token = this.prepared && named(this.prepared.tokens, place);
    const link = token ? `${this.told.url}/${place.replace(" ", "/")}` : named(this.told.links, place);
    if (token) await context.addCookies([{ name: "stickman_terminal", value: token, url: this.told.url }]);
    const note = (problem: string) => this.problems.push(`${place}: ${problem}`);
    page.on("console", (said) => {
      const problem = `${said.text()} ${said.location().url}`;
      if (said.type() === "error" && !WAITS_FOR_RULES.test(problem)) note(problem);
    });
    page.on("pageerror", (problem) => note(String(problem)));
    await page.goto(link);
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

  /** Chooses a password for the badge of the demonstration, and signs it in at the terminal that shows this page. */
  async signIn(page: Page): Promise<void> {
    const { badge, one_time_password } = this.told;
    await this.post(page, "/api/password", { badge, password: one_time_password, new: PASSWORD });
    await this.post(page, "/api/sign-in", { badge, password: PASSWORD });
  }

  /** What the browser did for a page meanwhile, as the events of its trace. */
  async trace(page: Page, meanwhile: () => Promise<void>): Promise<unknown[]> {
    await this.#browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    await meanwhile();
    const { traceEvents } = JSON.parse(String(await this.#browser.stopTracing())) as { traceEvents: unknown[] };
    return traceEvents;
  }

  async close(): Promise<void> {
    if (!IS_TEST) await closeBrowsers();
    if (this.#browser.isConnected()) for (const context of this.#contexts) await context.close();
    await this.#end("SIGTERM");
    rmSync(this.#folder, { recursive: true });
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.once("exit", () => resolve()));
    this.#server.kill(signal);
    return stopped;
  }
}

function config(game: string, mode: string, settings: readonly string[]): string {
  const seats = settings.some((setting) => setting.startsWith("seats ")) ? [] : ["seats = 3"];
  const chosen = [...seats, `mode = "${mode}"`, ...settings].join("\n");
  const table = `[tables.1]\nname = "Demo"\ngame = "${game}"\n[tables.1.settings]\n${chosen}\n`;
  const keys = 'ticket_key = "ticket.key"\njournal_key = "journal.key"\n';
  // `ask` opens a line for each request, quicker than any page would.
  const limits = "[limits]\njoins_burst = 10_000\nseat_messages_burst = 10_000\n";
  return `database = "sqlite:floor.db"\n${keys}${table}${limits}`;
}

/** What is kept for a place of the first table. */
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
