import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import { Screen } from "../src/screen.svelte.ts";
import type { Request, SeatView } from "../src/wire.ts";
import { FakeSocket, FRAME_MS, seatView, turn } from "./world.ts";

/** What a roll did is shown so long after the roll. */
const AFTERWARDS_MS = 150;

const UNDO: Request = { do: "undo", seat: 1 };

async function opened(): Promise<Screen<SeatView>> {
  const screen = new Screen<SeatView>();
  void screen.open();
  await turn();
  FakeSocket.last.onopen?.({});
  FakeSocket.last.tell({ type: "snapshot", seq: 1, server_ms: 0, view: seatView() });
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  return screen;
}

test("what is asked for is pending at its place until the view that it made is drawn", async () => {
  const screen = await opened();
  const done = screen.ask(UNDO, "undo");
  expect(screen.pending["undo"]).toBe(1);
  FakeSocket.last.tell({ type: "frame", seq: 2, server_ms: 0, changes: { seat: 2 } });
  FakeSocket.last.answer({ type: "done" });
  await turn();
  expect(screen.pending["undo"]).toBe(1);
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  expect(await done).toBe(true);
  expect(screen.pending["undo"]).toBe(0);
  expect(screen.view?.seat).toBe(2);
});

test("a refusal is shown where it was asked for, and goes by itself after a while", async () => {
  const screen = await opened();
  const done = screen.ask(UNDO, "undo");
  FakeSocket.last.answer({ type: "refused", why: "under_min", detail: "$5" });
  expect(await done).toBe(false);
  expect(screen.refusal).toMatchObject({ at: "undo", why: "under_min" });
  expect(screen.refusal?.says).toContain("$5");
  await vi.advanceTimersByTimeAsync(3500);
  expect(screen.refusal).toBe(null);
});

test("a newer refusal stays its whole time, and what succeeds takes it away", async () => {
  const screen = await opened();
  screen.refuse("field", { why: "under_min", detail: "" });
  await vi.advanceTimersByTimeAsync(3000);
  screen.refuse("come", { why: "under_min", detail: "" });
  await vi.advanceTimersByTimeAsync(3000);
  expect(screen.refusal?.at).toBe("come");
  const done = screen.ask(UNDO);
  FakeSocket.last.answer({ type: "done" });
  await done;
  expect(screen.refusal).toBe(null);
});

test("what was asked for before a refusal takes it not away when it is done", async () => {
  const screen = await opened();
  const done = screen.ask(UNDO, "undo");
  screen.refuse("field", { why: "over_max", detail: "" });
  FakeSocket.last.answer({ type: "done" });
  await done;
  expect(screen.refusal?.at).toBe("field");
});

test("views that come between two paints are drawn once, as the last of them", async () => {
  const screen = await opened();
  const drawn: number[] = [];
  const stop = $effect.root(() => {
    $effect.pre(() => void drawn.push(screen.view!.seat));
  });
  flushSync();
  for (const [seq, seat] of [
    [2, 7],
    [3, 8],
    [4, 9],
  ] as const) {
    FakeSocket.last.tell({ type: "frame", seq, server_ms: 0, changes: { seat } });
  }
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  flushSync();
  expect(drawn).toEqual([1, 9]);
  stop();
});

test("when the line ends nothing stays pending, and nothing is asked any more", async () => {
  const screen = await opened();
  const done = screen.ask(UNDO, "undo");
  FakeSocket.last.onclose?.({ code: 4001 });
  expect(await done).toBe(false);
  expect(screen.pending["undo"]).toBe(0);
  expect(screen.standing).toBe("gone");
  expect(await screen.ask(UNDO, "undo")).toBe(false);
  expect(FakeSocket.last.asks).toHaveLength(1);
});

