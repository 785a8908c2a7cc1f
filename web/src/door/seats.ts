/** Which seat of a table a visitor gets: their own, or the free one with the most money, for the first bills go into the
 * seats one after the other. */

import type { DoorSeat } from "../wire.ts";

export function seatFor(seats: readonly DoorSeat[]): DoorSeat | undefined {
  const free = seats.filter(({ state }) => state === "free").sort((one, other) => other.money_cents - one.money_cents);
  return seats.find(({ state }) => state === "yours") ?? free[0];
}
