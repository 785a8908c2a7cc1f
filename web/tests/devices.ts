/** The devices of a floor's seats as the server knows them: enrolled by staff through the real addresses, and speaking the
 * messages of `devices/signals.py`. A bill is put in, a slip comes out, a door moves, the key is turned. */

import assert from "node:assert/strict";

type Kind = "acceptor" | "printer" | "doors";
interface Signal {
  readonly signal: string;
  readonly [field: string]: unknown;
}
interface Report {
  readonly type: "report";
  readonly boot: string;
  readonly seq: number;
  readonly at_ms: number;
  readonly signal: Signal;
}
export interface PrintJob {
  readonly job: string;
  readonly slip: { readonly number: string; readonly lines: readonly { readonly text: string }[] };
}
interface Wishes {
  readonly bills?: readonly number[];
  readonly note?: number;
  readonly stack?: boolean;
  readonly print?: PrintJob | null;
}
type Told =
  | { readonly type: "heard"; readonly seq: number }
  | { readonly type: "wanted"; readonly wishes: Wishes }
  | { readonly type: "tell"; readonly what: "program" | "totals" }
  | { readonly type: "alive" | "not_understood"; readonly message?: string };

const PATIENCE_MS = 10_000;
/** The server hangs up on a device that says nothing for some seconds. */
const BEAT_MS = 500;
const BILL_CENTS = 10_000;

/** One device and its line. What was not heard is kept, and repeated over the next line. */
export class Device {
  readonly terminal: string;
  wishes: Wishes | null = null;
  /** What it reports as its program when it is asked; nothing: it does not answer. */
  program: { readonly version: string; readonly sha256: string } | null = null;
  totals: Signal = { signal: "totals_reported" };
  #address: string;
  #token: string;
  #socket: WebSocket | null = null;
  #seq = 0;
  #kept: Report[] = [];
  #watching = new Set<() => void>();

  constructor(url: string, token: string, terminal: string) {
    this.#address = `${url.replace("http", "ws")}/ws/device`;
    this.#token = token;
    this.terminal = terminal;
  }

  /** Opens a line; done when the table has said what it wants. */
  async connect(): Promise<void> {
    this.wishes = null;
    const headers = { authorization: `Bearer ${this.#token}` };
    const socket = new WebSocket(this.#address, { headers } as unknown as string[]);
    this.#socket = socket;
    const beat = setInterval(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"still_there"}');
    }, BEAT_MS);
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data as string) as Told);
    socket.addEventListener("close", () => clearInterval(beat));
    socket.onclose = () => this.#moved();
    await this.until(() => this.wishes !== null);
    for (const report of this.#kept) this.#say(report);
  }

  /** Goes away; its reports wait. */
  async hangUp(): Promise<void> {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    await new Promise<void>((closed) => {
      socket.onclose = () => closed();
      socket.close();
    });
  }

  /** Reports, and waits until all is durable. */
  async report(...signals: readonly Signal[]): Promise<void> {
    for (const signal of signals) this.tell(signal);
    await this.until(() => this.#kept.length === 0);
  }

  /** Reports without waiting. */
  tell(signal: Signal): void {
    this.#seq += 1;
    const report: Report = { type: "report", boot: "0123456789abcdef", seq: this.#seq, at_ms: Date.now(), signal };
    this.#kept.push(report);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#say(report);
  }

  /** Says how it is, for the office. */
  state(state: Readonly<Record<string, string | number | boolean>>): void {
    this.#say({ type: "state_changed", state });
  }

  /** A report is lost for good: the next one has a gap before it. */
  loseReport(): void {
    this.#seq += 1;
  }

  /** Waits until it is so, after whatever the server says next. */
  async until(so: () => boolean): Promise<void> {
    const by = Date.now() + PATIENCE_MS;
    while (!so()) {
      const left = by - Date.now();
      assert.ok(left > 0, `${this.terminal}: ${String(so)} after ${PATIENCE_MS} ms`);
      await new Promise<void>((changed) => {
        const late = setTimeout(changed, left);
        this.#watching.add(() => {
          clearTimeout(late);
          changed();
        });
      });
    }
  }

  /** What it does with a wish, by itself. */
  protected wanted(): void {
    // Doors are asked for nothing.
  }

  #hear(told: Told): void {
    if (told.type === "not_understood") throw new Error(`${this.terminal}: ${told.message}`);
    if (told.type === "heard") this.#kept = this.#kept.filter(({ seq }) => seq > told.seq);
    if (told.type === "wanted") {
      this.wishes = told.wishes;
      this.wanted();
    }
    if (told.type === "tell" && told.what === "totals") this.tell(this.totals);
    if (told.type === "tell" && told.what === "program" && this.program)
      this.tell({ signal: "program_reported", ...this.program });
    this.#moved();
  }

  #moved(): void {
    const watching = [...this.#watching];
    this.#watching.clear();
    for (const moved of watching) moved();
  }

  #say(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }
}

export class Acceptor extends Device {
  #notes = 0;

  /** A bill is put in: stacked, or given back as the table wants it. */
  bill(cents: number): Promise<boolean> {
    return this.#put({ signal: "bill_in_escrow", cents }, { signal: "bill_stacked", cents });
  }

  ticket(number: string): Promise<boolean> {
    return this.#put({ signal: "ticket_in_escrow", number }, { signal: "ticket_stacked", number });
  }

