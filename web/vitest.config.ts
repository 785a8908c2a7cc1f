import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Classes with runes as a browser runs them, but without one: `unit/world.ts` is the world around them. */
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] },
  test: { include: ["unit/*.test.ts"], setupFiles: ["unit/world.ts"], environment: "./unit/environment.ts" },
});
