/** Asking the desk, for the audit menus. */

import { ask } from "../../house.ts";
import { words } from "../../words/words.svelte.ts";

/** Asks the desk; throws what it says where it refuses. */
export async function desk<T>(path: string): Promise<T> {
  const answer = await ask<T & { says?: string; error?: string }>(path);
  if (!answer) throw new Error(words.text.dealer.no_answer);
  if (!answer.ok) throw new Error(answer.told.says ?? answer.told.error ?? String(answer.status));
  return answer.told;
}
