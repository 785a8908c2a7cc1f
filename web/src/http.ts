/** Asking the house's addresses. */

export interface Answer<T> {
  readonly ok: boolean;
  readonly status: number;
  readonly told: T;
}

/** What an address answers; nothing where the server is gone, be it in the middle of its answer. */
export async function ask<T>(path: string, request?: RequestInit): Promise<Answer<T> | null> {
  try {
    const answer = await fetch(path, request);
    return { ok: answer.ok, status: answer.status, told: (await answer.json()) as T };
  } catch {
    return null;
  }
}
