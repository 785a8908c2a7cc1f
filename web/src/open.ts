/** Opens a screen in its page. */

import "@fontsource/barlow-condensed/latin-500.css";
import "@fontsource/barlow-condensed/latin-600.css";
import "@fontsource/inter/latin-400.css";
import "@fontsource/inter/latin-600.css";
import { mount, type Component } from "svelte";
import Gate from "./Gate.svelte";
import { Screen } from "./screen.svelte.ts";
import "./theme.css";

/** Mounts the component once the line is open, and a banner while it is not. */
export function openScreen(page: Component<{ screen: Screen<never> }>): void {
  const screen = new Screen<never>();
  mount(Gate, { target: document.body, props: { screen, page } });
  void screen.open();
}
