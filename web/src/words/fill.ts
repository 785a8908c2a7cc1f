/** How a text of the catalogue is completed, and which text names a bet. */

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** The key of a bet's name, with `n` for its number or pair, and that number. */
export function keyOfBet(id: string): [key: string, number: string] {
  const found = /\d+(-\d+)?/.exec(id);
  return found ? [id.replace(found[0], "n"), found[0]] : [id, ""];
}
