/** How large the last rolls can be drawn on a wall. */

const ROLLS = 15;
/** A roll as the strip draws it, in dice: wide and high, with the gap that follows it. */
const WIDE = 2.7;
const HIGH = 3.1;

/** The largest die, in pixels, with which fifteen rolls fit, and in how many lines. */
export function fitStrip(width: number, height: number): { readonly size: number; readonly lines: number } {
  const fits = Array.from({ length: ROLLS }, (_, n) => {
    const lines = n + 1;
    return { size: Math.min(width / (WIDE * Math.ceil(ROLLS / lines)), height / (HIGH * lines)), lines };
  });
  return fits.reduce((best, one) => (one.size > best.size ? one : best));
}
