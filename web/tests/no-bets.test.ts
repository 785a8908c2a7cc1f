/** The screens know no bet by its name: what is drawn, the server says. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "svelte/compiler";

const PYTHON = process.env["PYTHON"] ?? "../.venv/bin/python";
const NAMES = new Set(JSON.parse(execFileSync(PYTHON, ["tests/bet_names.py"]).toString()) as string[]);
const STEMS = new Set([...NAMES].map((name) => name.split(".")[0]!));

/** Words of another kind that happen to be the name of a bet too, by file. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // What an offer is for: place, take or switch.
  "seat/betting.svelte.ts": ["place"],
  "seat/amounts.ts": ["place"],
  // How a total is rolled: hard or easy.
  "seat/NextRoll.svelte": ["hard"],
  // The playing field, a part of the table display that its address may ask for.
  "table/from-url.ts": ["field"],
  "table/Table.svelte": ["field"],
  // Where a terminal stands.
  "staff/events/text.ts": ["place"],
  "office/Terminals.svelte": ["place"],
};

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** A text is a bet's name, or the beginning of one that is put together: `place.`. */
function named(text: string): string[] {
  const [stem = "", rest] = text.split(".", 2);
  return NAMES.has(text) || (rest === "" && STEMS.has(stem)) ? [text] : [];
}

/** A name that no other word is likely to be: `any_craps`, not `field`. */
function telling(name: unknown): string[] {
  return typeof name === "string" && name.includes("_") && NAMES.has(name) ? [name] : [];
}

/** The names of bets that a part of the source has in itself. */
function inNode(node: Node): string[] {
  const { type, value, name, data, regex } = node;
  if (type === "Literal" && isNode(regex))
    return (
      String(regex["pattern"])
        .match(/\w+/g)
        ?.filter((word) => NAMES.has(word)) ?? []
    );
  if (type === "Literal" && typeof value === "string") return named(value);
  if (type === "TemplateElement" && isNode(value)) return named(String(value["cooked"]));
  if (type === "Identifier" || type === "ClassSelector" || type === "ClassDirective") return telling(name);
  return type === "Text" ? String(data).split(/\s+/).flatMap(telling) : [];
}

function inTree(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(inTree);
  if (!isNode(tree)) return [];
  const inside = Object.entries(tree).flatMap(([key, part]) => (key === "metadata" ? [] : inTree(part)));
  return [...inNode(tree), ...inside];
}

/** The names of bets in the code, the markup and the styles of a file; comments are free. */
function betsIn(file: string, source: string): string[] {
  const component = file.endsWith(".svelte") ? source : `<script lang="ts">\n${source}\n</script>`;
  return [...new Set(inTree({ ...parse(component, { modern: true }), comments: [] }))];
}

test("no screen knows a bet, a family or a side game by its name", () => {
  // `wire.ts` is made from the server's own types, and the catalogues name bets to people.
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(ts|svelte)$/.test(file),
  );
  const files = sources.filter((file) => !/(^|\/)words\/|^wire\.ts$/.test(file));
  assert.ok(files.length > 100);
  const found = files.flatMap((file) => {
    const names = betsIn(file, readFileSync(`src/${file}`, "utf8"));
    return names.filter((name) => !OTHER_MEANINGS[file]?.includes(name)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(found, []);
});

test("every word that is let through is still there", () => {
  for (const [file, words] of Object.entries(OTHER_MEANINGS)) {
    const names = betsIn(file, readFileSync(`src/${file}`, "utf8"));
    assert.deepEqual(
      words.filter((word) => !names.includes(word)),
      [],
      file,
    );
  }
});

test("a planted name is found, wherever it stands", () => {
  const planted: Readonly<Record<string, string>> = {
    'const shown = ["pass", "pay"];': "pass",
    "const spot = `place.${number}`;": "place.",
    'const is = id.startsWith("hop.");': "hop.",
    "const easy = /^(field|any)$/;": "field",
    "const count = wagers.lucky_shooter;": "lucky_shooter",
    "const sides = { hot_shooter: 1 };": "hot_shooter",
    'type Line = "dont_pass" | "other";': "dont_pass",
  };
  for (const [source, name] of Object.entries(planted)) assert.deepEqual(betsIn("a.ts", source), [name], source);
  const markup = '<g class="seen fired_up">{id === "c" ? 1 : 2}</g><style>.make_em_all { color: red; }</style>';
  assert.deepEqual(betsIn("a.svelte", markup).sort(), ["c", "fired_up", "make_em_all"]);
});

test("other words are no names of bets", () => {
  const clean =
    '// the pass line, place.6\nconst zone = "pass_line"; const says = "Touch the pass line"; const { place } = offer;';
  assert.deepEqual(betsIn("a.ts", clean), []);
  assert.deepEqual(betsIn("a.svelte", '<div class="field">Come on</div>'), []);
});
