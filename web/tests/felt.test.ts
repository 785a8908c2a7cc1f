import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { lay, zones, type Box, type Shape, type Zone } from "../src/felt/layout.ts";
import type { SeatView } from "../src/wire.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { fill, keyOfBet } from "../src/words/fill.ts";
import { en as staffEn } from "../src/words/staff/en.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const views = JSON.parse(execFileSync(PYTHON, ["tests/views.py"], { maxBuffer: 1 << 26 }).toString()) as SeatView[];
const SHAPES: readonly Shape[] = ["wide", "folded", "tall"];
/** The height of the room for its width: of a portrait tablet where the felt is folded. */
const HEIGHTS: Readonly<Record<Shape, number>> = { wide: 0.58, folded: 0.8, tall: 0.58 };

function eachFelt(check: (zones: readonly Zone[], view: SeatView, name: string) => void): void {
  for (const view of views) {
    for (const shape of SHAPES) {
      check(
        zones(lay(Object.keys(view.shared.limits.bets), shape, HEIGHTS[shape])),
        view,
        `${view.shared.title}, ${shape}`,
      );
    }
  }
}

test("the felt has exactly the spots where the table offers something", () => {
  eachFelt((felt, view, name) => {
    const laid = felt.flatMap((zone) => zone.spots.map((spot) => spot.id)).sort();
    assert.deepEqual(laid, Object.keys(view.offers.spots).sort(), name);
  });
});

test("every spot is inside of its zone", () => {
  eachFelt((felt, _, name) => {
    for (const zone of felt) {
      for (const { id, box, chip, pays } of zone.spots) {
        assert.ok(box.x >= -0.1 && box.y >= -0.1, `${name}: ${id}`);
        assert.ok(box.x + box.w <= zone.w + 0.1 && box.y + box.h <= zone.h + 0.1, `${name}: ${id}`);
        assert.ok(inside(chip, box), `${name}: the chips of ${id}`);
        assert.ok(inside(pays.at, box), `${name}: the pays of ${id}`);
      }
    }
  });
});

function inside([x, y]: readonly [number, number], box: Box): boolean {
  return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
}

/** The lines turn a corner round the others, so their boxes, though not they, lie over them. */
const TURNING = ["pass", "dont_pass"];

test("no spot lies over another", () => {
  eachFelt((felt, _, name) => {
    for (const zone of felt) {
      const flat = zone.spots.filter(({ id }) => name.endsWith("tall") || !TURNING.includes(id));
      for (const [n, one] of flat.entries()) {
        for (const other of flat.slice(n + 1)) {
          assert.ok(apart(one.box, other.box), `${name}: ${one.id} and ${other.id}`);
        }
      }
    }
  });
});

function apart(one: Box, other: Box): boolean {
  const gap = 1;
  return (
    one.x + one.w + gap <= other.x ||
    other.x + other.w + gap <= one.x ||
    one.y + one.h + gap <= other.y ||
    other.y + other.h + gap <= one.y
  );
}

test("every spot is large enough for a finger", () => {
  const SMALLEST = 44;
  eachFelt((felt, _, name) => {
    // The tall line is drawn at least as wide as its own units, the panels at least 370 of their 514; the folded line
    // on 800 px.
    for (const zone of felt) {
      const scale =
        zone.name === "line" ? (name.endsWith("folded") ? 800 / zone.w : 1) : name.endsWith("tall") ? 370 / zone.w : 1;
      for (const { id, box } of zone.spots) {
        assert.ok(box.w * scale >= SMALLEST, `${name}: ${id} is ${box.w * scale} wide`);
        assert.ok(box.h * scale >= SMALLEST, `${name}: ${id} is ${box.h * scale} high`);
      }
    }
  });
});

test("the puck has a place at home and on every point", () => {
  eachFelt(([line], view, name) => {
    const placed = Object.keys(view.offers.spots).filter((id) => id.startsWith("place."));
    const points = placed.map((id) => Number(id.slice("place.".length)));
    for (const number of [0, ...points]) assert.ok(line!.pucks.has(number), `${name}: ${number}`);
  });
});

test("every bet has a name in every language", () => {
  for (const catalogue of [en, es, zh]) {
    const names = catalogue.bets as Record<string, string>;
    eachFelt((felt) => {
      for (const { id } of felt.flatMap((zone) => zone.spots)) {
        const [key, number] = keyOfBet(id);
        assert.ok(names[key], `${catalogue.language}: ${id}`);
        assert.equal(names[key]!.includes("{n}"), number !== "", `${catalogue.language}: ${id}`);
      }
    });
  }
});

test("a text has the same gaps in every language", () => {
  const gaps = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  const compare = (one: unknown, other: unknown, where: string): void => {
    if (typeof one === "string") return assert.deepEqual(gaps(other as string), gaps(one), where);
    for (const [key, text] of Object.entries(one as object)) {
      compare(text, (other as Record<string, unknown>)[key], `${where}.${key}`);
    }
  };
  for (const other of [es, zh]) compare(en, other, other.language);
  for (const other of [staffEs, staffZh]) compare(staffEn, other, "staff");
});

test("the gaps of a text are filled by name", () => {
  assert.equal(fill("{n} wins {amount}", { amount: "$5", n: 3 }), "3 wins $5");
});
