/** Texts that only the information display needs, in English. */

export const en = {
  info: {
    last_roll: "Last roll",
    no_roll: "No roll yet",
    rolls: "{n} {n:roll|rolls}",
    distribution: "Rolled and expected",
    rolled: "rolled",
    expected: "expected",
    hot: "Hot",
    cold: "Cold",
    hard_since: "Rolls since the hard way",
    longest: "Longest hands",
  },
};

export type InfoCatalogue = typeof en;
