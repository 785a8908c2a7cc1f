/** The examinations themselves: they find faults that are planted, and nothing where there are none. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { violations } from "./axe.ts";
import { openBrowser } from "./floor.ts";
import { coveredPrints, examine, hiddenSpots, smallLetters } from "./geometry.ts";

let browser: Browser;
let page: Page;

before(async () => {
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 800, height: 600 } });
});
after(() => browser.close());

const STYLE = "body { margin: 0; font: 16px/1.35 sans-serif } button { min-width: 60px; height: 48px }";

/** What the examination says of a page with this inside. */
async function saidOf(inside: string): Promise<string[]> {
  await page.setContent(`<!doctype html><style>${STYLE}</style><body>${inside}`);
  return examine(page);
}

const SVG = '<svg width="400" height="200" viewBox="0 0 400 200" style="display: block">';
const spot = (id: string, d: string, text = "") => `<g data-spot="${id}" role="button"><path d="${d}"/>${text}</g>`;

test("nothing is said of a page that is well laid out", async () => {
  const well = [
    "<button>Undo</button> <button>Repeat</button><p>Two lines<br>of text</p>",
    // A line that turns a corner goes round another spot; its chip lies on it.
    SVG + spot("pass", "M0 0h60v140h300v60h-360z"),
    spot("come", "M64 0h296v130h-296z", '<text x="80" y="60">COME</text>'),
    '<g pointer-events="none"><circle cx="200" cy="170" r="18"/><text x="190" y="175">$10</text></g></svg>',
    '<div style="height: 60px; overflow: auto"><p>A long list</p><p>that can be scrolled</p><button>All</button></div>',
    '<div style="position: fixed; z-index: 4; inset: 0 auto auto 0; background: #fff"><p>A pop-up over it</p></div>',
    '<label style="display: block; min-height: 44px"><input type="checkbox"> Small, in a large label</label>',
  ];
  assert.deepEqual(await saidOf(well.join("")), []);
});

const PLANTED: readonly (readonly [string, string, RegExp])[] = [
  ["a small button", '<button style="height: 30px">Undo</button>', /^button "Undo" is 60×30 px: too small/],
  ["a thin spot", SVG + spot("pass", "M0 0h30v150h300v30h-330z") + "</svg>", /^spot pass .* too small for a finger$/],
  [
    "a button over another",
    '<button>Undo</button><button style="margin-left: -20px">Repeat</button>',
    /^button "Undo" and button "Repeat" lie over each other: 20×48 px$/,
  ],
  [
    "a spot over another",
    SVG + spot("come", "M0 0h100v100h-100z") + spot("field", "M50 50h100v100h-100z") + "</svg>",
    /^spot come and spot field lie over each other/,
  ],
  [
    "a text over another",
    '<p style="margin: 0">Seven out</p><p style="margin: -16px 0 0">Line away</p>',
    /^text "Seven out" and text "Line away" lie over each other/,
  ],
  [
    "a chip's figure on a spot's name",
    SVG +
      spot("come", "M0 0h200v100h-200z", '<text x="20" y="60">COME</text>') +
      '<text x="30" y="60" pointer-events="none">$10</text></svg>',
    /^text "COME" and text "\$10" lie over each other/,
  ],
  [
    "a text that is cut",
    '<p style="width: 60px; overflow: hidden; white-space: nowrap">Place your bets</p>',
    /^text "Place your bets" is cut by p\..*at the right$/,
  ],
  [
    "a text that ends in dots",
    '<div style="width: 60px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">Place your bets</div>',
    /^text "Place your bets" is cut by div/,
  ],
  [
    "a text too wide for its button",
    '<button style="width: 60px; white-space: nowrap">Call the attendant</button>',
    /^text "Call the attendant" leaves its button/,
  ],
  [
    "a text too wide for its spot",
    SVG + spot("come", "M0 0h100v100h-100z", '<text x="60" y="50">A LONG NAME</text>') + "</svg>",
    /^text "A LONG NAME" leaves its spot come: .* at the right$/,
  ],
  [
    "a print too wide for its spot",
    SVG +
      spot("come", "M0 0h100v100h-100z") +
      '<g data-print="come"><text x="60" y="50">wins $9 for $5</text></g></svg>',
    /^text "wins \$9 for \$5" leaves its spot come: .* at the right$/,
  ],
  [
    "a button outside of the screen",
    '<style>body { overflow: hidden }</style><button style="position: absolute; top: 590px">Undo</button>',
    /^button "Undo" is outside of the screen: 38 px at the bottom$/,
  ],
  [
    "a button that no scrolling brings back",
    '<div style="overflow: auto; width: 200px"><button style="margin-left: -80px">Undo</button></div>',
    /^button "Undo" is cut by div\..*at the left$/,
  ],
  ["a page wider than the screen", '<p style="width: 900px">Wide</p>', /^the page is 100 px wider than the screen$/],
];