test("a button asks for what is offered, does what is not asked for, and else says why not", async () => {
  const screen = await opened();
  const acts = vi.fn();
  screen.button("tip", [500, 1000, 100], acts).onclick();
  expect(acts).toHaveBeenCalledOnce();
  screen.button("undo", true, UNDO).onclick();
  expect(FakeSocket.last.asks.at(-1)?.request).toEqual(UNDO);
  const shut = screen.button("undo", { why: "under_min", detail: "" }, UNDO);
  expect(shut["aria-disabled"]).toBe(true);
  shut.onclick();
  expect(screen.refusal?.at).toBe("undo");
  expect(FakeSocket.last.asks).toHaveLength(1);
});

test("a result waits until its dice land, by the server's clock, and what comes meanwhile waits with it", async () => {
  const screen = await opened(); // the server's clock is at 0
  const flight = { dice: [3, 4], lands_at_ms: 300, ms: 1800 };
  const tell = (seq: number, changes: object) =>
    FakeSocket.last.tell({ type: "frame", seq, server_ms: 0, changes: changes as never });
  tell(2, { seat: 2, shared: { phase: "thrown", flight } });
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  expect(screen.view?.seat).toBe(2);
  tell(3, { seat: 3, shared: { phase: "rolled", history: [{ dice: [3, 4], total: 7 }] } });
  await vi.advanceTimersByTimeAsync(100);
  tell(4, { seat: 4 });
  await vi.advanceTimersByTimeAsync(300 - 100 - 2 * FRAME_MS);
  expect([screen.view?.seat, screen.view?.shared.history?.length ?? 0]).toEqual([2, 0]);
  await vi.advanceTimersByTimeAsync(100);
  expect([screen.view?.seat, screen.view?.shared.history.length]).toEqual([2, 1]); // the roll, then what it did
  await vi.advanceTimersByTimeAsync(AFTERWARDS_MS + FRAME_MS);
  expect(screen.view?.seat).toBe(4);
});

test("a line that is slow one way only shows no result before its dice land", async () => {
  const screen = await opened(); // the server's clock is this machine's from here on
  const sent_ms = FakeSocket.last.said.find((said) => said.type === "ping")!.sent_ms!;
  await vi.advanceTimersByTimeAsync(200 - FRAME_MS);
  FakeSocket.last.tell({ type: "pong", sent_ms, server_ms: sent_ms + 200 }); // 200 ms there, and nothing back
  const flight = { dice: [3, 4], lands_at_ms: sent_ms + 200 + 500, ms: 1800 };
  const shared = { phase: "rolled", flight } as never;
  FakeSocket.last.tell({ type: "frame", seq: 2, server_ms: 0, changes: { seat: 2, shared } });
  await vi.advanceTimersByTimeAsync(500 - 1);
  expect(screen.view?.seat).toBe(1);
  await vi.advanceTimersByTimeAsync(1 + AFTERWARDS_MS + FRAME_MS);
  expect(screen.view?.seat).toBe(2);
});

test("a result whose flight was cut short, and one of long ago, are shown at once", async () => {
  const screen = await opened();
  const shared = (flight: unknown) => ({ phase: "rolled", flight }) as never;
  FakeSocket.last.tell({ type: "frame", seq: 2, server_ms: 0, changes: { seat: 2, shared: shared(null) } });
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  expect(screen.view?.seat).toBe(2);
  const old = shared({ dice: [3, 4], lands_at_ms: -5000, ms: 1800 });
  FakeSocket.last.tell({ type: "frame", seq: 3, server_ms: 0, changes: { seat: 3, shared: old } });
  await vi.advanceTimersByTimeAsync(FRAME_MS);
  expect(screen.view?.seat).toBe(3);
});

test("no clock can hold a result for longer than a flight", async () => {
  const screen = await opened();
  const shared = { phase: "rolled", flight: { dice: [3, 4], lands_at_ms: 9_000_000, ms: 1800 } } as never;
  FakeSocket.last.tell({ type: "frame", seq: 2, server_ms: 0, changes: { seat: 2, shared } });
  await vi.advanceTimersByTimeAsync(1800 + AFTERWARDS_MS + 2 * FRAME_MS);
  expect(screen.view?.seat).toBe(2);
});
