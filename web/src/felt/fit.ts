/** How large a text may be set in a given width: measured roughly, for text is laid before it is drawn. */

const NARROW_EM = 0.46;
const WIDE_EM = 1;
/** No letters are smaller: a text that is still too long has a shorter form, or does not belong there. */
export const LETTERS_LEAST = 13;

export function ems(text: string): number {
  return Array.from(text).reduce((sum, sign) => sum + (sign > "\u2e7f" ? WIDE_EM : NARROW_EM), 0);
}

export function sizeToFit(text: string, size: number, width: number): number {
  return Math.max(Math.min(size, width / ems(text)), LETTERS_LEAST);
}
