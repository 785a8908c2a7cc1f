import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const PAGES = "../src/stickman/pages";
const BYTES_MAX = 60_000;

/** A page and every script and style that it loads. */
function loaded(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(`${PAGES}/${file}`, "utf8");
  for (const [, name] of text.matchAll(/["'/]([\w.-]+\.(?:js|css))["']/g)) loaded(`assets/${name}`, found);
  return found;
}

for (const screen of ["seat", "dealer", "table", "info", "office"]) {
  test(`the page of ${screen} is small: at most 60 kB, compressed, without fonts`, () => {
    const files = [...loaded(`${screen}.html`)];
    assert.ok(files.some((file) => file.endsWith(".js")) && files.some((file) => file.endsWith(".css")));
    const bytes = files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(`${PAGES}/${file}`)).length, 0);
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
  });

  test(`the page of ${screen} has no script or style of its own, which the server's policy forbids`, () => {
    const page = readFileSync(`${PAGES}/${screen}.html`, "utf8");
    assert.doesNotMatch(page, /<style|style=|<script(?![^>]*\bsrc=)/);
  });
}
