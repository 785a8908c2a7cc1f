/**
 * The moment of the dice, at 1920×1080 without a graphics card; the first part also at another `--size`, if its pages show
 * the last rolls. First on two seats, the table display and the information display together, with clocks that are wrong by five seconds and lines that take 100 ms each way: how long after the
 * landing each screen shows the result, how far apart they are, and how long it takes from the throw; and on a line that is
 * slow one way only. Then on one screen at a time: how many frames a second it draws while the dice fly and while chips
 * travel. If a screen draws too few, a trace of the browser is kept, which shows what the machine was busy with. Ends with 1
 * if a limit does not hold.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "../web/node_modules/playwright-core/index.d.ts";
import { Floor, type Size, type TraceEvent } from "../web/tests/floor.ts";
import { shown, World, type Shown } from "../web/tests/world.ts";

const PACE = ["roll_button = true", "timers.bets_s = 600", "timers.shooter_s = 600", "timers.result_s = 3"];
const APART_MS = 100;
const THROW_TO_RESULT_MS = 2_500;
/** Two clocks are read in whole milliseconds. */
const EARLY_MS = -2;
const FRAMES_A_SECOND = 55;
/** How many of the longest tasks of a trace are printed. */
const LONGEST = 8;
const PICTURES = join(import.meta.dirname, "../web/pictures");

const { values } = parseArgs({
  options: { rolls: { type: "string", default: "14" }, size: { type: "string", default: "desk" } },
});
const rolls = Number(values.rolls);
const size = values.size as Size;
await together();
for (const place of ["seat 1", "table"]) await alone(place);

async function together(): Promise<void> {
  const floor = await Floor.open("craps", "automated", PACE);
  const worlds = [
    new World(5_000, 100),
    new World(-5_000, 0),
    new World(-5_000, 100),
    new World(0, 0),
    new World(0, 100, 0),
  ];
  const pages: Page[] = [];
  for (const [n, place] of ["seat 1", "seat 2", "table", "info", "seat 3"].entries()) {
    pages.push(await floor.screen(place, size, "no-preference", worlds[n]!.around));
  }
  const [shooter] = pages as [Page];
  const [late, apart, took]: [number[], number[], number[]] = [[], [], []];
  for (let roll = 1; roll <= rolls; roll += 1) {
    await throws(floor, shooter, true);
    for (const page of pages) await page.waitForFunction(showsRolls, Math.min(roll, 15));
    const seen = await Promise.all(pages.map(shown));
    const times = seen.map((each) => each.rolls.at(-1)![0]);
    late.push(...times.map((time, n) => time - worlds[n]!.landsAt));
    apart.push(Math.max(...times) - Math.min(...times));
    took.push(times[0]! - seen[0]!.lifted);
    await shooter.getByText("Place your bets").first().waitFor();
  }
  print("after landing", late, { least: EARLY_MS });
  print("apart", apart, { most: APART_MS });
  print("throw to result", took, { most: THROW_TO_RESULT_MS });
  await floor.close();
}

/** Only this screen moves; where it is not the shooter's, a small page without motion throws. */
async function alone(place: string): Promise<void> {
  const floor = await Floor.open("craps", "automated", PACE);
  const { around } = new World(0, 0);
  const page = await floor.screen(place, "desk", "no-preference", around);
  const shooter = place === "seat 1" ? page : await floor.screen("seat 1", "phone");
  const plays = async (count: number): Promise<void> => {
    for (let roll = 1; roll <= count; roll += 1) {
      await throws(floor, shooter, false);
      await page.waitForFunction(showsRolls, Math.min(roll, 15));
      await shooter.getByText("Place your bets").first().waitFor();
    }
  };
  await plays(rolls);
  const seen = await shown(page);
  const enough = (["flight", "sweep"] as const).map((what) =>
    judge(
      `${place} alone, ${what}: ${told(seen[what])}`,
      rate(seen[what]) >= FRAMES_A_SECOND,
      `at least ${FRAMES_A_SECOND}`,
    ),
  );
  if (enough.includes(false)) keep(place, await floor.trace(page, () => plays(2)));
  await floor.close();
}

