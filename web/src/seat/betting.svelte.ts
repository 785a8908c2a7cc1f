/** What a hand at a seat does: the chip it holds, the mode it is in, and what a tap asks for. */

import type { Stack } from "../felt/chips.ts";
import type { Screen } from "../screen.svelte.ts";
import type { Refused, Request, SeatView, SpotOffer, WhyNot } from "../wire.ts";
import { words } from "../words/words.svelte.ts";
import { isWhyNot } from "../offers.ts";
import { betOf, partOf } from "./amounts.ts";
import { options } from "./options.svelte.ts";
import { sound } from "./sound.ts";

/** What a touch of a spot does: bet, take down, switch on or off, or explain it. */
export type Mode = "bet" | "cancel" | "off" | "ask";

type Why = Pick<Refused, "why" | "detail">;

const FIRST_HELD = 1;

export class Betting {
  mode = $state<Mode>("bet");
  /** The place of the selected chip in the rack. */
  held = $state(FIRST_HELD);
  /** By spot, what was asked for there last: what a chip on its way shows. */
  #asked = $state<Record<string, number>>({});
  #lit: ReadonlySet<string> = new Set();
  #stacks: Readonly<Record<string, Stack>> = {};
  #screen: Screen<SeatView>;

  constructor(screen: Screen<SeatView>) {
    this.#screen = screen;
  }

  get view(): SeatView {
    const { view } = this.#screen;
    if (!view) throw new Error("a seat is shown only once it has a view");
    return view;
  }

  get chips(): readonly number[] {
    const { chips_cents, denomination_cents } = this.view;
    const own = options.chip;
    if (!own) return chips_cents;
    const scaled = Math.round((own.cents * denomination_cents) / own.denomination_cents);
    return [...chips_cents.slice(0, -1), Math.max(1, scaled)];
  }

  /** Sets the last chip; it scales with the denomination, as the others do. */
  setChip(cents: number): void {
    options.setChip({ cents, denomination_cents: this.view.denomination_cents });
  }

  get chip(): number {
    return this.chips[this.held] ?? this.chips[0] ?? 0;
  }

  /** The spots that a tap would do something at; the same set as long as they are the same. */
  lit = $derived.by<ReadonlySet<string>>(() => {
    const { spots } = this.view.offers;
    const what = ({ bet: "place", cancel: "take", off: "switch", ask: "place" } as const)[this.mode];
    const found = Object.keys(spots).filter((spot) => !isWhyNot(spots[spot]?.[what]));
    const same = found.length === this.#lit.size && found.every((spot) => this.#lit.has(spot));
    return same ? this.#lit : (this.#lit = new Set(found));
  });

