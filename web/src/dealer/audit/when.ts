/** A moment as people write it, to the second. */
export function when(at_ms: number, language: string): string {
  return new Date(at_ms).toLocaleString(language, { dateStyle: "short", timeStyle: "medium" });
}
