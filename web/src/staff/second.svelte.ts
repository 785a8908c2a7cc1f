/** The second person: asked for where two are needed, for one deed, which they read in words. */

import type { Screen } from "../screen.svelte.ts";
import type { Request, View } from "../wire.ts";

/** What is approved, as the server is asked for it: of a table, or of the desk (`POST /api/tickets/…/void`). */
export type Deed =
  { readonly table: number; readonly request: Request } | { readonly endpoint: string; readonly body: object };

interface Wanted {
  readonly what: string;
  readonly deed: Deed;
  readonly answer: (approver: string) => void;
}

class Seconding {
  wanted = $state.raw<Wanted | null>(null);

  /** Who has approved; nobody: it was dismissed. */
  answer(approver: string): void {
    const { wanted } = this;
    this.wanted = null;
    wanted?.answer(approver);
  }
}

export const seconding = new Seconding();

/** Asks for a second person; their badge once they have approved, nothing where nobody does. */
export function second(what: string, deed: Deed): Promise<string> {
  seconding.answer("");
  return new Promise((answer) => (seconding.wanted = { what, deed, answer }));
}

/** Asks a table for something at a place of the screen; where that takes two, a second person is asked for and it is
 * asked again. Says whether it was done. */
export function askWithTwo<V extends View>(
  screen: Screen<V>,
  table: number,
  request: Request,
  at: string,
  what: string,
): Promise<boolean> {
  return screen.ask(request, at, () => second(what, { table, request }));
}
