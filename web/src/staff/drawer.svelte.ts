/** The cash drawer of the person who is signed in: whether it is open, opening it with a float, closing it with a count. */

import type { DrawerResult, OwnDrawer as Drawer } from "../wire.ts";
import { get, post } from "./asked.ts";

/** What came of a count. */
export interface Counted extends DrawerResult {
  readonly counted_cents: number;
}

export class OwnDrawer {
  /** Not known until the desk has answered. */
  isOpen = $state<boolean | null>(null);
  floatCents = $state(0);
  /** Why the desk said no. */
  says = $state("");

  async look(): Promise<void> {
    const told = await get<Drawer>("/api/drawer");
    this.says = told.ok ? "" : told.says;
    if (told.ok) [this.isOpen, this.floatCents] = [told.value.open, told.value.float_cents];
  }

  async open(floatCents: number): Promise<void> {
    const told = await post("/api/drawer/open", { float_cents: floatCents });
    if (told.ok) await this.look();
    else this.says = told.says;
  }

  /** Closes it, or another person's. */
  async close(countedCents: number, badge = ""): Promise<Counted | null> {
    const path = badge ? `/api/drawers/${encodeURIComponent(badge)}/close` : "/api/drawer/close";
    const told = await post<DrawerResult>(path, { counted_cents: countedCents });
    this.says = told.ok ? "" : told.says;
    return told.ok ? { ...told.value, counted_cents: countedCents } : null;
  }
}
