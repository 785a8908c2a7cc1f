/** How a text of the catalogue is completed, which text names a bet, and how a ticket's number is written. */

let plurals = new Intl.PluralRules("en");

/** Use the plurals of this language from now on. */
export function pluralsOf(locale: string): void {
  plurals = new Intl.PluralRules(locale);
}

/** Put values into a text: `{n}` is the value of n, `{n:roll|rolls}` the form that agrees with n. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)(?::([^{}|]+)\|([^{}|]+))?\}/g, (_, name: string, one?: string, other?: string) =>
    one ? (plurals.select(Number(values[name])) === "one" ? one : other!) : String(values[name]),
  );
}

/** The key of a bet's name, with `n` for its number or pair, and that number. */
export function keyOfBet(id: string): [key: string, number: string] {
  const found = /\d+(-\d+)?/.exec(id);
  return found ? [id.replace(found[0], "n"), found[0]] : [id, ""];
}

/** The text for a name of the server, or the name itself made readable. */
export function named(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name.replaceAll("_", " ");
}

/** A text whose ticket numbers are hidden but for their last four digits: a valid one is as good as the money. */
export function masked(text: string): string {
  return text.replace(/\d{14}(?=\d{4}(?!\d))/g, "…");
}

/** A ticket's number to read out: two digits, then fours, as on the ticket. */
export function grouped(number: string): string {
  return [number.slice(0, 2), ...(number.slice(2).match(/.{1,4}/g) ?? [])].join("-");
}
