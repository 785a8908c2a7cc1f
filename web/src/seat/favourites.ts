/** Layouts that the player has saved: what one costs now, and placing it. */

import { isWhyNot } from "../offers.ts";
import type { SeatView } from "../wire.ts";
import { words } from "../words/words.svelte.ts";
import { sound } from "./sound.ts";
import type { Terminal } from "./terminal.svelte.ts";

/** Where a refusal of one is shown: with those of the buttons. */
export const AT = "favourites";

export function priceOf({ offers }: SeatView, slot: number): string {
  const offer = offers.favourites[slot];
  return offer && !isWhyNot(offer) ? words.money(offer[0]) : "–";
}

/** One tap. What is refused of it is said above the buttons, where Repeat says it. */
export function place({ screen, view }: Terminal, slot: number): void {
  sound.play("chip");
  void screen.ask({ do: "place_favourite", seat: view.seat, slot }, AT);
}
