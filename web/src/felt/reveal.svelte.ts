/** How a screen shows what changed on its felt: the total of a roll, then chips on their way, then all of it. */

import { still } from "../shared/motion.ts";
import { isFreshRoll, type Told } from "../shared/notices.ts";
import type { FeltSpot } from "../wire.ts";
import type { Stack } from "./chips.ts";
import { afterRoll, betweenRolls, GOES_HOME, stacksAt, stepsOf, type Chips, type Journey } from "./moves.ts";

/** How long the total alone is shown, and how long chips take from place to place; all in all under two seconds. */
export const TOTAL_MS = 600;
export const STEP_MS = 400;
const DRAWN_MS = 100;
const STEPS_MAX = 3;
const BET_MS = 250;
/** More chips than these do not fly at once while bets are made: nobody could follow them. */
const BETS_MAX = 6;

export interface Flight extends Journey {
  readonly id: number;
  /** When it sets out, after it was drawn. */
  readonly wait_ms: number;
  readonly step_ms: number;
}

export interface Shown extends Chips {
  readonly stacks: Readonly<Record<string, Stack>>;
  readonly told: Told;
  readonly felt: readonly FeltSpot[];
}

/** What is shown of a result: its total, then the chips, then all of it. */
export type Stage = "total" | "chips" | "all";

export class Reveal {
  stage = $state<Stage>("all");
  flights = $state.raw<readonly Flight[]>([]);
  /** By spot that has won, how much: it glows. */
  wins = $state.raw<ReadonlyMap<string, number>>(new Map());
  #step = $state(0);
  #journeys: readonly Journey[] = [];
  #before: Shown | null = null;
  #now: Shown | null = null;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #flown = 0;

  /** `carried`: a hand has just put the chip there. */
  follow(now: Shown, carried = false): void {
    const before = this.#now;
    this.#now = now;
    if (!before) return;
    if (isFreshRoll(before.told, now.told)) this.#present(before, now);
    else if (now.told.phase === "rolled" && !moved(before, now)) return;
    else {
      this.skip(); // bets are open, or the roll was corrected: only what is so is shown
      if (!carried) this.#bets(before, now);
    }
  }

  /** The stacks to draw now; `stacks` is how they are once all chips have arrived. */
  over(stacks: Readonly<Record<string, Stack>>): Readonly<Record<string, Stack>> {
    return this.stage === "all" ? stacks : stacksAt(this.#before!.stacks, stacks, this.#journeys, this.#step);
  }

  /** The spots that have chips, or had some as the dice fell: none leaves the felt before its chips have. */
  held(stacks: Readonly<Record<string, Stack>>): ReadonlySet<string> {
    const fell = this.stage === "all" ? {} : this.#before!.stacks;
    return new Set([...Object.keys(stacks), ...Object.keys(fell)]);
  }

  /** Nothing of the roll has come home yet: meters wait. */
  get waits(): boolean {
    return this.stage !== "all" && this.#journeys.length > 0 && this.#step < GOES_HOME;
  }

  /** Shows all of a result at once; chips that are bet go on. */
  skip(): void {
    if (this.stage === "all") return;
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.stage = "all";
    this.flights = [];
    this.wins = new Map();
  }

  #present(before: Shown, now: Shown): void {
    this.skip();
    const bets = new Map(now.felt.map(({ spot, bet }) => [spot, bet]));
    this.#before = before;
    this.#journeys = still() ? [] : afterRoll(before, now, (spot) => bets.get(spot));
    this.#step = -1;
    this.stage = "total";
    const steps = still() ? STEPS_MAX : stepsOf(this.#journeys);
    this.#at(DRAWN_MS, () => this.#draw());
    this.#at(TOTAL_MS, () => this.#setOut(now));
    for (let step = 1; step < steps; step += 1) this.#at(TOTAL_MS + step * STEP_MS, () => (this.#step = step));
    this.#at(TOTAL_MS + Math.max(steps, 1) * STEP_MS, () => this.skip());
  }

  /** Draws the chips, unseen, while the total is shown and nothing moves: later, moving them costs the page no work. */
  #draw(): void {
    const wait = (begins: number) => TOTAL_MS - DRAWN_MS + begins * STEP_MS;
    this.flights = this.#journeys.map((one) => this.#flight(one, wait(one.begins), STEP_MS));
  }

  #setOut({ lines }: Shown): void {
    this.stage = "chips";
    this.#step = 0;
    const won = lines.filter(({ net_cents = 0 }) => net_cents > 0);
    this.wins = new Map(won.map(({ spot, net_cents = 0 }) => [spot, net_cents]));
  }

  #bets(before: Shown, now: Shown): void {
    const room = BETS_MAX - this.flights.length;
    if (room <= 0 || still()) return;
    const flights = betweenRolls(before, now).slice(0, room);
    if (!flights.length) return;
    const sent = flights.map((journey) => this.#flight(journey, 0, BET_MS));
    this.flights = [...this.flights, ...sent];
    this.#at(BET_MS, () => (this.flights = this.flights.filter((one) => !sent.includes(one))));
  }

  #flight(journey: Journey, wait_ms: number, step_ms: number): Flight {
    this.#flown += 1;
    return { ...journey, id: this.#flown, wait_ms, step_ms };
  }

  #at(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers = this.#timers.filter((one) => one !== timer);
      run();
    }, ms);
    this.#timers.push(timer);
  }
}

function moved(before: Chips, now: Chips): boolean {
  return betweenRolls(before, now).length > 0;
}
