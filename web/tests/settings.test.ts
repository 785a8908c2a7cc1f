/** Every setting is explained in every language, and so is what it may be. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allowedIn, helpOf, type SettingWords } from "../src/office/settings.ts";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const printed = execFileSync(PYTHON, [
  "-c",
  "from stickman.cli import main; main()",
  "settings",
  "craps",
  "--json",
]).toString();
const { settings } = JSON.parse(printed) as { settings: { key: string; help: string; allowed: string }[] };

for (const language of ["es", "zh"]) {
  const words = JSON.parse(readFileSync(`public/assets/settings-${language}.json`, "utf8")) as SettingWords;

  test(`${language} explains every setting, and no other`, () => {
    const used = new Set<string>();
    for (const { key, help } of settings) {
      const text = helpOf(words, key, help);
      assert.notEqual(text, help, key);
      for (const [name, known] of Object.entries(words.help)) if (known === text) used.add(name);
    }
    assert.deepEqual(
      Object.keys(words.help).filter((name) => !used.has(name)),
      [],
    );
  });

  test(`${language} says what a setting may be, without English`, () => {
    const ENGLISH = /\b(?:of them|at least|a list|whole number|one of|or none|for the rest|settings|text)\b/;
    for (const { key, allowed } of settings) {
      assert.doesNotMatch(allowedIn(words, allowed), ENGLISH, key);
      const numbers = (text: string): string[] => text.match(/\d+(?:,\d+)*/g) ?? [];
      assert.deepEqual(numbers(allowedIn(words, allowed)), numbers(allowed), key);
    }
  });
}

test("English is what the server says", () => {
  assert.equal(helpOf(null, "seats", "Player terminals."), "Player terminals.");
  assert.equal(allowedIn(null, "one of six, ten"), "one of six, ten");
});
