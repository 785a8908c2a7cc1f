/** Every catalogue of texts, and how to walk through one. */

import { en as officeEn } from "../src/office/words/en.ts";
import { es as officeEs } from "../src/office/words/es.ts";
import { zh as officeZh } from "../src/office/words/zh.ts";
import { en } from "../src/words/en.ts";
import { es } from "../src/words/es.ts";
import { en as infoEn } from "../src/words/info/en.ts";
import { es as infoEs } from "../src/words/info/es.ts";
import { zh as infoZh } from "../src/words/info/zh.ts";
import { en as lessonsEn } from "../src/words/lessons/en.ts";
import { es as lessonsEs } from "../src/words/lessons/es.ts";
import { zh as lessonsZh } from "../src/words/lessons/zh.ts";
import { en as playerEn } from "../src/words/player/en.ts";
import { es as playerEs } from "../src/words/player/es.ts";
import { zh as playerZh } from "../src/words/player/zh.ts";
import { en as rulesEn } from "../src/words/rules/en.ts";
import { es as rulesEs } from "../src/words/rules/es.ts";
import { zh as rulesZh } from "../src/words/rules/zh.ts";
import { en as staffEn } from "../src/words/staff/en.ts";
import { es as staffEs } from "../src/words/staff/es.ts";
import { zh as staffZh } from "../src/words/staff/zh.ts";
import { zh } from "../src/words/zh.ts";

/** By folder: English, Spanish and Chinese. */
export const CATALOGUES: Readonly<Record<string, readonly [english: object, ...others: object[]]>> = {
  words: [en, es, zh],
  "words/info": [infoEn, infoEs, infoZh],
  "words/lessons": [lessonsEn, lessonsEs, lessonsZh],
  "words/player": [playerEn, playerEs, playerZh],
  "words/rules": [rulesEn, rulesEs, rulesZh],
  "words/staff": [staffEn, staffEs, staffZh],
  "office/words": [officeEn, officeEs, officeZh],
};

/** Every text of a catalogue, by its path. */
export function texts(catalogue: object, path = ""): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[path + key, value]] : texts(value as object, `${path}${key}.`),
  );
}
