/** What a hand does at a seat: it bets, and it carries chips. */

import { beforeEach, expect, test, vi } from "vitest";
import type { Screen } from "../src/screen.svelte.ts";
import { Betting } from "../src/seat/betting.svelte.ts";
import { Drag } from "../src/seat/drag.svelte.ts";
import type { Request, SeatView, Told } from "../src/wire.ts";
import { seatView } from "./world.ts";

vi.mock("../src/seat/sound.ts", () => ({ sound: { play: () => {} } }));

const WHY = { why: "bets_closed", detail: "" };
const FIELD = { place: [500, 10_000, 500], take: [500, 1000, 500], switch: WHY };
const HORN = { place: [400, 10_000, 400], take: WHY, switch: WHY };

class FakeScreen {
  view = $state.raw<SeatView>(seatView());
  pending = $state<Record<string, number>>({});
  asked: Request[] = [];
  refused: string[] = [];
  answer = async (request: Request): Promise<Told | null> => (this.asked.push(request), this.answers);
  answers: Told | null = null;
  refuse = (at: string, { why, detail }: { why: string; detail: string }): void =>
    void this.refused.push(`${at}: ${why} ${detail}`.trim());
}

let screen: FakeScreen;
let betting: Betting;

beforeEach(() => {
  screen = new FakeScreen();
  screen.view = offering({ field: FIELD, horn: HORN, come: { place: WHY, take: WHY, switch: WHY } });
  betting = new Betting(screen as unknown as Screen<SeatView>);
});

function offering(spots: object, wagers: object = {}): SeatView {
  const { offers } = seatView();
  return seatView({
    offers: { ...offers, spots } as unknown as SeatView["offers"],
    wagers: wagers as SeatView["wagers"],
  });
}

test("a tap bets the chip that is held, in the steps that the spot takes", () => {
  betting.tap("field");
  betting.tap("horn");
  expect(screen.asked).toEqual([
    { do: "place_bet", seat: 1, spot: "field", cents: 500 },
    { do: "place_bet", seat: 1, spot: "horn", cents: 400 },
  ]);
});

test("a chip under the minimum, and a spot that is shut, are refused at once", () => {
  betting.held = 0;
  betting.tap("field");
  betting.tap("come");
  expect(screen.asked).toEqual([]);
  expect(screen.refused).toEqual(["field: under_min $5", "come: bets_closed"]);
});

test("a maximum is named, whoever refuses: the page, or the server that knows better", async () => {
  const { shared } = screen.view;
  const felt = [{ spot: "field", bet: "field" }] as unknown as typeof shared.felt;
  const limits = { ...shared.limits, bets: { field: [500, 10_000] } } as unknown as typeof shared.limits;
  screen.view = { ...screen.view, shared: { ...shared, felt, limits } };
  screen.answers = { type: "refused", id: "1", why: "over_max", detail: "field", says: "" };
  betting.tap("field");
  await vi.waitFor(() => expect(screen.refused).toEqual(["field: over_max $100"]));
});

test("a chip that is on its way is shown as pending with what was asked for", () => {
  betting.held = 2;
  betting.tap("field");
  screen.pending["field"] = 1;
  expect(betting.stacks["field"]).toMatchObject({ cents: 1000, pending: true });
  screen.pending["field"] = 0;
  expect(betting.stacks["field"]).toBeUndefined();
});

test("spots that stay lit are the same set, and a stack that did not change is the same object", () => {
  const wagers = { field: { stake_cents: 500, working: true } };
  const spots = { field: FIELD, come: { place: WHY, take: WHY, switch: WHY } };
  screen.view = offering(spots, wagers);
  const [lit, stack] = [betting.lit, betting.stacks["field"]];
  expect([...lit]).toEqual(["field"]);
  screen.view = offering({ ...spots }, { field: { ...wagers.field } });
  expect(betting.lit).toBe(lit);
  expect(betting.stacks["field"]).toBe(stack);
});

test("to cancel takes the chip's amount off, and all of it where less may not stay", () => {
  betting.mode = "cancel";
  betting.tap("field");
  betting.held = 3;
  betting.tap("field");
  expect(screen.asked.map((request) => "cents" in request && request.cents)).toEqual([500, null]);
});

// --- Gestures ---

const explain = vi.fn();
const finger = (x: number, y: number, more: Partial<PointerEvent> = {}): PointerEvent =>
  ({ clientX: x, clientY: y, pointerId: 1, button: 0, isPrimary: true, ...more }) as PointerEvent;
const over = (spot: string | null): void => {
  const found = spot ? { closest: () => ({ dataset: { spot } }) } : null;
  document.elementFromPoint = () => found as unknown as Element;
};

function hand(): Drag {
  explain.mockReset();
  return new Drag(() => betting, explain);
}

test("a chip that is carried off the rack is bet where it is dropped", () => {
  const drag = hand();
  drag.press(finger(0, 0), 500, null);
  drag.move(finger(100, 100));
  expect(drag.noTap).toBe(true);
  over("field");
  drag.drop(finger(100, 100));
  expect(screen.asked).toEqual([{ do: "place_bet", seat: 1, spot: "field", cents: 500 }]);
  expect(drag.pressed).toBe(null);
});

test("a finger that hardly moves taps: nothing is carried, and its click counts", () => {
  const drag = hand();
  drag.press(finger(0, 0), 500, "field");
  drag.move(finger(5, 5));
  expect(drag.noTap).toBe(false);
  drag.drop(finger(5, 5));
  expect(screen.asked).toEqual([]);
});

test("a finger that stays asks about the spot, and its click does not count", () => {
  const drag = hand();
  drag.press(finger(0, 0), 0, "field");
  vi.advanceTimersByTime(550);
  expect(explain).toHaveBeenCalledWith("field");
  expect(drag.noTap).toBe(true);
  drag.drop(finger(0, 0));
  vi.advanceTimersByTime(0);
  expect(drag.noTap).toBe(false);
});

test("a chip that may not leave its spot goes back to where it lay", () => {
  const drag = hand();
  drag.press(finger(10, 20), 1000, "come");
  drag.move(finger(200, 200));
  over(null);
  drag.drop(finger(200, 200));
  expect(screen.refused).toEqual(["come: bets_closed"]);
  vi.advanceTimersByTime(1);
  expect([drag.goesBack, drag.carries, drag.lifted, drag.at]).toEqual([true, true, "come", { x: 10, y: 20 }]);
  vi.advanceTimersByTime(220);
  expect([drag.goesBack, drag.pressed]).toEqual([false, null]);
});

test("another finger and the right button carry nothing and drop nothing", () => {
  const drag = hand();
  drag.press(finger(0, 0, { button: 2 }), 500, null);
  expect(drag.pressed).toBe(null);
  drag.press(finger(0, 0), 500, null);
  drag.press(finger(50, 50, { pointerId: 2 }), 900, null);
  drag.move(finger(90, 90, { pointerId: 2 }));
  drag.drop(finger(90, 90, { pointerId: 2 }));
  expect([drag.pressed?.cents, drag.noTap]).toEqual([500, false]);
});

test("when the page scrolls, what was held is let go", () => {
  const drag = hand();
  drag.press(finger(0, 0), 500, "field");
  drag.cancel(finger(0, 0));
  vi.advanceTimersByTime(1000);
  expect([drag.pressed, drag.noTap]).toEqual([null, false]);
  expect(explain).not.toHaveBeenCalled();
});
