import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
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
