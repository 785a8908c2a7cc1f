import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const SCREENS = ["seat", "dealer", "table", "info", "office"];
/** What nearly every screen has: in one piece, which is smaller than many. */
const COMMON =
  /node_modules|\/src\/([\w-]+\.ts|\w+\.svelte\b|shared\/(?!past-rounds|display-view|MeterRow|NoticeBar)|felt\/(Dice|Die|Puck)\.|words\/\w+\.svelte\b|words\/(en|fill|from-url)\.ts)/;
/** What the player terminal needs at once; what opens later is not in it. */
const SEAT = /\/src\/seat\/(?!main|panels\/|[Cc]oach|EasyBets|WinOffers|AmountPad|Keypad|Result|WinCanvas)/;
/** What staff open now and then, a piece for each kind: few pieces are smaller than many. */
const KEYS = /\/src\/staff\/(TerminalMenu|GiveCredit|Drawer|OpenDrawer|Pad|amount|drawer)/;
const GROUPS = [
  { name: "common", test: COMMON },
  { name: "felt", test: /\/src\/felt\// },
  { name: "sound", test: /\/src\/sound\/(heard|sound|channels)/ },
  { name: "seat", test: SEAT },
  { name: "keys", test: KEYS },
  { name: "past", test: /\/src\/shared\/past-rounds/ },
  { name: "audit", test: /\/src\/staff\/audit\// },
];

/** The server that `npm run dev` shows: what is not a page or a source is asked there. */
const SERVED = process.env["STICKMAN_URL"] ?? "http://127.0.0.1:8000";
const there = { target: SERVED, changeOrigin: true, ws: true, headers: { origin: SERVED } };

/** The addresses of the pages, as the server has them: `/seat/1`, `/dealer`. */
const addresses: Plugin = {
  name: "addresses",
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      const screen = SCREENS.find((name) => new RegExp(`^/${name}(/\\d+)?(\\?|$)`).test(request.url ?? ""));
      if (screen) request.url = `/${screen}.html`;
      next();
    });
  },
};

export default defineConfig({
  plugins: [svelte(), addresses],
  server: { proxy: { "/api": there, "/ws": there, "/sounds": there } },
  build: {
    outDir: "../src/stickman/pages",
    emptyOutDir: true,
    target: "es2023",
    // The server's policy allows no data: addresses and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: SCREENS.map((screen) => `${screen}.html`),
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
});