  /** What is bet, and what is on its way; a stack that did not change stays the same object. */
  stacks = $derived.by<Readonly<Record<string, Stack>>>(() => {
    const shown: Record<string, Stack> = {};
    for (const [spot, wager] of Object.entries(this.view.wagers)) {
      const wins = options.switches.winnings ? (wager.win_cents ?? 0) : 0;
      shown[spot] = { cents: wager.stake_cents, off: !wager.working, locked: wager.locked ?? false, wins };
    }
    for (const [spot, count] of Object.entries(this.#screen.pending)) {
      if (count && spot in this.view.offers.spots) {
        shown[spot] = { ...shown[spot], cents: shown[spot]?.cents ?? this.#asked[spot] ?? this.chip, pending: true };
      }
    }
    for (const [spot, stack] of Object.entries(shown)) {
      const before = this.#stacks[spot];
      if (before && alike(before, stack)) shown[spot] = before;
    }
    return (this.#stacks = shown);
  });

  /** By spot, the money there and on its way there; a mark has none. */
  get moneyOn(): Readonly<Record<string, number>> {
    const { wagers } = this.view;
    const lie = Object.entries(this.stacks).filter(([spot]) => !wagers[spot]?.released);
    return Object.fromEntries(lie.map(([spot, { cents }]) => [spot, cents]));
  }

  /** By spot, what a touch with the chip in hand bets there. */
  taps = $derived.by<Readonly<Record<string, number>>>(() => {
    if (this.mode !== "bet") return {};
    const found = Object.keys(this.view.offers.spots).map((spot) => [spot, this.bets(spot)] as const);
    return Object.fromEntries(found.filter(([, cents]) => cents));
  });

  /** The spots where that is not what the chip says: they say it before they are touched. */
  differing = $derived.by<ReadonlySet<string>>(() => {
    return new Set(Object.keys(this.taps).filter((spot) => this.taps[spot] !== this.chip));
  });

  /** What the chip in hand bets at a spot. A touch may add the first amount of the stack again (ruling 50); a chip
   * that is `dropped` there does not. */
  bets(spot: string, dropped = false): number {
    const offer = this.view.offers.spots[spot];
    return offer ? betOf((!dropped && offer.adds_cents) || this.chip, offer) : 0;
  }

  /** A spot was touched: do what the mode says. */
  tap(spot: string): void {
    if (this.mode === "cancel") this.reduce(spot);
    else if (this.mode === "off") this.switchTo(spot);
    else this.place(spot);
  }

  /** As a seat is found: nothing chosen. */
  rest(): void {
    this.mode = "bet";
    this.held = FIRST_HELD;
  }

  /** Bets the chip there, or says what the minimum is; whether it was asked for, or refused at once. */
  place(spot: string, dropped = false): boolean {
    return this.#ask(spot, "place", (seat, [least]) => {
      const cents = this.bets(spot, dropped);
      if (!cents) return { why: "under_min", detail: words.money(least) };
      this.#asked[spot] = cents;
      return { do: "place_bet", seat, spot, cents };
    });
  }

  /** Carries a whole wager to another spot; one that may not leave its own says why. What the other spot says, the
   * server knows: the wager may be what keeps others out of it. */
  carry(from: string, to: string): boolean {
    const carry = (seat: number): Request => {
      this.#asked[to] = this.view.wagers[from]?.stake_cents ?? 0;
      return { do: "carry_bet", seat, spot: from, to };
    };
    return this.#ask(from, "take", carry, to);
  }

  /** Takes a wager down, or a part of it. */
  takeDown(spot: string, cents?: number): boolean {
    return this.#ask(spot, "take", (seat) => ({ do: "take_bet", seat, spot, cents: cents ?? null }));
  }

  /** Takes the chip's amount off a wager; all of it where less may not stay. */
  reduce(spot: string): boolean {
    return this.#ask(spot, "take", (seat, offer) => {
      return { do: "take_bet", seat, spot, cents: partOf(this.chip, offer) ?? null };
    });
  }

  /** Switches a wager on or off; not said which: to what it is not now. */
  switchTo(spot: string, to?: boolean): boolean {
    return this.#ask(spot, "switch", (seat, [first]) => ({ do: "switch_bet", seat, spot, on: to ?? first! }));
  }

  /** What a wager may be switched to: a resting one both ways (ruling 33). */
  switches(spot: string): readonly boolean[] {
    const offer = this.view.offers.spots[spot]?.switch;
    return !offer || isWhyNot(offer) ? [] : offer;
  }

  /** Ask for what the spot offers, or say at once why it does not; the answer is for the spot where it ends `at`. */
  #ask<K extends "place" | "take" | "switch">(
    spot: string,
    what: K,
    request: (seat: number, offer: Exclude<SpotOffer[K], WhyNot>) => Request | WhyNot,
    at = spot,
  ): boolean {
    const { seat, offers } = this.view;
    const offer = offers.betting ?? offers.spots[spot]?.[what];
    if (offer === undefined) return false;
    const asked = isWhyNot(offer) ? offer : request(seat, offer as Exclude<SpotOffer[K], WhyNot>);
    if (isWhyNot(asked)) {
      this.#screen.refuse(spot, this.#withMaximum(spot, asked));
      return false;
    }
    sound.play(what === "place" ? "chip" : "take");
    void this.#send(asked, at);
    return true;
  }

  async #send(request: Request, at: string): Promise<void> {
    const answer = await this.#screen.answer(request, at);
    if (answer?.type === "refused") this.#screen.refuse(at, this.#withMaximum(at, answer));
  }

  /** Names the maximum that is why. */
  #withMaximum(spot: string, refused: Why): Why {
    if (refused.why !== "over_max") return refused;
    const { felt, limits } = this.view.shared;
    const [, most] = limits.bets[felt.find((each) => each.spot === spot)?.bet ?? ""] ?? [];
    return most ? { ...refused, detail: words.money(most) } : refused;
  }
}

function alike(one: Stack, other: Stack): boolean {
  return (
    one.cents === other.cents &&
    one.off === other.off &&
    one.locked === other.locked &&
    one.wins === other.wins &&
    one.pending === other.pending
  );
}
