/** The texts of the screens in the chosen language; a change of language changes every screen at once. */

import type { Denial, Detailed, FeltSpot, FloorRefusal, Reason, Refusal } from "../wire.ts";
import { detailed } from "./detail.ts";
import { en, type Catalogue } from "./en.ts";
import { fill, keyOfBet, pluralsOf } from "./fill.ts";
import type { InfoCatalogue } from "./info/en.ts";
import type { LessonsCatalogue } from "./lessons/en.ts";
import type { PlayerCatalogue } from "./player/en.ts";
import type { RulesCatalogue } from "./rules/en.ts";
import type { StaffCatalogue } from "./staff/en.ts";

/** Every language by its own name, and how its catalogue is loaded; English is there from the start. */
export const CATALOGUES = {
  en: { language: "English", load: async (): Promise<Catalogue> => en },
  es: { language: "Español", load: async (): Promise<Catalogue> => (await import("./es.ts")).es },
  zh: { language: "中文", load: async (): Promise<Catalogue> => (await import("./zh.ts")).zh },
};
export type Language = keyof typeof CATALOGUES;

/** What was kept or asked for, where it is a language. */
export function languageOf(value: unknown): Language | null {
  return typeof value === "string" && Object.hasOwn(CATALOGUES, value) ? (value as Language) : null;
}

const LOCALES: Record<Language, string> = { en: "en-US", es: "es-US", zh: "zh-CN" };

/** How moments are written: a ticket's, its last day, a row's among others, one on its own, one of today. */
const MOMENTS = {
  minute: { dateStyle: "short", timeStyle: "short" },
  day: { dateStyle: "medium" },
  row: { dateStyle: "short", timeStyle: "medium" },
  full: { dateStyle: "medium", timeStyle: "medium" },
  clock: { timeStyle: "medium" },
} as const;

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

/** Words that not every page has at once. */
type More = StaffCatalogue | PlayerCatalogue | RulesCatalogue | InfoCatalogue | LessonsCatalogue;
/** What a page has not imported is not there yet. */
type Text = Catalogue & StaffCatalogue & PlayerCatalogue & RulesCatalogue & InfoCatalogue & LessonsCatalogue;

class Words {
  language = $state<Language>("en");
  #text = $state.raw(en as Text);
  /** The felt that is shown: a title replaces a name that a catalogue lacks. */
  felt = $state.raw<readonly FeltSpot[]>([]);
  #more: Record<Language, () => Promise<More>>[] = [];
  #chosen: Language = "en";
  #asked = 0;
  /** Called with the language once it is chosen, to store it. */
  keep: ((language: Language) => void) | undefined;

  get text(): Text {
    return this.#text;
  }

  /** More words: those of English, and how the others are loaded. Done once the language that is spoken has them. */
  async add(english: More, load: Record<Language, () => Promise<More>>): Promise<void> {
    this.#more.push(load);
    this.#text = { ...this.#text, ...english };
    if (this.#chosen !== "en") await this.choose(this.#chosen, false);
  }

  /** Speak this language as soon as its words are here, and keep it as what was chosen, or only for now; says whether
   * they could be had. */
  async choose(language: Language, kept = true): Promise<boolean> {
    this.#chosen = language;
    const asked = ++this.#asked;
    const loading = Promise.all([CATALOGUES[language].load(), ...this.#more.map((load) => load[language]())]);
    const parts = await loading.catch(() => null);
    if (!parts || this.#asked !== asked) return parts !== null;
    this.#text = Object.assign({}, ...parts) as Text;
    this.language = language;
    pluralsOf(LOCALES[language]);
    document.documentElement.lang = language;
    if (kept) this.keep?.(language);
    return true;
  }

  /** An amount as people write it, without cents where there are none. */
  money(cents: number): string {
    return currency(this.language, cents % 100 ? 2 : 0).format(cents / 100);
  }

  /** An amount as a meter shows it, always with cents. */
  meter(cents: number): string {
    return currency(this.language, 2).format(cents / 100);
  }

  /** What was won or lost. */
  signed(cents: number): string {
    return `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${this.meter(Math.abs(cents))}`;
  }

  /** The same, without cents where there are none. */
  net(cents: number): string {
    return `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${this.money(Math.abs(cents))}`;
  }

  /** A large whole number, so that its digits can be read. */
  count(n: number): string {
    return n.toLocaleString(LOCALES[this.language]);
  }

  time(at_ms: number, how: keyof typeof MOMENTS = "minute"): string {
    return new Intl.DateTimeFormat(LOCALES[this.language], MOMENTS[how]).format(at_ms);
  }

  /** An exact `p/q` in hundredths, to two decimals, rounded half up; never through a float, for some are long. */
  percent(exact: string): string {
    return `${hundredths(exact, 10_000n)}%`;
  }

  /** An exact `p/q` of $100. */
  share(exact: string): string {
    return this.meter(Math.round(Number(hundredths(exact, 10_000n)) * 100));
  }

  /** `9 to 5` or `3 for 1` as this language says it. */
  pays(printed: string): string {
    const [, win, how, stake] = /^(\S+) (to|for) (\S+)$/.exec(printed) ?? [];
    return how ? fill(this.text.help[how as "to" | "for"], { win: win!, stake: stake! }) : printed;
  }

  get progressive(): string {
    return this.text.table.meter;
  }

  /** A roll as a placard names it: `7`, `hard 6`, `easy 4`, `other 7`, `1-2`. */
  roll(named: string): string {
    const [how, total] = named.split(" ");
    return total ? fill(this.text.help[how as "hard" | "easy" | "other"], { n: total }) : named;
  }

  /** `2, 3 or 12` in this language. */
  or(several: readonly string[]): string {
    return new Intl.ListFormat(LOCALES[this.language], { type: "disjunction" }).format(several);
  }

  bet(id: string): string {
    return this.kindOfBet(id, keyOfBet(id)[1]);
  }

  /** A kind of bets by the name of one, with other numbers than its own; by its English title where it has no name. */
  kindOfBet(id: string, numbers: string): string {
    const named = (this.text.bets as Readonly<Record<string, string>>)[keyOfBet(id)[0]];
    return named ? fill(named, { n: numbers }) : (this.felt.find(({ spot }) => spot === id)?.title ?? id);
  }

  /** A name as it is printed on the felt. */
  printed({ word = "", title }: Pick<FeltSpot, "word" | "title">): string {
    return (this.text.felt as Readonly<Record<string, string>>)[word] ?? title.toUpperCase();
  }

  /** The reason for a refusal with its detail, unless that is the bet where it is shown. */
  why(why: Reason | Refusal | Denial | FloorRefusal, detail: string | Detailed, at = ""): string {
    const { floor_why, why: known } = this.text;
    const says = { ...floor_why, ...known }[why] ?? known.too_many_tries;
    if (!detail || detail === at) return says;
    const more = detailed(detail, this.text, (cents) => this.money(cents));
    return more ? `${says} (${more})` : says;
  }
}

function hundredths(exact: string, scale: bigint): string {
  const [over, under] = exact.split("/").map(BigInt) as [bigint, bigint];
  const rounded = (2n * over * scale + under) / (2n * under);
  return (Number(rounded) / 100).toFixed(2);
}

export const words = new Words();
