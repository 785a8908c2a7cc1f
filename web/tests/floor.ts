/** A real floor with one table, and screens of it in Chromium. */

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import type { Mode } from "../src/wire.ts";

const STICKMAN = process.env["STICKMAN"] ?? "../.venv/bin/stickman";
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const SIZES = { desk: [1920, 1080], tablet: [1180, 820], phone: [390, 844] } as const;
export type Size = keyof typeof SIZES;

interface Told {
  readonly url: string;
  readonly links: Readonly<Record<string, string>>;
  readonly badge: string;
  readonly one_time_password: string;
}

export class Floor {
  /** What went wrong on any screen. */
  readonly problems: string[] = [];
  told!: Told;
  #folder: string;
  #server!: ChildProcess;
  #browser: Browser;
  #port = "0";

  private constructor(folder: string, browser: Browser) {
    this.#folder = folder;
    this.#browser = browser;
  }

  static async open(game: string, mode: Mode): Promise<Floor> {
    const folder = mkdtempSync(join(tmpdir(), "stickman-floor-"));
    const table = `[tables.1]\nname = "Demo"\ngame = "${game}"\n[tables.1.settings]\nseats = 3\nmode = "${mode}"\n`;
    writeFileSync(join(folder, "floor.toml"), `database = "sqlite:floor.db"\nticket_key = "ticket.key"\n${table}`);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    const floor = new Floor(folder, browser);
    await floor.serve();
    return floor;
  }

  /** Serves the folder, at the same port as before. */
  async serve(): Promise<void> {
    const args = ["serve", "--demo", "--folder", this.#folder, "--port", this.#port, "--json"];
    this.#server = spawn(STICKMAN, args, { stdio: ["ignore", "pipe", "ignore"] });
    this.told = await heard(this.#server);
    this.#port = new URL(this.told.url).port;
  }

  /** Ends the server without a word. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** The screen of a place (`seat 1`, `dealer`), by the link that enrols it. */
  async screen(place: string, size: Size): Promise<Page> {
    const [width, height] = SIZES[size];
    const [, link] = Object.entries(this.told.links).find(([name]) => name.endsWith(place))!;
    const page = await (await this.#browser.newContext({ viewport: { width, height } })).newPage();
    page.on("console", (said) => said.type() === "error" && this.problems.push(said.text()));
    page.on("pageerror", (problem) => this.problems.push(String(problem)));
    await page.goto(link);
    await page.waitForSelector("main");
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#end("SIGTERM");
    rmSync(this.#folder, { recursive: true });
  }

  #end(signal: NodeJS.Signals): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.once("exit", () => resolve()));
    this.#server.kill(signal);
    return stopped;
  }
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
