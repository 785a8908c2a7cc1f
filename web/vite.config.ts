import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const SCREENS = ["seat", "dealer", "table", "info", "office", "door"];
/** What nearly every screen has: in one piece, which is smaller than many. */
const COMMON =
  /node_modules(?!\/uqr)|\/src\/((?!sit)[\w-]+\.ts|(?!Enrol)\w+\.svelte\b|shared\/(?!past-rounds|display-view|MeterRow|NoticeBar|choose|counting|ladders|win-size|breakpoints)|felt\/(Dice|Die|Puck)\.|words\/\w+\.svelte\b|words\/(en|fill|from-url)\.ts)/;
/** What the player terminal needs at once; what opens later is not in it. */
const SEAT =
  /\/src\/seat\/(?!main|panels\/|lessons\/|[Cc]oach|Drawer|EasyBets|AmountPad|Keypad|[Pp]aper|Result|BigWin|WinCanvas|WinOffer|Notice|Throw|Questions|[Ff]avourite)/;
/** What a screen of staff needs at once. */
const STAFF = /\/src\/staff\/(net|focus|asked|confirm|second|staff|rights|deeds|SignIn|Second|ConfirmDialog)\b/;
/** What staff open now and then, a piece for each kind: few pieces are smaller than many. */
const KEYS = /\/src\/staff\/(GiveCredit|Drawer|OpenDrawer|Pad|amount|drawer)/;
const GROUPS = [
  { name: "common", test: COMMON },
  { name: "choose", test: /\/src\/shared\/choose/ },
  { name: "felt", test: /\/src\/(felt\/(?!Travel)|shared\/ladders)/ },
  { name: "sound", test: /\/src\/sound\/(heard|sound|channels)/ },
  { name: "seat", test: SEAT },
  { name: "lessons", test: /\/src\/(seat\/lessons\/|words\/lessons(\.ts|\/en))/ },
  { name: "staff", test: STAFF },
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
      if (request.url === "/") request.url = "/door.html";
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
