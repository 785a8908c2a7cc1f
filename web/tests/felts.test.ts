/** What differs between games is the felt and what is said of it; `looks` shows the rest with one game. */

import { looksWell } from "./looks.ts";
import { ALL, GAMES } from "./scenes.ts";

for (const game of GAMES.slice(1)) {
  looksWell(game, { screens: ALL ? ["seat", "dealer", "table", "info"] : ["seat", "table"], popUps: false });
}
