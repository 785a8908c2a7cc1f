/** What differs between games is the felt and what is said of it; `looks` shows the rest with one game. CI looks at one
 * more game, `make looks` at all. */

import { looksWell } from "./looks.ts";
import { WRITES } from "./pixels.ts";
import { ALL, GAMES } from "./scenes.ts";

for (const game of WRITES || ALL ? GAMES.slice(1) : (["roll-to-win"] as const)) {
  looksWell(game, { screens: ALL ? ["seat", "dealer", "table", "info"] : ["seat", "table"], popUps: false });
}
