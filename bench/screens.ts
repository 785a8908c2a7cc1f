/**
 * The player terminal while 200 bets a second (`--changes`) change on it, drawn without a graphics card: how long the
 * page works for a change, how long its longest task is, and how soon after a tap it is painted again.
 */

import { parseArgs } from "node:util";
import type { BrowserContext, Page } from "../web/node_modules/playwright-core/index.d.ts";
import { Floor, type TraceEvent } from "../web/tests/floor.ts";

/** If the page gets a smaller share of the changes, the figures are not what they say. */
const ENOUGH = 0.5;
const SPOTS = ["place.4", "place.5", "place.9", "place.10", "field", "hard.4", "hard.10", "horn.2", "horn.12", "seven"];
const LIMITS = { "work for a change": 4, "longest task": 50, "tap to paint": 100 } as const;
const SEAT = 1;

/** Places all bets and takes them down, again and again, as the terminal of this context, until it is stopped: then it
 * fails if anything was refused. It has one line, because a seat may have two and the page needs the other. */
async function play(context: BrowserContext, url: string, changesASecond: number): Promise<() => void> {
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: url };
  // Node's own WebSocket takes headers, though its types do not say so.
  const line = new WebSocket(url.replace("http", "ws") + "/ws", { headers } as never);
  const wrong: string[] = [];
  line.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (/^\{"type":"(refused|again|bad)"/.test(data)) wrong.push(data);
  });
  await new Promise((opened, failed) => {
    line.addEventListener("open", opened);
    line.addEventListener("close", ({ code }) => {
      wrong.push(`the line was closed: ${code}`);
      failed(new Error(wrong[0]));
    });
  });
  line.send(JSON.stringify({ type: "join", after: null }));
  let n = 0;
  const playing = setInterval(() => {
    const bet = { seat: SEAT, spot: SPOTS[n % SPOTS.length] };
    const places = Math.floor(n / SPOTS.length) % 2 === 0;
    const request = places ? { do: "place_bet", ...bet, cents: 500 } : { do: "take_bet", ...bet };
    line.send(JSON.stringify({ type: "ask", id: `bench:${process.pid}:${n}`, request }));
    n += 1;
  }, 1000 / changesASecond);
  return () => {
    clearInterval(playing);
    if (wrong.length) throw new Error(`${wrong.length} of ${n} requests failed; the first: ${wrong[0]}`);
    line.close();
  };
}

/** From a touch to the next paint, as the browser itself tells it, in steps of 8 ms. */
async function tapToPaint(page: Page, taps: number): Promise<number[]> {
  await page.evaluate(() => {
    const seen = ((globalThis as unknown as { taps: number[] }).taps = []) as number[];
    const observer = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "click") seen.push(duration);
    });
    observer.observe({ type: "event", durationThreshold: 16, buffered: false } as PerformanceObserverInit);
  });
  const spot = page.locator('[data-spot="hard.8"]');
  const before = await spot.getAttribute("aria-label");
  for (let n = 0; n < taps; n += 1) {
    await spot.click();
    await page.waitForTimeout(150);
  }
  if ((await spot.getAttribute("aria-label")) === before) throw new Error("the taps placed no bet");
  const slow = await page.evaluate(() => (globalThis as unknown as { taps: number[] }).taps);
  // What is quicker than 16 ms is not reported.
  return [...slow, ...Array<number>(Math.max(taps - slow.length, 0)).fill(16)];
}

/** What a page does to show what has changed: scripts before the paint, styles, layout. */
const SHOWS = ["FireAnimationFrame", "RunMicrotasks", "UpdateLayoutTree", "Layout"];

/** By change, the milliseconds of the task that hears it, and its share of scripts, styles and layout of the frame that
 * shows it. */
function workByChange(events: readonly TraceEvent[]): { work: number[]; tasks: number[] } {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const [main = []] = threads.map((one) => events.filter(on(one))).sort((one, other) => other.length - one.length);
  const tasks = main.filter(({ name }) => name.endsWith("ThreadControllerImpl::RunTask"));
  const work: number[] = [];
  let shown: number[] = [];
  for (const task of tasks.toSorted((one, other) => one.ts - other.ts)) {
    const inside = main.filter((event) => event !== task && isDuring(task, event));
    const changes = inside.filter(({ name }) => name === "WebSocketReceive").length;
    if (changes) {
      shown.push(...Array<number>(changes).fill(ms(task) / changes));
      continue;
    }
    const showing = covered(inside.filter(({ name }) => SHOWS.includes(name)));
    shown = shown.map((cost) => cost + showing / shown.length);
    if (inside.some(({ name }) => name === "Layerize")) work.push(...shown.splice(0));
  }
  return { work, tasks: tasks.map(({ dur = 0 }) => dur / 1000) };
}

function isDuring(task: TraceEvent, event: TraceEvent): boolean {
  return task.ts <= event.ts && event.ts < task.ts + (task.dur ?? 0);
}

/** The milliseconds of events that may be inside of one another, each counted once. */
function covered(events: readonly TraceEvent[]): number {
  let [sum, upTo] = [0, -Infinity];
  for (const event of events.toSorted((one, other) => one.ts - other.ts)) {
    if (event.ts < upTo) continue;
    sum += ms(event);
    upTo = event.ts + (event.dur ?? 0);
  }
  return sum;
}

function on({ pid, tid }: TraceEvent): (event: TraceEvent) => boolean {
  return (event) => event.pid === pid && event.tid === tid;
}

/** The thread's own time where the trace has it, so that a busy machine does not count. */
function ms({ dur = 0, tdur = dur }: TraceEvent): number {
  return tdur / 1000;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(Math.floor(sorted.length * q), sorted.length - 1)] ?? NaN;
}

function print(what: keyof typeof LIMITS, measured: readonly number[], judged: 0.95 | 1): void {
  const sorted = measured.toSorted((one, other) => one - other);
  const [p50, p95, max] = [0.5, 0.95, 1].map((q) => quantile(sorted, q).toFixed(1));
  const verdict = quantile(sorted, judged) <= LIMITS[what] ? "within" : "OVER";
  const limit = `${judged === 1 ? "max" : "p95"} ${verdict} ${LIMITS[what]} ms`;
  console.log(`${what.padEnd(18)} p50 ${p50} ms, p95 ${p95} ms, max ${max} ms (${sorted.length}; ${limit})`);
}

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    changes: { type: "string", default: "200" },
    game: { type: "string", default: "craps" },
  },
});
const floor = await Floor.open(values.game, "dealer_assisted", ["timers.bets_s = 600"]);
try {
  const page = await floor.screen(`seat ${SEAT}`, "desk", "no-preference");
  const stop = await play(page.context(), floor.told.url, Number(values.changes));
  await page.waitForTimeout(2000);
  const trace = await floor.trace(page, () => page.waitForTimeout(Number(values.seconds) * 1000));
  const taps = await tapToPaint(page, 20);
  stop();
  const { work, tasks } = workByChange(trace);
  const rate = work.length / Number(values.seconds);
  if (rate < ENOUGH * Number(values.changes)) throw new Error(`only ${rate.toFixed(0)} changes a second`);
  console.log(`${values.game}: ${rate.toFixed(0)} changes a second`);
  print("work for a change", work, 0.95);
  print("longest task", tasks, 1);
  print("tap to paint", taps, 1);
} finally {
  await floor.close();
}
