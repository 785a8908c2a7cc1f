/** What stacks and chips look like. */

/** A stack on a spot, of one player or of all. */
export interface Stack {
  readonly cents: number;
  /** On or off; not given where no mark says so. */
  readonly off?: boolean;
  readonly locked?: boolean;
  readonly pending?: boolean;
  /** What it would win, where that is written on it. */
  readonly wins?: number;
}

const COLOURS: readonly (readonly [from_cents: number, colour: string])[] = [
  [100_000, "orange"],
  [50_000, "purple"],
  [10_000, "black"],
  [2_500, "green"],
  [1_000, "blue"],
  [500, "red"],
  [0, "white"],
];

/** A stack has the colour of the largest chip that is in it: it colours up. */
export function chipColour(cents: number): string {
  return COLOURS.find(([from]) => cents >= from)?.[1] ?? "white";
}

/** An amount as short as a chip needs it. */
export function chipText(cents: number): string {
  const dollars = cents / 100;
  if (cents >= 1_000_000) return `${Math.floor(dollars / 100) / 10}K`;
  return cents % 100 ? dollars.toFixed(2) : String(dollars);
}
