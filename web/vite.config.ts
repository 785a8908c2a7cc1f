import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const SCREENS = ["seat", "dealer", "table", "info", "office"];
/** What nearly every screen has: in one piece, which is smaller than many. */
const COMMON = /node_modules|\/src\/(\w+\.ts|\w+\.svelte\b|shared\/|felt\/(Dice|Die)\.|words\/\w+\.svelte\b|words\/(en|fill)\.ts)/;

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/stickman/pages",
    emptyOutDir: true,
    target: "es2023",
    // The server's policy allows no data: addresses and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: SCREENS.map((screen) => `${screen}.html`),
      output: { codeSplitting: { groups: [{ name: "common", test: COMMON }] } },
    },
  },
});
