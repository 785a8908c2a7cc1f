import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const PAGES = "../src/stickman/pages";
const SCREENS = ["seat", "dealer", "table", "info", "office"];
/** What a page loads when it is opened; and with every panel, tab and language, which it loads when first asked. */
const OPENED_BYTES_MAX = 60_000;
const WHOLE_BYTES_MAX = 120_000;

const ANY = /["'`/]([\w.-]+\.(?:js|css))["'`]/g;
const AT_ONCE = /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g;

/** A page and the scripts and styles that it leads to: all of them, or those that are loaded at once. */
function files(file: string, inScripts: RegExp, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(`${PAGES}/${file}`, "utf8");
  const named = text.matchAll(file.endsWith(".js") ? inScripts : ANY);
  for (const [, name] of named) files(`assets/${name}`, inScripts, found);
  return found;
}

/** Compressed, without fonts. */
function bytes(of: ReadonlySet<string>): number {
  return [...of].reduce((sum, file) => sum + brotliCompressSync(readFileSync(`${PAGES}/${file}`)).length, 0);
}

for (const screen of SCREENS) {
  test(`the page of ${screen} is small: at most 60 kB when it is opened`, () => {
    const opened = files(`${screen}.html`, AT_ONCE);
    assert.ok([...opened].some((file) => file.endsWith(".js")) && [...opened].some((file) => file.endsWith(".css")));
    assert.ok(bytes(opened) <= OPENED_BYTES_MAX, `${bytes(opened)} bytes`);
  });

  test(`the page of ${screen} is small: at most 120 kB with all that it may load later`, () => {
    const whole = files(`${screen}.html`, ANY);
    assert.ok(bytes(whole) <= WHOLE_BYTES_MAX, `${bytes(whole)} bytes`);
  });

  test(`the page of ${screen} has no script or style of its own, which the server's policy forbids`, () => {
    const page = readFileSync(`${PAGES}/${screen}.html`, "utf8");
    assert.doesNotMatch(page, /<style|style=|<script(?![^>]*\bsrc=)/);
  });
}

test("no script or style escapes the measuring", () => {
  const built = readdirSync(`${PAGES}/assets`).filter((file) => /\.(js|css)$/.test(file));
  const measured = new Set(SCREENS.flatMap((screen) => [...files(`${screen}.html`, ANY)]));
  assert.deepEqual(
    built.filter((file) => !measured.has(`assets/${file}`)),
    [],
  );
});
