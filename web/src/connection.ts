/** A screen's line to its table: joins, keeps the view by its frames, asks, and comes back when it was cut. */

import type { Again, Bad, Done, Frame, Lesson, Pong, Refused, Request, Said, Snapshot, Told, View } from "./wire.ts";

type Plain = Readonly<Record<string, unknown>>;
const REMOVED = "-";

/** What the line needs of a WebSocket. */
export interface Socket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** How the line stands. Three are final: `gone`, because the server does not accept this screen; `replaced`, because the
 * seat has newer lines, which coming back would replace; `fault`, because the server cannot read what this page says, or
 * this page fails again and again at what the server says. */
export type Standing = "joining" | "open" | "lost" | Ended;
export const ENDED = ["gone", "replaced", "fault"] as const;
type Ended = (typeof ENDED)[number];

/** The world around a line, so that tests can be it. */
export interface World {
  connect(): Socket;
  now(): number;
  later(run: () => void, ms: number): void;
  /** Different for every line that there ever was. */
  name: string;
}

export interface Listener {
  shows(view: View): void;
  stands(standing: Standing): void;
  /** The step of a lesson, at a practice table only. */
  teaches?(lesson: Lesson): void;
}

const RETRY_MS = [250, 500, 1000, 2000, 5000] as const;
/** Until the next ping: the first ones come soon, because the quickest of several tells the time better. */
const PING_MS = [300, 1000, 3000, 10_000] as const;
const AGAIN_MS = 500;
/** A page that fails twice within this time would fail again. */
const FAULT_AGAIN_MS = 60_000;
/** Unreadable (no text, no message), too long, terminal revoked: it would be the same next time. A practice that is over
 * does not begin again automatically. */
const FOR_EVER = [1007, 1008, 1009, 4001, 4007];
const REPLACED = 4004;

interface Waiting {
  readonly said: Said;
  readonly answer: (told: Done | Refused) => void;
  readonly reject: (ended: Error) => void;
}

export class Connection {
  /** What to add to this machine's clock to get the server's. */
  offsetMs = 0;
  /** By how much that may be too much: a line may take its whole time one way, and none the other. */
  aheadMs = 0;
  #world: World;
  #listener: Listener;
  #socket: Socket | null = null;
  #view: View | null = null;
  #after: number | null = null;
  #asked = 0;
  #waiting = new Map<string, Waiting>();
  #joined = false;
  #failures = 0;
  #roundTripMs = Infinity;
  /** The clock was compared with the server's. Until then the first view sets it, which is late by its way. */
  #hasClock = false;
  #ended = false;
  /** When this page last failed at what the server said. */
  #failedAtMs = -Infinity;

  constructor(world: World, listener: Listener) {
    this.#world = world;
    this.#listener = listener;
    this.#connect();
  }

