/** One term for one thing: the felt, the keys, help, rules, calls and the pages of staff all use the same words. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, grouped, pluralsOf } from "../src/words/fill.ts";
import { GLOSSARY } from "./glossary.ts";
import { es } from "../src/words/es.ts";
import { es as playerEs } from "../src/words/player/es.ts";
import { zh as playerZh } from "../src/words/player/zh.ts";
import { es as rulesEs } from "../src/words/rules/es.ts";
import { zh } from "../src/words/zh.ts";
import { CATALOGUES, texts } from "./catalogues.ts";

const LANGUAGES = ["en", "es", "zh"] as const;
type Spoken = Record<(typeof LANGUAGES)[number], string>;

/** Every text in its languages, by catalogue and key. */
const TEXTS: [where: string, spoken: Spoken][] = Object.entries(CATALOGUES).flatMap(
  ([folder, [english, ...others]]) => {
    const [spanish, chinese] = others.map((other) => new Map(texts(other)));
    return texts(english).map(([key, en]): [string, Spoken] => [
      `${folder}: ${key}`,
      { en: nameless(en), es: nameless(spanish!.get(key)!), zh: nameless(chinese!.get(key)!) },
    ]);
  },
);

/** A text without the names of its gaps, which no reader sees. */
function nameless(text: string): string {
  return text.replace(/\{(?!n[:}])\w+\}/g, "{}");
}

/** The keys whose English text has the term and whose translation does not. */
function missing(term: (typeof GLOSSARY)[string], all: typeof TEXTS): string[] {
  const named = all.filter(([, { en }]) => term.en.test(en));
  return named.flatMap(([where, spoken]) =>
    (["es", "zh"] as const)
      .filter((language) => !term[language].test(spoken[language]))
      .map((language) => `${language} ${where}: “${spoken.en}” is “${spoken[language]}”`),
  );
}

/** The texts that use a translation which the glossary excludes. */
function excluded(term: (typeof GLOSSARY)[string], all: typeof TEXTS): string[] {
  return all.flatMap(([where, spoken]) =>
    LANGUAGES.filter((language) => term.not?.[language]?.test(spoken[language])).map(
      (language) => `${language} ${where}: “${spoken[language]}”`,
    ),
  );
}

for (const [name, term] of Object.entries(GLOSSARY)) {
  test(`every language has one term for: ${name}`, () => {
    assert.ok(
      TEXTS.some(([, { en }]) => term.en.test(en)),
      "some text uses it",
    );
    assert.deepEqual(missing(term, TEXTS), []);
    assert.deepEqual(excluded(term, TEXTS), []);
  });
}

test("the glossary finds a planted translation that uses another term", () => {
  const planted: typeof TEXTS = [
    ["coach.pass", { en: "Tap the Pass Line", es: "Toque la línea de pase", zh: "点按过关线" }],
  ];
  assert.deepEqual(missing(GLOSSARY["Pass Line"]!, planted), ["zh coach.pass: “Tap the Pass Line” is “点按过关线”"]);
  assert.deepEqual(excluded(GLOSSARY["Pass Line"]!, planted), ["zh coach.pass: “点按过关线”"]);
});

test("a text that names a key names it as the key is written", () => {
  assert.ok(playerEs.session.pin_new.includes(es.seat.enter));
  assert.ok(playerZh.session.pin_new.includes(zh.seat.enter));
});

test("Spanish says that the roll leaves a chip alone that is off, and how often a bet wins", () => {
  assert.match(rulesEs.how.on_off, /^El tiro no afecta a una ficha marcada OFF/);
  assert.match(rulesEs.card.hits, /frecuencia/);
});

test("a number chooses the form of its noun, by the plurals of the language", () => {
  const tries = (n: number) => fill("{n} {n:try|tries} left", { n });
  assert.deepEqual([0, 1, 2].map(tries), ["0 tries left", "1 try left", "2 tries left"]);
  pluralsOf("es-US");
  const left = (n: number) => fill(playerEs.session.pin_back, { n });
  assert.match(left(1), /queda 1 intento\)/);
  assert.match(left(2), /quedan 2 intentos\)/);
  pluralsOf("zh-CN");
  assert.equal(fill("{n:one|other}", { n: 1 }), "other");
  pluralsOf("en-US");
});

test("no English text puts a plural after a number that can be 1", () => {
  const NUMBERED = /\{n\} (?:wrong |different )?(\w+s)\b/;
  const NOT_COUNTED = ["digits", "shoots"];
  const found = TEXTS.map(([where, { en }]) => [where, NUMBERED.exec(en)?.[1]] as const);
  assert.deepEqual(found.filter(([, noun]) => noun && !NOT_COUNTED.includes(noun)).map(String), []);
});

test("a ticket's number is written as on paper: two digits, then fours", () => {
  assert.equal(grouped("278109220077396691"), "27-8109-2200-7739-6691");
  assert.equal(grouped("2781"), "27-81");
  assert.equal(grouped(""), "");
});
