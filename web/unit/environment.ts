/** Code as a browser gets it, run by Node. */

import type { Environment } from "vitest/runtime";

export default {
  name: "screens",
  viteEnvironment: "client",
  setup: () => ({ teardown: () => {} }),
} satisfies Environment;
