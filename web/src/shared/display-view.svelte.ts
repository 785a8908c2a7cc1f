/** The messages that a display shows for a while as views come. */

import type { Shared } from "../wire.ts";
import { isFreshRoll, notice, type Notice } from "./notices.ts";

const NOTICE_MS = 9_000;

export class Watch {
  notice = $state.raw<Notice | null>(null);
  #last: Shared | null = null;

  follow(shared: Shared): void {
    const before = this.#last;
    this.#last = shared;
    if (before === shared) return;
    if (before && isFreshRoll(before, shared)) this.notice = null;
    const told = notice(before ?? undefined, shared);
    if (told) this.#tell(told);
  }

  #tell(told: Notice): void {
    this.notice = told;
    setTimeout(() => {
      if (this.notice === told) this.notice = null;
    }, NOTICE_MS);
  }
}
