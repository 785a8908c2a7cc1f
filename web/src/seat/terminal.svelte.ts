/** All that the parts of a player terminal share: its line, the hand that bets, and what is open above the felt. */

import { SvelteSet } from "svelte/reactivity";
import { Reveal } from "../felt/reveal.svelte.ts";
import { PlacardStore } from "../placard.svelte.ts";
import type { Screen } from "../screen.svelte.ts";
import type { BetCard, Lesson, OddsOffer, PaperIn, PaperOut, SeatView, StayView, TicketKind } from "../wire.ts";
import { Betting, type Mode } from "./betting.svelte.ts";
import { Drag } from "./drag.svelte.ts";
import { options } from "./options.svelte.ts";
import { OF_REAL_MONEY, PRIVATE } from "./tools.ts";
import { words, type Language } from "../words/words.svelte.ts";

/** What may be open above the felt; each is loaded when it is first opened. */
export type Panel =
  | "menu"
  | "buttons"
  | "help"
  | "rules"
  | "options"
  | "session"
  | "statistics"
  | "favourites"
  | "volume"
  | "money"
  | "ticket"
  | "name"
  | "pin"
  | "repeat"
  | "reduce"
  | "lessons"
  | "switch";

/** A ticket that the player asked for, without its number, which is on the paper only. */
export interface PaperTicket extends Omit<PaperOut, "kind" | "begun"> {
  readonly kind: TicketKind;
  /** Where its money is: on its way, on paper, credit again, or to be paid by hand. */
  readonly stands: "printing" | "printed" | "credit_again" | "by_hand";
  /** The language in which it was asked for: it is read in it, though its stay may have ended. */
  readonly spoken: Language;
  /** The seat when the printer was asked. */
  readonly then: SeatView;
}

export class Terminal {
  readonly screen: Screen<SeatView>;
  readonly betting: Betting;
  readonly drag: Drag;
  readonly explained: PlacardStore;
  /** Opens a lesson, or goes back to the real table. */
  readonly learn: (lesson: Lesson["lesson"] | null) => void;
  readonly reveal = new Reveal();
  panel = $state<Panel | null>(null);
  /** The questions that were asked, and are not asked again unless the player opens them. */
  readonly asked = new SvelteSet<string>();
  /** The spot that the open panel is about. */
  spot = $state("");
  /** The special game whose ladder is open next to its row. */
  ladder = $state("");
  /** Paper has moved here since the page was opened. */
  paperMoved = $state(false);
  /** The last paper that had to go back, until it was read. */
  refused = $state.raw<PaperIn | null>(null);
  /** The ticket that is being printed, or whose end is shown until its panel is closed. */
  ticket = $state.raw<PaperTicket | null>(null);

