import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection, merged, type Socket, type Standing } from "../src/connection.ts";
import type { Said, Told, View } from "../src/wire.ts";

/** A world in which the test is the server and the clock. */
class TestWorld {
  name = "t";
  ms = 1_000_000;
  sockets: TestSocket[] = [];
  shown: View[] = [];
  standings: Standing[] = [];
  #later: { run: () => void; at: number }[] = [];

  connect = (): Socket => {
    const socket = new TestSocket();
    this.sockets.push(socket);
    return socket;
  };
  now = () => this.ms;
  later = (run: () => void, ms: number): void => void this.#later.push({ run, at: this.ms + ms });

  line(): Connection {
    return new Connection(this, { shows: (view) => this.shown.push(view), stands: (how) => this.standings.push(how) });
  }

  get socket(): TestSocket {
    return this.sockets.at(-1)!;
  }

  pass(ms: number): void {
    this.ms += ms;
    const due = this.#later.filter(({ at }) => at <= this.ms);
    this.#later = this.#later.filter(({ at }) => at > this.ms);
    for (const { run } of due) run();
  }
}

class TestSocket implements Socket {
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  said: Said[] = [];
  send = (text: string): void => void this.said.push(JSON.parse(text) as Said);
  closed = false;
  close = (): void => void (this.closed = true);
  open = (): void => this.onopen?.(undefined as never);
  tell = (told: Told): void => this.onmessage?.({ data: JSON.stringify(told) });
  cut = (code: number): void => this.onclose?.({ code });
  of = (type: Said["type"]): Said[] => this.said.filter((said) => said.type === type);
}

const view = (cents: number) => ({ screen: "seat", credit_cents: cents, shared: { puck: 0 } }) as unknown as View;
const snapshot = (seq: number, cents: number): Told => ({ type: "snapshot", seq, server_ms: 0, view: view(cents) });

function joined(): [TestWorld, Connection] {
  const world = new TestWorld();
  const line = world.line();
  world.socket.open();
  world.socket.tell(snapshot(1, 500));
  return [world, line];
}

test("a screen joins first, with nothing seen", () => {
  const [world] = joined();
  assert.deepEqual(world.socket.said[0], { type: "join", after: null });
  assert.deepEqual(world.standings, ["joining", "open"]);
});

test("a frame changes what it names, removes what is gone, and leaves the rest the same object", () => {
  const before = { a: { x: 1, y: 2 }, b: { z: 3 }, list: [1, 2] };
  const after = merged(before, { a: { x: 5, "-": ["y"] }, list: [9] });
  assert.deepEqual(after, { a: { x: 5 }, b: { z: 3 }, list: [9] });
  assert.equal(after["b"], before.b);
});

test("what was lost with the connection is asked again under its id, after the last frame seen", async () => {
  const [world, line] = joined();
  const answer = line.ask({ do: "undo", seat: 1 });
  world.socket.tell({ type: "frame", seq: 7, server_ms: 0, changes: { credit_cents: 400 } });
  world.socket.cut(1012);
  world.pass(250);
  world.socket.open();
  assert.deepEqual(world.socket.said[0], { type: "join", after: 7 });
  assert.equal(world.socket.of("ask").length, 0, "nothing is asked before the server has answered");
  world.socket.tell(snapshot(9, 300));
  assert.deepEqual(
    world.socket.of("ask").map((said) => said.type === "ask" && said.id),
    ["t:1"],
  );
  world.socket.tell({ type: "done", id: "t:1", seq: 8 });
  assert.equal((await answer).type, "done");
});

test("after again, the same is asked under the same id until it is answered", async () => {
  const [world, line] = joined();
  const answer = line.ask({ do: "undo", seat: 1 });
  world.socket.tell({ type: "again", id: "t:1" });
  world.pass(500);
  assert.equal(world.socket.of("ask").length, 2);
  assert.deepEqual(world.socket.of("ask")[0], world.socket.of("ask")[1]);
  world.socket.tell({ type: "refused", id: "t:1", why: "nothing_to_undo", detail: "", says: "" });
  assert.equal((await answer).type, "refused");
});

test("a screen whose terminal was revoked does not come again", () => {
  const [world] = joined();
  world.socket.cut(4001);
  world.pass(60_000);
  assert.equal(world.sockets.length, 1);
  assert.equal(world.standings.at(-1), "gone");
});

test("a screen whose seat has newer lines does not come again, for it would replace them", () => {
  const [world] = joined();
  world.socket.cut(4004);
  world.pass(60_000);
  assert.equal(world.sockets.length, 1);
  assert.equal(world.standings.at(-1), "replaced");
});