  /** Paper stays in escrow, decided but not moved; `move` then stacks it or gives it back. */
  async holds(escrow: Signal): Promise<{ readonly stack: boolean; readonly move: () => Promise<void> }> {
    const { cents, number } = escrow;
    const stacked = cents ? { signal: "bill_stacked", cents } : { signal: "ticket_stacked", number };
    const note = await this.#escrow(escrow);
    const stack = Boolean(this.wishes?.stack);
    return { stack, move: () => this.#move(note, stack, stacked) };
  }

  /** Many bills of $100, quickly: only their ends are reported. */
  async stacks(cents: number): Promise<void> {
    const bills = Array.from({ length: cents / BILL_CENTS }, () => BILL_CENTS);
    assert.equal(bills.length * BILL_CENTS, cents, "only in bills of $100");
    await this.report(...bills.map((each) => ({ signal: "bill_stacked", note: ++this.#notes, cents: each })));
  }

  async #put(escrow: Signal, stacked: Signal): Promise<boolean> {
    const note = await this.#escrow(escrow);
    const stack = Boolean(this.wishes?.stack);
    await this.#move(note, stack, stacked);
    return stack;
  }

  async #escrow(escrow: Signal): Promise<number> {
    const note = ++this.#notes;
    await this.report({ ...escrow, note });
    await this.until(() => this.wishes?.note === note);
    return note;
  }

  #move(note: number, stack: boolean, stacked: Signal): Promise<void> {
    return this.report(stack ? { ...stacked, note } : { signal: "note_returned", note });
  }
}

export class Printer extends Device {
  /** All that came out, oldest first. */
  readonly slips: PrintJob[] = [];
  /** Jobs wait for `prints` or `fails`. */
  waits = false;
  #done = new Set<string>();

  protected override wanted(): void {
    if (!this.waits && this.#job) this.#ends("slip_printed");
  }

  /** The next slip that comes out, or that came after the first `after`. */
  async slip(after = this.slips.length): Promise<PrintJob> {
    await this.until(() => this.slips.length > after);
    return this.slips[after]!;
  }

  async begins(): Promise<void> {
    await this.until(() => this.#job !== null);
    await this.report({ signal: "slip_begun", job: this.#job!.job });
  }

  async prints(): Promise<void> {
    await this.until(() => this.#job !== null);
    this.#ends("slip_printed");
    await this.report();
  }

  async fails(why = "paper_out", how: "slip_failed" | "slip_unknown" = "slip_failed"): Promise<void> {
    await this.until(() => this.#job !== null);
    this.#ends(how, { why });
    await this.report();
  }

  get #job(): PrintJob | null {
    const job = this.wishes?.print;
    return job && !this.#done.has(job.job) ? job : null;
  }

  #ends(signal: string, more: object = {}): void {
    const job = this.#job!;
    this.#done.add(job.job);
    if (signal === "slip_printed") {
      this.tell({ signal: "slip_begun", job: job.job });
      this.slips.push(job);
      this.#done.delete("test"); // every test page has that name
    }
    this.tell({ signal, job: job.job, ...more });
  }
}

export class Doors extends Device {
  async door(door: string, open: boolean): Promise<void> {
    await this.report({ signal: "door_moved", door, open, moved_ms: Date.now() });
  }

  async key(on: boolean): Promise<void> {
    await this.report({ signal: "key_moved", on, moved_ms: Date.now() });
  }
}

/** What one seat has. */
export interface SeatDevices {
  readonly acceptor: Acceptor;
  readonly printer: Printer;
  readonly doors: Doors;
}

/** A member of staff who is signed in at a terminal, and asks the desk without a page. */
export class Clerk {
  #url: string;
  #headers: Record<string, string>;

  private constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  static async signIn(url: string, token: string, badge: string, password: string): Promise<Clerk> {
    const headers = { authorization: `Bearer ${token}` };
    const body = JSON.stringify({ badge, password });
    const answer = await fetch(`${url}/api/sign-in`, { method: "POST", headers, body });
    assert.equal(answer.status, 200, await answer.text());
    const cookie = answer.headers.getSetCookie().map((each) => each.split(";")[0]!);
    return new Clerk(url, { ...headers, cookie: cookie.join("; ") });
  }

  post<T>(path: string, body: object = {}): Promise<T> {
    return posted<T>(this.#url, path, body, this.#headers);
  }

  /** The code of a place for a screen or a device. */
  async offer(screen: string, table = 0, seat = 0): Promise<string> {
    return (await this.post<{ code: string }>("/api/terminals", { screen, table, seat })).code;
  }

  /** A device at a place, enrolled and connected; the place's last one is revoked. */
  async device<D extends Device>(
    Made: new (url: string, token: string, terminal: string) => D,
    kind: Kind,
    seat: number,
  ): Promise<D> {
    const { token, terminal } = await enrol(this.#url, await this.offer(kind, 1, seat));
    const device = new Made(this.#url, token, terminal);
    await device.connect();
    return device;
  }

  async seatDevices(seat: number): Promise<SeatDevices> {
    const [acceptor, printer, doors] = await Promise.all([
      this.device(Acceptor, "acceptor", seat),
      this.device(Printer, "printer", seat),
      this.device(Doors, "doors", seat),
    ]);
    return { acceptor, printer, doors };
  }
}

/** Trades a code for a token. */
export function enrol(url: string, code: string): Promise<{ token: string; terminal: string }> {
  return posted(url, "/api/enrol", { code });
}

export async function posted<T>(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text}`);
  return JSON.parse(text) as T;
}
