import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const SCREENS = ["seat", "dealer", "table", "info", "office"];

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/stickman/pages",
    emptyOutDir: true,
    target: "es2023",
    // The server's policy allows no data: addresses and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: SCREENS.map((screen) => `${screen}.html`) },
  },
});
