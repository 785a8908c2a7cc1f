/** What can be announced: the stickman's calls, messages and errors. Each has a sound file of its name for every
 * language, which `web/sounds.py` makes from these texts. */

import type { Call } from "../shared/calls.ts";
import type { Catalogue } from "../words/en.ts";

export type Announcement = Call | "bets_not_valid";

/** By announcement, what is said. */
export function spoken({ calls, messages }: Catalogue): Record<Announcement, string> {
  return { ...calls, bets_not_valid: messages.bets_not_valid };
}
