import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { en as officeEn } from "../src/office/words/en.ts";
import { es as officeEs } from "../src/office/words/es.ts";
import { zh as officeZh } from "../src/office/words/zh.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { en as playerEn } from "../src/words/player/en.ts";
import { es as playerEs } from "../src/words/player/es.ts";
import { zh as playerZh } from "../src/words/player/zh.ts";
import { en as rulesEn } from "../src/words/rules/en.ts";
import { es as rulesEs } from "../src/words/rules/es.ts";
import { zh as rulesZh } from "../src/words/rules/zh.ts";
import { en as staffEn } from "../src/words/staff/en.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";

/** By folder, English and what is measured by it. */
const CATALOGUES: Readonly<Record<string, readonly [english: object, ...others: object[]]>> = {
  words: [en, es, zh],
  "words/player": [playerEn, playerEs, playerZh],
  "words/rules": [rulesEn, rulesEs, rulesZh],
  "words/staff": [staffEn, staffEs, staffZh],
  "office/words": [officeEn, officeEs, officeZh],
};

/** By the path to it, every text of a catalogue. */
function texts(catalogue: object, path = ""): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[path + key, value]] : texts(value as object, `${path}${key}.`),
  );
}

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
