/** What stacks and chips look like. */

/** A stack on a spot, of one player or of all. */
export interface Stack {
  readonly cents: number;
  /** Off: the next roll does nothing to it. */
  readonly off?: boolean;
  readonly locked?: boolean;
  readonly pending?: boolean;
  /** What it would win, where that is written on it. */
  readonly wins?: number;
}

/** How large the chips of a part of the felt are, in its own units. */
export function chipRadius({ w }: { readonly w: number }): number {
  return w < 450 ? 17 : 19;
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

/** A stack has the colour of the largest chip that is in it: it colours up. Its rim has that of the largest chip in the
 * rest, so that $6 does not look like $5. */
export function chipColours(cents: number): readonly [face: string, rim: string] {
  const [value, face] = largest(cents);
  const rest = value ? cents % value : 0;
  return [face, rest ? largest(rest)[1] : face];
}

function largest(cents: number): readonly [cents: number, colour: string] {
  return COLOURS.find(([from]) => cents >= from) ?? COLOURS.at(-1)!;
}

/** What has room on a chip in letters that can be read. */
const SIGNS_MAX = 5;

/** An amount as short as a chip needs it; what is left out is in the name of its spot. */
export function chipText(cents: number): string {
  const dollars = cents / 100;
  if (cents >= 1_000_000) return `${Math.floor(dollars / 100) / 10}K`;
  const exact = cents % 100 ? dollars.toFixed(2) : String(dollars);
  if (exact.length <= SIGNS_MAX) return exact;
  return dollars < 1000 ? String(Math.floor(dollars * 10) / 10) : String(Math.floor(dollars));
}
