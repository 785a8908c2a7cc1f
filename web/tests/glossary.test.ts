/** One term for one thing: what is printed on the felt and on the keys is what help, calls and staff's pages say. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { es as officeEs } from "../src/office/words/es.ts";
import { zh as officeZh } from "../src/office/words/zh.ts";
import { grouped } from "../src/words/fill.ts";
import { es } from "../src/words/es.ts";
import { es as playerEs } from "../src/words/player/es.ts";
import { zh as playerZh } from "../src/words/player/zh.ts";
import { es as rulesEs } from "../src/words/rules/es.ts";
import { zh as rulesZh } from "../src/words/rules/zh.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";

const SPOKEN = { es: [es, playerEs, rulesEs, staffEs, officeEs], zh: [zh, playerZh, rulesZh, staffZh, officeZh] };

/** By language: the thing, the term for it, and what it must not be called. */
const TERMS: Readonly<Record<keyof typeof SPOKEN, readonly (readonly [thing: string, term: RegExp, not: RegExp])[]>> = {
  es: [
    ["hard way", /duro/i, /\bdobles?\b/i],
    ["ticket", /tique/i, /ticket/i],
    ["hand pay", /pago manual/i, /pagos? en mano|pagan en mano/i],
    ["Don't Come", /don't come/i, /\bno come\b/i],
    ["eleven", /once/i, /¡yo!/i],
  ],
  zh: [
    ["Pass Line", /过线/, /过关/],
    ["Place", /押注/, /定位注/],
    ["come-out roll", /首掷/, /出场掷/],
    ["puck", /标记/, /点标/],
    ["hard way", /硬/, /对子/],
    ["the point", /目标点/, /点数为/],
    ["off", /关/, /\bOFF\b/],
    ["ticket", /票券/, /彩票|票据/],
  ],
};

function texts(catalogue: object): string[] {
  return Object.values(catalogue).flatMap((value: unknown) =>
    typeof value === "string" ? [value] : texts(value as object),
  );
}

for (const language of ["es", "zh"] as const) {
  for (const [thing, term, not] of TERMS[language]) {
    test(`${language} has one term for ${thing}`, () => {
      const all = SPOKEN[language].flatMap(texts);
      assert.ok(
        all.some((text) => term.test(text)),
        "it is spoken of",
      );
      assert.deepEqual(
        all.filter((text) => not.test(text)),
        [],
      );
    });
  }
}

test("a text that names a key names it as the key is written", () => {
  assert.ok(playerEs.session.pin_new.includes(es.seat.enter));
  assert.ok(playerZh.session.pin_new.includes(zh.seat.enter));
});

test("Spanish says that the roll leaves a chip alone that is off, and how often a bet wins", () => {
  assert.match(rulesEs.how.on_off, /^El tiro no afecta a una ficha marcada OFF/);
  assert.match(rulesEs.card.hits, /frecuencia/);
});

test("a ticket's number is written as on paper: two digits, then fours", () => {
  assert.equal(grouped("278109220077396691"), "27-8109-2200-7739-6691");
  assert.equal(grouped("2781"), "27-81");
  assert.equal(grouped(""), "");
});
