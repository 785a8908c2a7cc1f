/** Why staff may not, in words. */

import { words } from "../words/words.svelte.ts";
import type { No } from "./staff.svelte.ts";

export function says({ why, detail }: No): string {
  return why === "busy" || why === "no_answer" ? words.text.dealer[why] : words.why(why, detail);
}
