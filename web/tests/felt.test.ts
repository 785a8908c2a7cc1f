import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { layBlocks } from "../src/felt/blocks.ts";
import { lay, zones, type Box, type Zone } from "../src/felt/layout.ts";
import type { FeltSpot, SeatView } from "../src/wire.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { fill, keyOfBet } from "../src/words/fill.ts";
import { en as staffEn } from "../src/words/staff/en.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";
import { ROOMS } from "./rooms.ts";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const views = JSON.parse(execFileSync(PYTHON, ["tests/views.py"], { maxBuffer: 1 << 26 }).toString()) as SeatView[];

function eachFelt(check: (zones: readonly Zone[], view: SeatView, name: string) => void): void {
  for (const view of views) {
    for (const [screen, [shape, rooms]] of Object.entries(ROOMS)) {
      check(zones(lay(view.shared.felt, shape, rooms)), view, `${view.shared.title}, ${screen}, ${shape}`);
    }
  }
}

test("the felt has exactly the spots where the table offers something", () => {
  eachFelt((felt, view, name) => {
    const laid = felt.flatMap((zone) => zone.spots.map((spot) => spot.id)).sort();
    assert.deepEqual(laid, Object.keys(view.offers.spots).sort(), name);
  });
});

/** A felt with more spots than the game has. */
function withMore(view: SeatView, ...more: readonly FeltSpot[]): readonly Zone[] {
  return zones(lay([...view.shared.felt, ...more], ...ROOMS.desk));
}

function where(felt: readonly Zone[], spot: string): string | undefined {
  return felt.find(({ spots }) => spots.some(({ id }) => id === spot))?.name;
}

test("a new bet is drawn where it says, under the name that the server gives", () => {
  const planted = { spot: "hi_lo", bet: "hi_lo", zone: "props_small", word: "hi_lo", title: "Hi-Lo" };
  for (const view of views) {
    const felt = withMore(view, planted);
    assert.equal(where(felt, "hi_lo"), "props", view.shared.title);
    const [label] = felt.flatMap(({ spots }) => spots).find(({ id }) => id === "hi_lo")!.labels;
    assert.equal(label!.name!.title, "Hi-Lo");
  }
});

test("a new side game is a row with its name and its lammers", () => {
  const planted = { spot: "streak", bet: "streak", zone: "side", word: "bet", title: "Streak", game: "streak" };
  for (const view of views) {
    const felt = withMore(view, { ...planted, game_title: "Odd Streak", collects: [3, 5, 9, 11], climbs: true });
    const sides = felt.find(({ name }) => name === "sides")!;
    assert.equal(where(felt, "streak"), "sides", view.shared.title);
    assert.ok(sides.labels.some(({ name }) => name?.title === "Odd Streak"));
    assert.deepEqual(sides.lammers.find(({ of }) => of === "streak")?.totals, [3, 5, 9, 11]);
    assert.ok(sides.games.some(({ game, where }) => game === "streak" && where.h >= 44));
  }
});

test("on a display, a side game is a block with its name, its lammers and its ladder", () => {
  for (const view of views.filter(({ shared }) => shared.felt.some(({ game }) => game))) {
    const { sides } = lay(view.shared.felt, ...ROOMS.desk, layBlocks);
    const games = [...new Set(view.shared.felt.flatMap(({ game }) => game ?? []))];
    assert.deepEqual(sides.labels.flatMap(({ name }) => name?.word ?? []).sort(), games.sort());
    const climbing = view.shared.felt.filter(({ climbs }) => climbs).map(({ spot }) => spot);
    assert.deepEqual(sides.ladders.map(({ of }) => of).sort(), climbing.sort());
  }
});

test("a bet goes to the special games where the page does not know its zone, or has drawn another one there", () => {
  const one = (spot: string, zone: string) => ({ spot, bet: spot, zone, word: "", title: spot });
  for (const view of views) {
    const felt = withMore(view, one("first", "centre_box"), one("second", "pass_line"), one("third", "number_place"));
    assert.deepEqual(
      ["first", "second", "third"].map((spot) => where(felt, spot)),
      ["sides", "sides", "sides"],
    );
    assert.ok(!felt[0]!.plates.has(0), "no column without a number");
  }
});

test("every label on the felt has its word in every language", () => {
  for (const { language, felt } of [en, es, zh]) {
    const printed = felt as Record<string, string>;
    eachFelt((laid) => {
      const labels = laid.flatMap((zone) => [...zone.labels, ...zone.spots.flatMap((spot) => spot.labels)]);
      for (const { name } of labels) assert.ok(!name || printed[name.word ?? ""], `${language}: ${name?.word}`);
    });
  }
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
    for (const zone of felt) {
      for (const { id, box } of zone.spots) {
        assert.ok(box.w >= SMALLEST - 0.1, `${name}: ${id} is ${box.w} wide`);
        assert.ok(box.h >= SMALLEST - 0.1, `${name}: ${id} is ${box.h} high`);
      }
    }
  });
});

test("no zone is wider than its room: nothing is drawn smaller than it was laid", () => {
  for (const view of views) {
    for (const [screen, [shape, rooms]] of Object.entries(ROOMS)) {
      const { line, more, props, hops, sides } = lay(view.shared.felt, shape, rooms);
      const laid = [
        ...[line, more].map((zone) => [zone, rooms.line] as const),
        [props, rooms.props] as const,
        ...[hops, sides].map((zone) => [zone, rooms.special] as const),
      ];
      for (const [zone, room] of laid) assert.ok(zone.w <= room.w, `${view.shared.title}, ${screen}: ${zone.name}`);
    }
  }
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