for (const [what, inside, says] of PLANTED) {
  test(`the examination finds ${what}`, async () => {
    const said = await saidOf(inside);
    assert.ok(
      said.some((one) => says.test(one)),
      said.join("\n") || "nothing was said",
    );
  });
}

test("small letters are found, also in a drawing that is scaled, and no others", async () => {
  const scaled = (px: number, said: string) =>
    `<svg width="200" height="100" viewBox="0 0 400 200"><text y="50" font-size="${px}">${said}</text></svg>`;
  await page.setContent(`<p style="font-size: 12px">low</p><p>well</p>${scaled(24, "12 px")}${scaled(26, "13 px")}`);
  assert.deepEqual(await smallLetters(page), [
    'text "low" has letters of 12.0 px',
    'text "12 px" has letters of 12.0 px',
  ]);
});

test("a chip that hides a price is found, and one next to it is not", async () => {
  const chip = (x: number) => `<g class="chip"><circle class="rim" cx="${x}" cy="60" r="18"/></g>`;
  const drawn = '<g data-print="place"><text x="20" y="65" font-size="16">9:5</text></g>';
  await page.setContent(`${SVG}${drawn}${chip(30)}</svg>`);
  assert.deepEqual(await coveredPrints(page), ['rim lies on "9:5" of place']);
  await page.setContent(`${SVG}${drawn}${chip(90)}</svg>`);
  assert.deepEqual(await coveredPrints(page), []);
  for (const mark of ["tag", "wins", "band"]) {
    const marked = (x: number) => `<g class="chip"><rect class="${mark}" x="${x}" y="52" width="38" height="18"/></g>`;
    await page.setContent(`${SVG}${drawn}${marked(30)}</svg>`);
    assert.deepEqual(await coveredPrints(page), [`${mark} lies on "9:5" of place`]);
    await page.setContent(`${SVG}${drawn}${marked(90)}</svg>`);
    assert.deepEqual(await coveredPrints(page), []);
  }
});

test("a puck that hides a word of the felt is found", async () => {
  const drawn = (x: number) =>
    `<text x="20" y="65" font-size="16">COME OUT</text><circle class="disc" cx="${x}" cy="60" r="22"/>`;
  await page.setContent(`<div class="zone">${SVG}${drawn(60)}</svg></div>`);
  assert.deepEqual(await coveredPrints(page), ['disc lies on "COME OUT" of the felt']);
  await page.setContent(`<div class="zone">${SVG}${drawn(160)}</svg></div>`);
  assert.deepEqual(await coveredPrints(page), []);
});

test("a spot that a scrolling room cuts is found, and one under something else, and no other", async () => {
  const room = (height: number, over = "") =>
    `<div class="room" style="position: relative; height: ${height}px; overflow: auto">${SVG}` +
    `${spot("pass", "M0 0h60v140h300v60h-360z")}${spot("come", "M64 0h296v130h-296z")}</svg>${over}</div>`;
  const seen = async (inside: string) => {
    await page.setContent(`<style>body { margin: 0 }</style>${inside}`);
    return hiddenSpots(page);
  };
  assert.deepEqual(await seen(room(200)), []);
  assert.deepEqual(await seen(room(170)), ["spot pass is cut by 30 px"]);
  const note = '<p style="position: absolute; inset: 90px auto auto 200px; margin: 0; background: #fff">A note</p>';
  assert.deepEqual(await seen(room(200, note)), ["something lies over spot come"]);
});

test("axe finds a button without a name and grey on grey", async () => {
  const inside = '<h1>A</h1><button></button><p style="color: #999">Dim</p>';
  await page.setContent(`<html lang="en"><title>t</title><main>${inside}</main>`);
  assert.deepEqual((await violations(page)).map((one) => one.split(":")[0]).sort(), ["button-name", "color-contrast"]);
});
