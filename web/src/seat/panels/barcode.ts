/** Interleaved 2 of 5: digits in pairs, the first of a pair in the bars and the second in the spaces between them. */

const NARROW = 1;
const WIDE = 3;
/** Of each digit, which of its five elements are wide. */
const WIDE_AT: readonly string[] = [
  "00110",
  "10001",
  "01001",
  "11000",
  "00101",
  "10100",
  "01100",
  "00011",
  "10010",
  "01010",
];

/** The widths of bars and spaces in turn, a bar first. An odd number of digits has no code. */
export function interleaved(digits: string): readonly number[] {
  if (!/^(\d\d)+$/.test(digits)) throw new RangeError(`an even number of digits has a code, not ${digits}`);
  const widths = [NARROW, NARROW, NARROW, NARROW];
  for (let n = 0; n < digits.length; n += 2) {
    const [bars, spaces] = [WIDE_AT[Number(digits[n])]!, WIDE_AT[Number(digits[n + 1])]!];
    for (let at = 0; at < 5; at++) widths.push(bars[at] === "1" ? WIDE : NARROW, spaces[at] === "1" ? WIDE : NARROW);
  }
  return [...widths, WIDE, NARROW, NARROW];
}

/** The bars as a path of so high a picture, with its width. */
export function bars(digits: string, high: number): { readonly path: string; readonly width: number } {
  let at = 0;
  let path = "";
  for (const [n, width] of interleaved(digits).entries()) {
    if (n % 2 === 0) path += `M${at} 0h${width}v${high}h${-width}z`;
    at += width;
  }
  return { path, width: at };
}
