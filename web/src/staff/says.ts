/** Why staff may not, in words. */

import { words } from "../words/words.svelte.ts";
import { roleFor, type Act, type No } from "./staff.svelte.ts";

export function says({ why, detail }: No): string {
  return why === "busy" || why === "no_answer" ? words.text.dealer[why] : words.why(why, detail);
}

/** That an act takes a higher role, and which. */
export function tooLow(act: Act): { why: "not_allowed"; detail: string } {
  return { why: "not_allowed", detail: words.text.dealer.roles[roleFor(act)] };
}
