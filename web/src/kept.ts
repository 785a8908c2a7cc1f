/** What this browser keeps. Its storage may be broken, full or forbidden: then nothing is kept, and nothing stops. */

export function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as unknown;
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is lost with the page.
  }
}
