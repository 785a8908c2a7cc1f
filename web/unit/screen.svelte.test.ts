import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";
import { Screen } from "../src/screen.svelte.ts";
import type { Request, SeatView } from "../src/wire.ts";
import { FakeSocket, FRAME_MS, seatView, turn } from "./world.ts";

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
