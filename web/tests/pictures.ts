/** Takes pictures of every screen at a table in play, to be looked at: `npm run pictures [-- GAMES [LANGUAGES]]`. */

import { mkdirSync } from "node:fs";
import { GAMES, looksAt, playEvening, type Game } from "./scenes.ts";

const [games = GAMES.join(","), languages = "en"] = process.argv.slice(2);

mkdirSync("pictures", { recursive: true });
for (const game of games.split(",") as Game[]) {
  const evening = await playEvening(game);
  try {
    for await (const { page, where } of looksAt(evening)) {
      const name = `${game} ${where}`.replaceAll(/[ ,]+/g, "-");
      if (languages.split(",").includes(where.slice(-2))) await page.screenshot({ path: `pictures/${name}.png` });
    }
    for (const problem of evening.floor.problems) console.error(problem);
  } finally {
    await evening.floor.close();
  }
}
