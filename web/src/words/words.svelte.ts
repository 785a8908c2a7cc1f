/** The words of the screens, in the language that is chosen; a change of language changes every screen at once. */

import type { Denial, FloorRefusal, Refusal } from "../wire.ts";
import { en, type Catalogue } from "./en.ts";
import { es } from "./es.ts";
import { fill, keyOfBet } from "./fill.ts";
import { zh } from "./zh.ts";

export const CATALOGUES = { en, es, zh };
export type Language = keyof typeof CATALOGUES;

const LOCALES: Record<Language, string> = { en: "en-US", es: "es-US", zh: "zh-CN" };

const formats = new Map<string, Intl.NumberFormat>();

/** Made once for each language and number of digits: making one takes longer than all else on the felt. */
function currency(language: Language, digits: number): Intl.NumberFormat {
  const key = `${language} ${digits}`;
  const found =
    formats.get(key) ??
    new Intl.NumberFormat(LOCALES[language], {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(key, found);
  return found;
}

class Words {
  language = $state<Language>("en");

  get text(): Catalogue {
    return CATALOGUES[this.language];
  }

  choose(language: Language): void {
    this.language = language;
    document.documentElement.lang = language;
  }

  /** An amount as people write it, without cents where there are none. */
  money(cents: number): string {
    return currency(this.language, cents % 100 ? 2 : 0).format(cents / 100);
  }

  /** An amount as a meter shows it, always with cents. */
  meter(cents: number): string {
    return currency(this.language, 2).format(cents / 100);
  }

  bet(id: string): string {
    const [key, number] = keyOfBet(id);
    return fill(this.text.bets[key as keyof Catalogue["bets"]], { n: number });
  }

  /** Why not, with what exactly: a bet by its name, unless it is shown there anyway. */
  why(why: Refusal | Denial | FloorRefusal, detail: string, at = ""): string {
    if (!detail || detail === at) return this.text.why[why];
    const named = keyOfBet(detail)[0] in this.text.bets ? this.bet(detail) : detail;
    return `${this.text.why[why]} (${named})`;
  }
}

export const words = new Words();