  /** Ask the table for something; the answer comes however often the line is cut meanwhile. Rejected once the line has
   * ended for good. */
  ask(request: Request, approver = ""): Promise<Done | Refused> {
    this.#asked += 1;
    const id = `${this.#world.name}:${this.#asked}`;
    const said: Said = { type: "ask", id, request, approver };
    return new Promise((answer, reject) => {
      if (this.#ended) return reject(new Error("the line has ended"));
      this.#waiting.set(id, { said, answer, reject });
      if (this.#joined) this.#say(said);
    });
  }

  /** Hangs up, for good: nobody waits for an answer any longer. */
  close(): void {
    this.#ended = true;
    this.#joined = false;
    this.#socket?.close();
    this.#socket = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("the line has ended"));
    this.#waiting.clear();
  }

  #end(standing: Ended): void {
    this.close();
    this.#listener.stands(standing);
  }

  /** The server's time. */
  serverNow(): number {
    return this.#world.now() + this.offsetMs;
  }

  /** The time that the server has reached for certain, whichever way of the line is the slow one. */
  certainNow(): number {
    return this.serverNow() - this.aheadMs;
  }

  #connect(): void {
    if (this.#ended) return;
    this.#listener.stands(this.#after === null ? "joining" : "lost");
    const socket = this.#world.connect();
    socket.onopen = () => {
      if (this.#ended) return socket.close();
      this.#socket = socket;
      this.#roundTripMs = Infinity;
      this.#say({ type: "join", after: this.#after });
      this.#ping(socket);
    };
    socket.onmessage = ({ data }) => {
      const told = read(data);
      if (!told) return this.#comeBack(socket);
      try {
        this.#hear(told);
        if (!this.#joined && !this.#ended) this.#hasJoined();
      } catch (problem) {
        this.#fail(socket, problem);
      }
    };
    socket.onclose = ({ code }) => this.#lost(code);
  }

  /** Drops what was said so far and joins again, for a whole view. */
  #comeBack(socket: Socket): void {
    this.#after = null;
    socket.close();
  }

  /** A view may be half made: no frame builds on it, and no old money stays on the screen. */
  #fail(socket: Socket, problem: unknown): void {
    console.error(problem);
    const again = this.#world.now() - this.#failedAtMs < FAULT_AGAIN_MS;
    this.#failedAtMs = this.#world.now();
    if (again) this.#end("fault");
    else this.#comeBack(socket);
  }

  /** The server has answered: what is still unanswered is asked again, in its order. */
  #hasJoined(): void {
    this.#joined = true;
    this.#failures = 0;
    this.#listener.stands("open");
    for (const { said } of this.#waiting.values()) this.#say(said);
  }

  #lost(code: number): void {
    if (this.#ended) return;
    this.#socket = null;
    this.#joined = false;
    if (code === REPLACED) return this.#end("replaced");
    if (FOR_EVER.includes(code)) return this.#end("gone");
    this.#listener.stands("lost");
    const wait = stepOf(RETRY_MS, this.#failures);
    this.#failures += 1;
    this.#world.later(() => this.#connect(), wait);
  }

  #say(said: Said): void {
    this.#socket?.send(JSON.stringify(said));
  }

  #ping(socket: Socket, count = 0): void {
    if (this.#socket !== socket) return;
    this.#say({ type: "ping", sent_ms: this.#world.now() });
    this.#world.later(() => this.#ping(socket, count + 1), stepOf(PING_MS, count));
  }

  #hear(told: Snapshot | Frame | Done | Refused | Again | Pong | Bad | Lesson): void {
    switch (told.type) {
      case "snapshot":
        if (!this.#hasClock) this.offsetMs = told.server_ms - this.#world.now();
        return this.#show(told.view, told.seq);
      case "frame":
        return this.#show(merged(this.#view as unknown as Plain, told.changes) as unknown as View, told.seq);
      case "done":
      case "refused":
        this.#waiting.get(told.id)?.answer(told);
        this.#waiting.delete(told.id);
        return;
      case "again":
        return this.#world.later(() => this.#askAgain(told.id), AGAIN_MS);
      case "pong":
        return this.#setClock(told);
      case "lesson":
        return this.#listener.teaches?.(told);
      case "bad":
        console.error(`the server cannot read what this page says: ${told.message}`);
        return this.#end("fault");
    }
  }

  #askAgain(id: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#say(waiting.said);
  }

  #show(view: View, seq: number): void {
    this.#view = view;
    this.#after = seq;
    this.#listener.shows(view);
  }

  /** The quickest round trip of a connection tells the time best. */
  #setClock({ sent_ms, server_ms }: Pong): void {
    const roundTripMs = this.#world.now() - sent_ms;
    if (roundTripMs > this.#roundTripMs) return;
    this.#roundTripMs = roundTripMs;
    this.#hasClock = true;
    this.offsetMs = server_ms - Math.round(sent_ms + roundTripMs / 2);
    this.aheadMs = roundTripMs / 2;
  }
}

/** The wait after this many; the last one is repeated. */
function stepOf(steps: readonly number[], count: number): number {
  return steps[Math.min(count, steps.length - 1)] ?? 0;
}

/** A message of the server; nothing where it cannot be read. */
function read(data: string): Told | null {
  try {
    return JSON.parse(data) as Told;
  } catch {
    return null;
  }
}

/** A view after a frame's changes; what did not change stays the same object. */
export function merged(shown: Plain, changes: Plain): Plain {
  const gone = (changes[REMOVED] ?? []) as readonly string[];
  const kept: Record<string, unknown> = { ...shown };
  for (const key of gone) delete kept[key];
  for (const [key, value] of Object.entries(changes)) {
    if (key === REMOVED) continue;
    const old = kept[key];
    kept[key] = isPlain(old) && isPlain(value) ? merged(old, value) : value;
  }
  return kept;
}

function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