  constructor(screen: Screen<SeatView>, learn: (lesson: Lesson["lesson"] | null) => void) {
    this.screen = screen;
    this.learn = learn;
    this.explained = this.practises ? new PlacardStore("/api/placard/practice") : new PlacardStore();
    screen.seeAll((view) => this.#see(view));
    this.betting = new Betting(screen);
    this.drag = new Drag(
      () => this.betting,
      (spot) => this.explain(spot),
    );
  }

  get view(): SeatView {
    return this.betting.view;
  }

  /** It is at a practice table: what is chosen there is nobody's stay, and no money of it is real. */
  get practises(): boolean {
    return this.screen.lesson !== null;
  }

  /** Where a lesson points while bets are open: a spot, or `throw`; nowhere at a real table. */
  get hint(): string {
    return this.view.shared.phase === "betting" ? (this.screen.lesson?.at ?? "") : "";
  }

  /** The odds that the player is asked about now; in a lesson only those that it is about. */
  get oddsAsked(): OddsOffer | undefined {
    const open = this.view.offers.odds.filter((offer) => !this.asked.has(ofPoint(offer)));
    return open.find(({ spot }) => !this.practises || spot === this.hint);
  }

  leave(): void {
    this.learn(null);
  }

  /** The card of the bet whose wagers lie on a spot. */
  card(spot: string): BetCard | undefined {
    const { placard } = this.explained;
    return placard?.bets[placard.spots[spot] ?? ""];
  }

  tap(spot: string): void {
    if (this.drag.noTap) return;
    if (this.betting.mode === "ask") this.explain(spot);
    else if (this.betting.mode === "off" && this.betting.switches(spot).length > 1) this.about(spot, "switch");
    else this.betting.tap(spot);
  }

  reduce(spot: string): void {
    this.betting.reduce(spot);
  }

  takeDown(spot: string): void {
    this.betting.takeDown(spot);
  }

  lift(event: PointerEvent, spot: string): void {
    this.drag.press(event, this.betting.stacks[spot]?.cents, spot);
  }

  explain(spot: string): void {
    this.about(spot, "help");
  }

  /** Opens the ladder of a special game, or closes it. */
  showLadder(game: string): void {
    this.ladder = this.ladder === game ? "" : game;
  }

  /** Opens a panel about a spot. */
  about(spot: string, panel: Panel): void {
    this.spot = spot;
    this.open(panel);
  }

  /** The question whether a winner of this round moves. */
  winOf(spot: string): string {
    return `${spot} won before ${this.view.shared.round}`;
  }

  /** Into a mode, or out of it again. */
  change(mode: Mode): void {
    this.betting.mode = this.betting.mode === mode ? "bet" : mode;
  }

  /** Opens a panel; on a reserved seat none that is its player's own. */
  open(panel: Panel): void {
    if (this.practises && this.shuts(panel)) this.screen.refuse("cash_out", { why: "not_in_practice", detail: "" });
    else if (this.shuts(panel)) this.screen.refuse("come_back", { why: "reserved", detail: "" });
    else this.#show(panel);
  }

  shuts(panel: Panel): boolean {
    if (this.practises) return OF_REAL_MONEY.includes(panel);
    return this.view.reserved_until_ms > 0 && PRIVATE.includes(panel);
  }

  close(): void {
    this.#show(null);
  }

  /** Asks for the credit as a ticket. What becomes of it shows in the view. */
  cashOut(): void {
    void this.screen.ask({ do: "cash_out", seat: this.view.seat }, "cash_out");
  }

  tip(cents: number): void {
    void this.screen.ask({ do: "give_tip", seat: this.view.seat, cents }, "tip");
  }

  /** Sees every view, because devices may be quicker than the screen is painted. */
  #see(view: SeatView): void {
    this.paperMoved ||= Boolean(view.paper_in ?? view.printing);
    if (view.paper_in?.why) this.refused = view.paper_in;
    if (view.reserved_until_ms && PRIVATE.includes(this.panel ?? "")) this.panel = null;
    this.#followPrinter(view);
  }

  /** Goes with the printer: the ticket's panel opens when it begins and when it has ended. Nobody sees it whose stay
   * began meanwhile. */
  #followPrinter(view: SeatView): void {
    const { printing } = view;
    if (printing?.kind === "cash_out" || printing?.kind === "tip") {
      if (this.ticket?.stands === "printing") return;
      const { kind, cents, last_four, expires_at_ms } = printing;
      this.ticket = { kind, cents, last_four, expires_at_ms, stands: "printing", spoken: words.language, then: view };
      this.panel = "ticket";
    } else if (this.ticket?.stands === "printing") {
      const { spoken, then } = this.ticket;
      const same = view.stay.number === then.stay.number;
      this.ticket = same ? { ...this.ticket, stands: outcome(then, view) } : null;
      if (same) void words.choose(spoken, false);
      if (same || this.panel === "ticket") this.panel = same ? "ticket" : null;
    }
  }

  /** A stay has begun or ended: what is open is not for who comes, but that the ticket is read when its stay has ended
   * and that money is put in to begin one. */
  follow(stay: StayView): void {
    if (!this.practises && options.follow(stay)) this.betting.rest();
    this.ladder = "";
    const stays = this.panel === "money" || (this.panel === "ticket" && stay.ended);
    if (this.panel && !stays) this.close();
    else if (this.ticket && stay.ended) void words.choose(this.ticket.spoken, false);
  }

  /** A panel is shown, or none; a ticket whose end was shown is forgotten. */
  #show(panel: Panel | null): void {
    if (this.ticket && this.ticket.stands !== "printing") {
      this.ticket = null;
      void words.choose(options.language, false);
    }
    this.panel = panel;
  }
}

/** A question about odds is asked once for each point. */
export function ofPoint({ spot, set_in }: OddsOffer): string {
  return `${spot} ${set_in}`;
}

/** What became of a ticket: its money came back, is due by hand, or left the seat on paper. */
function outcome(then: SeatView, now: SeatView): PaperTicket["stands"] {
  const left = ({ stay }: SeatView) => stay.out_cents + stay.tips_cents;
  if (now.hand_pay_cents > then.hand_pay_cents) return "by_hand";
  return left(now) < left(then) ? "credit_again" : "printed";
}
