import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { en as officeEn } from "../src/office/words/en.ts";
import { detailed } from "../src/words/detail.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { en as staffEn } from "../src/words/staff/en.ts";
import { CATALOGUES, texts } from "./catalogues.ts";

function gaps(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\w+\}/g)].map(String))].sort();
}

test("every catalogue of words is looked at", () => {
  const files = readdirSync("src", { recursive: true }).map(String);
  const found = files.filter((file) => /(^|\/)en\.ts$/.test(file)).map((file) => file.slice(0, -"/en.ts".length));
  assert.deepEqual(found.sort(), Object.keys(CATALOGUES).sort());
});

for (const [folder, [english, ...others]] of Object.entries(CATALOGUES)) {
  test(`every text is there in every language, with the same gaps: ${folder}`, () => {
    const wanted = texts(english);
    for (const other of others) {
      const translated = new Map(texts(other));
      assert.deepEqual([...translated.keys()].sort(), wanted.map(([path]) => path).sort());
      for (const [path, text] of wanted) {
        assert.ok(translated.get(path)!.trim() || !text.trim(), `${path} is empty`);
        assert.deepEqual(gaps(translated.get(path)!), gaps(text), path);
      }
    }
  });
}

for (const [detail, english, spanish] of [
  ["place.6", "Place 6", "Place al 6"],
  ["come.4.odds, field", "Come Odds on 4, Field", "Odds de come en el 4, Campo"],
  ["door, printer", "a door is open, the printer has failed", "hay una puerta abierta, falla la impresora"],
  ["$4", "$4", "$4"],
  ["short by $1,005.50", "short by $1,005.50", "$1,005.50"],
  ["bills are $1.00, $2.00", "bills are $1.00, $2.00", "$1.00, $2.00"],
  ["no wager is live", "no wager is live", ""],
  ["Supervisor", "Supervisor", "Supervisor"],
] as const) {
  test(`a refusal's detail is written in the reader's language: ${detail}`, () => {
    assert.equal(detailed(detail, en, true), english);
    assert.equal(detailed(detail, es, false), spanish);
  });
}

for (const code of ["betting", "dealer_assisted", "odds.take", "roll"]) {
  test(`no code reaches a reader: ${code}`, () => {
    assert.equal(detailed(code, en, true), "");
    assert.equal(detailed(code, es, false), "");
  });
}

test("every event that staff can list has a name", () => {
  const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
  const program = "from stickman.floor.tally import LOGS; print(*(kind.__struct_config__.tag for kind in LOGS))";
  const kinds = execFileSync(PYTHON, ["-c", program]).toString().trim().split(" ");
  const named = { ...staffEn.dealer.events, ...officeEn.kinds };
  assert.ok(kinds.length > 20);
  assert.deepEqual(
    kinds.filter((kind) => !(kind in named)),
    [],
  );
});
