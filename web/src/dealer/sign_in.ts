/** Staff at a terminal. A line is made with the session it finds, so whoever comes or goes opens the page anew. */

import type { FloorRefusal } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

interface Answer {
  readonly why?: FloorRefusal;
  readonly must_change?: boolean;
}

async function post(path: string, body: object): Promise<Answer> {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  return (await answer.json()) as Answer;
}

/** Signs in, with a new password where one must be chosen; says why not, or opens the page anew. */
export async function signIn(badge: string, password: string, chosen: string): Promise<FloorRefusal | ""> {
  if (chosen) {
    const changed = await post("/api/password", { badge, password, new: chosen });
    if (changed.why) return changed.why;
  }
  const answer = await post("/api/sign-in", { badge, password: chosen || password });
  if (answer.why) return answer.why;
  if (answer.must_change) return "must_change";
  location.reload();
  return "";
}

export async function signOut(): Promise<void> {
  await post("/api/sign-out", {});
  location.reload();
}

export function says(why: FloorRefusal | ""): string {
  return why && words.why(why, "");
}
