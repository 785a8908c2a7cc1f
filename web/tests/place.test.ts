/** The place that a page's address names, and the seat that a visitor gets. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { seatFor } from "../src/door/seats.ts";
import { here, nameOf, pageOf, placeOf, type Address } from "../src/place.ts";
import type { DoorSeat } from "../src/wire.ts";

function at(address: string): Address {
  return new URL(address, "http://127.0.0.1");
}

test("an address with a table names its place in every request", () => {
  assert.equal(here("/api/place", at("/seat/1?table=2")), "/api/place?place=table-2-seat-1");
  assert.equal(here("/ws?table=2", at("/dealer?table=2")), "/ws?table=2&place=table-2-dealer");
  assert.equal(here("/api/may", at("/office?page=tables&table=3")), "/api/may?place=office");
});

test("an address without a table names none, as on a floor where a browser is one screen", () => {
  for (const address of ["/seat/1", "/dealer?lang=es", "/table?part=left", "/", "/seat/1?table=0", "/info?table=x"]) {
    assert.equal(here("/api/place", at(address)), "/api/place", address);
  }
});

test("a place and its address are one another's", () => {
  for (const page of ["/seat/3?table=5", "/info?table=12", "/office"]) {
    assert.equal(pageOf(placeOf(at(page))!), page);
  }
  assert.equal(nameOf(placeOf(at("/cage?table=1"))), "");
  assert.equal(pageOf({ screen: "seat", table: 5, seat: 3 }, "es"), "/seat/3?table=5&lang=es");
  assert.equal(pageOf({ screen: "office", table: 0, seat: 0 }, "zh"), "/office?lang=zh");
});

const seat = (number: number, state: DoorSeat["state"], money_cents = 0): DoorSeat => ({
  seat: number,
  state,
  money_cents,
});

test("a visitor gets their own seat back, otherwise a free one that has money", () => {
  assert.equal(seatFor([seat(1, "free", 100), seat(2, "yours")])?.seat, 2);
  assert.equal(seatFor([seat(1, "taken"), seat(2, "free"), seat(3, "free", 30_000)])?.seat, 3);
  assert.equal(seatFor([seat(1, "free"), seat(2, "free")])?.seat, 1);
  assert.equal(seatFor([seat(1, "taken"), seat(2, "away")]), undefined);
});
