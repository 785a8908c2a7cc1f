/** Why staff may not, in words. */

import { words } from "../words/words.svelte.ts";
import { roleFor, type Act } from "./staff.svelte.ts";

/** That an act takes a higher role, and which. */
export function tooLow(act: Act): { why: "not_allowed"; detail: string } {
  return { why: "not_allowed", detail: words.text.dealer.roles[roleFor(act)] };
}
