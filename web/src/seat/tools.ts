/** What opens next to the felt, and which buttons stand under it, in their order. */

/** What is a player's own: nobody opens it while the player is away and the seat is reserved. */
export const PRIVATE: readonly string[] = ["options", "session", "statistics", "favourites", "name"];
/** What a practice has not. */
export const OF_REAL_MONEY: readonly string[] = [
  ...["session", "statistics", "favourites", "money", "ticket", "name", "pin", "lessons"],
];
export const TOOLS = ["rules", "options", "session", "volume"] as const;
/** What is at most two taps away only if its tool is one: drawn as a sign where names have no room. */
export const SIGNS = { options: "⚙", session: "◷" } as const;

const REPEAT = ["repeat", "auto_repeat"] as const;
const NUMBERS = ["across", "inside", "outside", "press"] as const;

/** By room, and by the mode that the hand is in: what the mode can do to all chips at once is next to what it says. */
export const ROWS = {
  all: [...NUMBERS, ...REPEAT, "favourites", "double", "off", "puck_off", "undo", "cancel"],
  few: ["undo", ...REPEAT, "favourites", "off", "cancel"],
  /** What the few leave out. */
  more: [...NUMBERS, "double", "puck_off"],
  /** What would be three taps away on a phone on its side. */
  menu: [...NUMBERS, "favourites", "double", "puck_off", "clear_last", "cancel_all", "all_on", "all_off"],
  easy: [...REPEAT, "undo"],
  cancel: ["clear_last", "cancel_all", "undo"],
  off: ["all_on", "all_off"],
  ask: [],
} as const;

export type Row = keyof typeof ROWS;
