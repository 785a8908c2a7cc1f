import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { en as officeEn } from "../src/office/words/en.ts";
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
