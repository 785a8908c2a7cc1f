import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const PAGES = "../src/stickman/pages";
const SCREENS = ["seat", "dealer", "table", "info", "office", "door"];
/** What a page loads when it is opened; and with every panel, tab and language, which it loads when first asked. */
const OPENED_BYTES_MAX = 60_000;
/** A seat fits itself to every screen from a phone to a terminal, and shows all of a game at once. */
const SEAT_OPENED_BYTES_MAX = 70_000;
const WHOLE_BYTES_MAX = 160_000;
/** What a seat loads for staff, when the key of its terminal is turned. */
const BEHIND_KEY = /BehindKey/;
const BEHIND_KEY_BYTES_MAX = 45_000;

const ANY = /["'`/]([\w.-]+\.(?:js|css))["'`]/g;
const AT_ONCE = /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g;

/** A page and the scripts and styles that it leads to: all of them, or those that are loaded at once. What the key of a
 * terminal opens is counted apart. */
function files(file: string, inScripts: RegExp, found = new Set<string>(), key = false): Set<string> {
  if (found.has(file) || (BEHIND_KEY.test(file) && !key)) return found;
  found.add(file);
  const text = readFileSync(`${PAGES}/${file}`, "utf8");
  const named = text.matchAll(file.endsWith(".js") ? inScripts : ANY);
  for (const [, name] of named) files(`assets/${name}`, inScripts, found, key);
  return found;
}

/** Compressed, without fonts. */
function bytes(of: ReadonlySet<string>): number {
  return [...of].reduce((sum, file) => sum + brotliCompressSync(readFileSync(`${PAGES}/${file}`)).length, 0);
}

for (const screen of SCREENS) {
  const most = screen === "seat" ? SEAT_OPENED_BYTES_MAX : OPENED_BYTES_MAX;
  test(`the page of ${screen} is small: at most ${most / 1000} kB when it is opened`, () => {
    const opened = files(`${screen}.html`, AT_ONCE);
    assert.ok([...opened].some((file) => file.endsWith(".js")) && [...opened].some((file) => file.endsWith(".css")));
    assert.ok(bytes(opened) <= most, `${bytes(opened)} bytes`);
  });

  test(`the page of ${screen} is small: at most ${WHOLE_BYTES_MAX / 1000} kB with all that it may load later`, () => {
    const whole = files(`${screen}.html`, ANY);
    assert.ok(bytes(whole) <= WHOLE_BYTES_MAX, `${bytes(whole)} bytes`);
  });

  test(`the page of ${screen} has no script or style of its own, which the server's policy forbids`, () => {
    const page = readFileSync(`${PAGES}/${screen}.html`, "utf8");
    assert.doesNotMatch(page, /<style|style=|<script(?![^>]*\bsrc=)/);
  });
}

test("what the key opens at a seat is small: at most 45 kB more, of which a player loads nothing", () => {
  const player = files("seat.html", ANY);
  const all = files("seat.html", ANY, new Set(), true);
  assert.ok([...all].some((file) => BEHIND_KEY.test(file)));
  const more = bytes(all) - bytes(player);
  assert.ok(more <= BEHIND_KEY_BYTES_MAX, `${more} bytes`);
});

test("no script or style escapes the measuring", () => {
  const built = readdirSync(`${PAGES}/assets`).filter((file) => /\.(js|css)$/.test(file));
  const measured = new Set(SCREENS.flatMap((screen) => [...files(`${screen}.html`, ANY, new Set(), true)]));
  assert.deepEqual(
    built.filter((file) => !measured.has(`assets/${file}`)),
    [],
  );
});
