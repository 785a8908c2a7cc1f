import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { detailed } from "../src/words/detail.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { en as staffEn } from "../src/words/staff/en.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";
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

const dollars = (cents: number): string => `$${cents / 100}`;
const STAFF = [
  { ...en, ...staffEn },
  { ...es, ...staffEs },
  { ...zh, ...staffZh },
] as const;

for (const [detail, english, spanish, chinese] of [
  ["place.6", "Place 6", "Place al 6", "押 6"],
  ["$4", "$4", "$4", "$4"],
  [
    { key: "bets", values: { bets: ["come.4.odds", "field"] } },
    "Come Odds on 4, Field",
    "Odds de come en el 4, Campo",
    "来注 4 赔率注, 场注",
  ],
  [
    { key: "lockups", values: { lockups: ["door", "printer"] } },
    "a door is open, the printer has failed",
    "hay una puerta abierta, falla la impresora",
    "有门打开, 打印机故障",
  ],
  [{ key: "short_by", values: { cents: 100_500 } }, "short by $1005", "faltan $1005", "还差 $1005"],
  [{ key: "bills", values: { cents: [100, 200] } }, "bills are $1, $2", "billetes de $1, $2", "可用钞票：$1, $2"],
  [
    { key: "role_or_above", values: { role: "pit_boss" } },
    "Pit boss or above",
    "Jefe de sector o superior",
    "区域主管或以上",
  ],
  [{ key: "wait", values: { seconds: 30 } }, "30 s", "30 s", "30 秒"],
] as const) {
  test(`a refusal's detail is written in the reader's language: ${english}`, () => {
    assert.deepEqual(
      STAFF.map((text) => detailed(detail, text, dollars)),
      [english, spanish, chinese],
    );
  });
}

for (const code of ["betting", "dealer_assisted", "odds.take", "roll"]) {
  test(`no code reaches a reader: ${code}`, () => {
    assert.equal(detailed(code, en, dollars), "");
    assert.equal(detailed({ key: "button", values: { button: code } }, es, dollars), "");
  });
}

test("a seat has no words for a detail that only staff need", () => {
  assert.equal(detailed({ key: "dice_fault", values: { fault: "it is stuck" } }, en, dollars), "");
});

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
function listed(program: string): string[] {
  return execFileSync(PYTHON, ["-c", program]).toString().trim().split("\n");
}

function unnamed(names: readonly string[], known: object): string[] {
  return names.filter((name) => !(name in known));
}

test("every event that staff can list has a name, and so have its fields", () => {
  const kinds = listed(
    "from stickman.server.desk import HEADINGS; print(*(k.__struct_config__.tag for k in HEADINGS), sep='\\n')",
  );
  assert.ok(kinds.length > 40);
  assert.deepEqual(unnamed(kinds, staffEn.dealer.events), []);
  const fields = listed(`
from msgspec.structs import fields
from stickman.floor.tally import HIDDEN
from stickman.rules.schema import MeterTerms
from stickman.server.desk import HEADINGS
print(*sorted({each.name for kind in (*HEADINGS, MeterTerms) for each in fields(kind)} - HIDDEN - {"heads"}), sep="\\n")`);
  assert.deepEqual(unnamed(fields, staffEn.dealer.fields), []);
  assert.deepEqual(
    unnamed(Object.keys(staffEn.dealer.fields), Object.fromEntries(fields.map((name) => [name, 1]))),
    [],
  );
});

test("every choice that an event can hold has a name: doors, parts, modes, reasons, roles, deeds of two", () => {
  const choices = listed(`
from enum import Enum
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints
from stickman.rules.schema import MeterTerms
from stickman.server.auth import WHO
from stickman.server.desk import CHANGE_METER, MOVE_METER, HEADINGS, VOID
def choices(kind):
    if get_origin(kind) is Literal:
        return set(get_args(kind)) - {""}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {each.value for each in kind}
    return set().union(*map(choices, get_args(kind))) if get_origin(kind) in (Union, UnionType) else set()
found = {each for kind in (*HEADINGS, MeterTerms) for hint in get_type_hints(kind).values() for each in choices(hint)}
deeds = {kind.__struct_config__.tag for kind, who in WHO.items() if who.two} | {CHANGE_METER, MOVE_METER, VOID}
print(*sorted(found | deeds), sep="\\n")`);
  const { doors, lockups, roles, whys } = staffEn.dealer;
  const modes = { automated: "", dealer_assisted: "" };
  assert.ok(choices.includes("cage_security") && choices.includes("reverse_roll"));
  assert.deepEqual(unnamed(choices, { ...en.no_rolls, ...doors, ...lockups, ...roles, ...whys, ...modes }), []);
});