test("what waits for an answer is rejected once the line has ended, and so is what is asked then", async () => {
  for (const end of [
    (world: TestWorld) => world.socket.cut(4001),
    (world: TestWorld) => world.socket.cut(4004),
    (world: TestWorld) => world.socket.tell({ type: "bad", message: "the message cannot be read" }),
    (_: TestWorld, line: Connection) => line.close(),
  ]) {
    const [world, line] = joined();
    const answer = line.ask({ do: "undo", seat: 1 });
    end(world, line);
    await assert.rejects(answer, /the line has ended/);
    await assert.rejects(line.ask({ do: "undo", seat: 1 }), /the line has ended/);
  }
});

test("a page that the server cannot read says so and hangs up for good", () => {
  const [world] = joined();
  world.socket.tell({ type: "bad", message: "the message cannot be read" });
  world.socket.cut(1008);
  world.pass(60_000);
  assert.equal(world.sockets.length, 1);
  assert.equal(world.standings.at(-1), "fault");
});

test("a message that cannot be read cuts the line, which comes back for the whole view", () => {
  const [world] = joined();
  world.socket.onmessage?.({ data: "{" });
  assert.equal(world.socket.closed, true);
  world.socket.cut(1005);
  world.pass(250);
  world.socket.open();
  assert.deepEqual(world.socket.said[0], { type: "join", after: null });
});

test("the server's time is told by the middle of the quickest round trip", () => {
  const [world, line] = joined();
  const sent_ms = world.ms;
  world.pass(100);
  world.socket.tell({ type: "pong", sent_ms, server_ms: sent_ms + 5_050 });
  assert.equal(line.serverNow(), world.ms + 5_000);
  world.pass(9_900);
  const slow = world.ms;
  world.pass(400);
  world.socket.tell({ type: "pong", sent_ms: slow, server_ms: slow + 5_400 });
  assert.equal(line.serverNow(), world.ms + 5_000);
});

test("the time that the server has reached for certain is never ahead of its clock, whichever way is slow", () => {
  for (const [there, back] of [
    [100, 0],
    [0, 100],
    [60, 40],
  ] as const) {
    const [world, line] = joined();
    const sent_ms = world.ms;
    world.pass(there);
    const server_ms = world.ms + 5_000;
    world.pass(back);
    world.socket.tell({ type: "pong", sent_ms, server_ms });
    const late = world.ms + 5_000 - line.certainNow();
    assert.ok(late >= 0 && late <= there + back, `${there} ms there, ${back} ms back: ${late} ms late`);
  }
});

/** Frames that fail where they are heard: in the merge, and at who is shown the view. */
function failing(): [TestWorld, (told: Told) => void] {
  const world = new TestWorld();
  const listener = {
    shows: (shown: View) => {
      if ((shown as { credit_cents?: number }).credit_cents === 13) throw new Error("planted");
      world.shown.push(shown);
    },
    stands: (how: Standing) => world.standings.push(how),
  };
  void new Connection(world, listener);
  const back = (): void => {
    world.pass(5000);
    world.socket.open();
    world.socket.tell(snapshot(2, 700));
  };
  world.socket.open();
  world.socket.tell(snapshot(1, 500));
  return [
    world,
    (told) => {
      world.socket.tell(told);
      assert.equal(world.socket.closed, true);
      world.socket.cut(1005);
      back();
    },
  ];
}

const FAULTS: readonly (readonly [string, Told])[] = [
  ["a frame that cannot be merged", { type: "frame", seq: 2, server_ms: 0, changes: null } as unknown as Told],
  ["a view that fails where it is shown", { type: "frame", seq: 2, server_ms: 0, changes: { credit_cents: 13 } }],
];

for (const [what, told] of FAULTS) {
  test(`${what} is forgotten, and a whole view is asked for`, () => {
    const [world, tell] = failing();
    tell(told);
    assert.deepEqual(world.socket.said[0], { type: "join", after: null });
    assert.deepEqual(world.shown.at(-1), view(700));
    assert.equal(world.standings.at(-1), "open");
  });

  test(`${what}, twice within a minute, ends the line; later it is another fault`, () => {
    const [world, tell] = failing();
    tell(told);
    world.pass(60_000);
    tell(told);
    assert.equal(world.standings.at(-1), "open");
    world.socket.tell(told);
    assert.equal(world.standings.at(-1), "fault");
    world.pass(60_000);
    assert.equal(world.sockets.length, 3);
  });
}
