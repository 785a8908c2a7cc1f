/** Opens a screen in its page. */

import { mount, type Component } from "svelte";
import ScreenShell from "./ScreenShell.svelte";
import "./styles.ts";
import { Screen } from "./screen.svelte.ts";

/** Mounts the component once the line is open, and a banner while it is not. */
export function openScreen(page: Component<{ screen: Screen<never> }>): void {
  const screen = new Screen<never>();
  mount(ScreenShell, { target: document.body, props: { screen, page } });
  void screen.open();
}
