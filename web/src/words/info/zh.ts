/** Texts that only the information display needs, in Simplified Chinese. */

import type { InfoCatalogue } from "./en.ts";

export const zh: InfoCatalogue = {
  info: {
    last_roll: "上一掷",
    no_roll: "尚未掷骰",
    rolls: "共 {n} 掷",
    distribution: "实际与期望",
    rolled: "实际",
    expected: "期望",
    hot: "热门",
    cold: "冷门",
    hard_since: "距上次硬点掷数",
    longest: "最长连掷",
  },
};
