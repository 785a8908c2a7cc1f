/** Texts that only the information display needs, in Spanish. */

import type { InfoCatalogue } from "./en.ts";

export const es: InfoCatalogue = {
  info: {
    last_roll: "Último tiro",
    no_roll: "Aún no hay tiros",
    rolls: "{n} {n:tiro|tiros}",
    distribution: "Resultados y esperados",
    rolled: "resultados",
    expected: "esperados",
    hot: "Calientes",
    cold: "Fríos",
    hard_since: "Tiros desde el duro",
    longest: "Manos más largas",
  },
};
