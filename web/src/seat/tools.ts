/** What opens next to the felt, in its order. */

export const TOOLS = ["rules", "options", "session"] as const;
