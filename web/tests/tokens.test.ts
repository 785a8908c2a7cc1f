/** Colours, type, space, layers, corners and breakpoints have one place each. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { FROM_PX } from "../src/shared/breakpoints.ts";

/** Flags have the colours of their countries. */
const PICTURES = ["src/tokens.css", "src/words/Flag.svelte"];
const sources = globSync("src/**/*.{svelte,css,ts}")
  .filter((file) => !PICTURES.includes(file))
  .map((file) => [file, readFileSync(file, "utf8")] as const);

/** Each line of the sources in which something is found that is not allowed. */
function found(what: RegExp, isAllowed: (value: string) => boolean = () => false): string[] {
  return sources.flatMap(([file, text]) =>
    [...text.matchAll(what)].filter(([, value]) => !isAllowed(value!)).map(([whole]) => `${file}: ${whole.trim()}`),
  );
}

/** In a style a colour follows a colon, in a script it is a text; `#each` and private fields are none. */
const HEX = /(?::[^;{}\n]*?|["'`(,] ?)(#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b)/gi;
const MIXED = /(\b(?:rgb|hsl)a?\([^)]*\))/g;
const LAYER = /z-index: ?(\d+)/g;
const CORNER = /border-radius: ?(\d+px)/g;
const WIDTH = /@media[^{]*?(?:max|min)-width: ?(\d+)px/g;
const TYPE = /font(?:-size)?:\s*(?:\d00 )?(\d+px)/g;
const SPACE = /\b(?:gap|padding|margin)[a-z-]*: ?([^;{}]+)/g;
/** The total of a roll, which is read from afar. */
const LARGEST = ["110px"];
/** What fits itself to its room is in brackets; a hairline is no space, and neither is what reaches out of its room. */
const isStep = (value: string) => !/(?<![\w.-])(?:[2-9]|\d\d+)px/.test(value.replace(/\([^()]*\)/g, ""));
/** The panel of a roll, which is read from afar, and a mark with round ends. */
const PILLS = ["26px", "999px"];

test("what the checks look for is found", () => {
  const planted = "{ color: #fff; fill: rgb(0 0 0 / 70%); z-index: 4; border-radius: 7px } @media (max-width: 640px) {";
  for (const one of [HEX, MIXED, LAYER, CORNER, WIDTH]) assert.equal([...planted.matchAll(one)].length, 1, one.source);
  const sizes = "{ font: 600 14px/1 serif; font-size: 14px; gap: 2px 0; padding: 0 var(--a) 9px; margin: 0 -4px }";
  assert.equal([...sizes.matchAll(TYPE)].length, 2);
  assert.deepEqual(
    [...sizes.matchAll(SPACE)].map(([, value]) => isStep(value!.trim())),
    [false, false, true],
  );
});

test("no colour stands outside of tokens.css", () => {
  assert.deepEqual([...found(HEX), ...found(MIXED)], []);
});

test("layers are tokens, and corners too", () => {
  assert.deepEqual([...found(LAYER), ...found(CORNER, (px) => PILLS.includes(px))], []);
});

test("type and space have few steps", () => {
  assert.deepEqual([...found(TYPE, (px) => LARGEST.includes(px)), ...found(SPACE, isStep)], []);
});

test("style sheets change where scripts do", () => {
  const steps = Object.values(FROM_PX)
    .flatMap((px) => [px, px - 1])
    .map(String);
  assert.deepEqual(
    found(WIDTH, (px) => steps.includes(px)),
    [],
  );
});

test("every token that is asked for is there, and every one that is there is asked for", () => {
  const tokens = readFileSync("src/tokens.css", "utf8");
  const named = [...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name!);
  const text = sources.map(([, source]) => source).join("\n");
  assert.deepEqual(
    named.filter((name) => !new RegExp(`${name}\\b(?!-)`).test(text)),
    [],
  );
  const own = new Set([...text.matchAll(/(--[\w-]+)["']?(?=[:=}])/g)].map(([, name]) => name!));
  const asked = [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!);
  assert.deepEqual([...new Set(asked.filter((name) => !named.includes(name) && !own.has(name)))], []);
});
