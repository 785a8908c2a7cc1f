/** All that the parts of a player terminal share: its line, the hand that bets, and what is open above the felt. */

import { Explained } from "../placard.svelte.ts";
import type { Screen } from "../screen.svelte.ts";
import type { BetCard, SeatView } from "../wire.ts";
import { Betting, type Mode } from "./betting.svelte.ts";
import { Drag } from "./drag.svelte.ts";

/** What may be open above the felt; each is loaded when it is first opened. */
export type Panel = "menu" | "buttons" | "help" | "rules" | "options" | "session" | "money" | "ticket" | "name" | "pin";

export class Terminal {
  readonly screen: Screen<SeatView>;
  readonly betting: Betting;
  readonly drag: Drag;
  readonly explained = new Explained();
  panel = $state<Panel | null>(null);
  /** The spot that the help card is about. */
  spot = $state("");
  /** The number of the ticket that is shown. */
  ticket = $state("");

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
    else this.betting.tap(spot);
  }

  lift(event: PointerEvent, spot: string): void {
    this.drag.lift(event, this.betting.stacks[spot]?.cents, spot);
  }

  explain(spot: string): void {
    this.spot = spot;
    this.panel = "help";
  }

  /** Into a mode, or out of it again. */
  change(mode: Mode): void {
    this.betting.mode = this.betting.mode === mode ? "place" : mode;
  }

  open(panel: Panel): void {
    this.panel = panel;
  }

  close(): void {
    this.panel = null;
  }

  showTicket(number: string): void {
    this.ticket = number;
    this.panel = "ticket";
  }
}