function rate({ frames, ms }: Shown["flight"]): number {
  return (1000 * frames) / ms;
}

function told(drawn: Shown["flight"]): string {
  const seconds = (drawn.ms / 1000).toFixed(1);
  return `${rate(drawn).toFixed(1)} frames a second over ${seconds} s, longest gap ${drawn.longest_ms.toFixed(0)} ms`;
}

/** Writes a trace down, and prints what took long in it: the longest tasks, and how busy each thread was. */
function keep(place: string, events: readonly TraceEvent[]): void {
  mkdirSync(PICTURES, { recursive: true });
  const file = join(PICTURES, `roll-${place.replace(" ", "-")}.trace.json`);
  writeFileSync(file, JSON.stringify({ traceEvents: events }));
  const at = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const named = events.filter(({ name }) => name === "thread_name");
  const threads = new Map(named.map((event) => [at(event), event.args.name ?? ""]));
  const tasks = events.filter(({ ph, name }) => ph === "X" && name.endsWith("RunTask"));
  const span = Math.max(...tasks.map(({ ts }) => ts)) - Math.min(...tasks.map(({ ts }) => ts));
  const busy = new Map<string, number>();
  for (const task of tasks) busy.set(at(task), (busy.get(at(task)) ?? 0) + (task.dur ?? 0));
  console.log(`  the trace is web/pictures/${file.split("/").at(-1)}; of ${(span / 1e6).toFixed(1)} s were busy:`);
  for (const [thread, us] of [...busy].sort(([, one], [, other]) => other - one).slice(0, LONGEST))
    console.log(`    ${((100 * us) / span).toFixed(0).padStart(3)} %  ${threads.get(thread)}`);
  console.log("  the longest tasks:");
  for (const task of tasks.toSorted((one, other) => (other.dur ?? 0) - (one.dur ?? 0)).slice(0, LONGEST))
    console.log(`    ${ms(task).padStart(6)} ms  ${threads.get(at(task))}: ${parts(task, events)}`);
}

function ms({ dur = 0 }: TraceEvent): string {
  return (dur / 1000).toFixed(1);
}

/** What a task consists of, the longest first. */
function parts(task: TraceEvent, events: readonly TraceEvent[]): string {
  const inside = events.filter(
    (event) =>
      event !== task &&
      event.pid === task.pid &&
      event.tid === task.tid &&
      event.ts >= task.ts &&
      event.ts < task.ts + (task.dur ?? 0) &&
      !event.name.endsWith("RunTask"),
  );
  const longest = inside.toSorted((one, other) => (other.dur ?? 0) - (one.dur ?? 0)).slice(0, 3);
  return longest.map((event) => `${event.name} ${ms(event)}`).join(", ") || "unnamed";
}

async function throws(floor: Floor, shooter: Page, dont: boolean): Promise<void> {
  const line = dont ? "dont_pass" : "pass";
  for (const spot of [line, "field", "place.6", "place.8", "hard.8"])
    await floor.ask(shooter, { do: "place_bet", seat: 1, spot, cents: 600 });
  await floor.ask(shooter, { do: "press_roll", seat: 1 }, "done");
  await shooter.locator(".over.mine").click();
}

function showsRolls(count: number): boolean {
  return (document.querySelector('ol[aria-label="Last rolls"]')?.childElementCount ?? 0) >= count;
}

function print(what: string, measured: readonly number[], { least = -Infinity, most = Infinity }): void {
  const sorted = measured.toSorted((one, other) => one - other);
  const [min, p50, max] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map((n) => sorted[n]!);
  const limit = least === -Infinity ? `at most ${most} ms` : `at least ${least} ms`;
  judge(
    `${what.padEnd(16)} min ${min} ms, p50 ${p50} ms, max ${max} ms (${sorted.length})`,
    min! >= least && max! <= most,
    limit,
  );
}

/** Says whether a limit holds; if not, this program ends with 1. */
function judge(figures: string, holds: boolean, limit: string): boolean {
  console.log(`${figures}; ${holds ? "within" : "OVER"}: ${limit}`);
  if (!holds) process.exitCode = 1;
  return holds;
}
