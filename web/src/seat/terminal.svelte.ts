/** All that the parts of a player terminal share: its line, the hand that bets, and what is open above the felt. */

import { SvelteSet } from "svelte/reactivity";
import { PlacardStore } from "../placard.svelte.ts";
import type { Screen } from "../screen.svelte.ts";
import type { BetCard, SeatView, ShownTicket, StayView, TicketOut } from "../wire.ts";
import { Betting, type Mode } from "./betting.svelte.ts";
import { Drag } from "./drag.svelte.ts";
import { options } from "./options.svelte.ts";
import { words } from "../words/words.svelte.ts";

/** What may be open above the felt; each is loaded when it is first opened. */
export type Panel =
  | "menu"
  | "buttons"
  | "help"
  | "rules"
  | "options"
  | "session"
  | "money"
  | "ticket"
  | "name"
  | "pin"
  | "repeat"
  | "reduce"
  | "switch";

/** A ticket as its panel shows it: with its number only from the answer that printed it, and never a tip's. */
export interface PaperTicket extends Pick<TicketOut, "cents" | "at_ms"> {
  readonly kind: ShownTicket["kind"];
  readonly number?: string;
  readonly expires_at_ms?: number;
}

export class Terminal {
  readonly screen: Screen<SeatView>;
  readonly betting: Betting;
  readonly drag: Drag;
  readonly explained = new PlacardStore();
  panel = $state<Panel | null>(null);
  /** The questions that were asked, and are not asked again unless the player opens them. */
  readonly asked = new SvelteSet<string>();
  /** The spot that the open panel is about. */
  spot = $state("");
  /** The ticket that is shown, for as long as its panel is open: its number is as good as the money. */
  ticket = $state.raw<PaperTicket | null>(null);

  constructor(screen: Screen<SeatView>) {
    this.screen = screen;
    this.betting = new Betting(screen);
    this.drag = new Drag(
      () => this.betting,
      (spot) => this.explain(spot),
    );
  }

  get view(): SeatView {
    return this.betting.view;
  }

  /** The card of the bet whose wagers lie on a spot. */
  card(spot: string): BetCard | undefined {
    const { placard } = this.explained;
    return placard?.bets[placard.spots[spot] ?? ""];
  }

  tap(spot: string): void {
    if (this.drag.moved) return;
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
    this.drag.lift(event, this.betting.stacks[spot]?.cents, spot);
  }

  explain(spot: string): void {
    this.about(spot, "help");
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

  open(panel: Panel): void {
    this.#show(panel);
  }

  close(): void {
    this.#show(null);
  }

  /** Prints the credit as a ticket. Nobody sees it whose stay began while the answer was on its way. It is read in the
   * player's language, though their stay has ended. */
  async cashOut(): Promise<void> {
    const { seat, stay } = this.view;
    const spoken = words.language;
    const done = await this.screen.done({ do: "cash_out", seat }, "cash_out");
    const same = this.view.stay.since_ms === stay.since_ms;
    if (!done?.ticket || !same) return;
    this.#show("ticket", { kind: "cash_out", ...done.ticket });
    void words.choose(spoken, false);
  }

  async tip(cents: number): Promise<void> {
    const done = await this.screen.done({ do: "give_tip", seat: this.view.seat, cents }, "tip");
    if (done) this.#show("ticket", { kind: "tip", cents, at_ms: this.screen.serverNow() });
  }

  /** A stay has begun or ended: what is open is not for who comes, but that the ticket is read when its stay has ended
   * and that money is put in to begin one. */
  follow(stay: StayView): void {
    if (options.follow(stay)) this.betting.rest();
    const stays = this.panel === "money" || (this.panel === "ticket" && stay.ended);
    if (this.panel && !stays) this.close();
  }

  /** A panel is shown, or none; what another one showed is forgotten. */
  #show(panel: Panel | null, ticket: PaperTicket | null = null): void {
    if (this.ticket && !ticket) void words.choose(options.language, false);
    this.ticket = ticket;
    this.panel = panel;
  }
}
