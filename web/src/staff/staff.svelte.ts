/** Who is signed in at this terminal, and the house's other addresses: signing in and out, the second person. */

import { ask } from "../house.ts";
import type { Denial, FloorRefusal, Member, WhoIsHere } from "../wire.ts";
import type { Deed } from "./second.svelte.ts";

/** Why an address said no; `busy`: too many tried at once; `no_answer`: it said nothing. */
export interface No {
  readonly why: FloorRefusal | Denial | "busy" | "no_answer";
  readonly detail: string;
}

interface Said {
  readonly no?: No;
  readonly must_change?: boolean;
  readonly approver?: string;
}

const LOOK_MS = 5_000;

export class Staff {
  /** Nobody, once it is known. */
  member = $state.raw<Member | null>(null);
  known = $state(false);
  table = $state(0);

  /** Looks who is signed in, now and then: a session that nobody uses is locked. Says how to stop. */
  watch(): () => void {
    void this.look();
    const looking = setInterval(() => void this.look(), LOOK_MS);
    return () => clearInterval(looking);
  }

  async look(): Promise<void> {
    const answer = await ask<WhoIsHere>("/api/place");
    if (!answer?.ok) return;
    const { place, staff } = answer.told;
    this.table = place.table;
    if (staff?.badge !== this.member?.badge || staff?.must_change !== this.member?.must_change || !this.known) {
      this.member = staff;
    }
    this.known = true;
  }
}

async function post(path: string, body: object): Promise<Said> {
  const request = { method: "POST", body: JSON.stringify(body) };
  const answer = await ask<Partial<No> & Said & { error?: string }>(path, request);
  if (!answer) return { no: { why: "no_answer", detail: "" } };
  if (answer.ok) return answer.told;
  const { why, detail, error } = answer.told;
  if (answer.status === 429 && !why) return { no: { why: "busy", detail: "" } };
  return { no: { why: why ?? "no_answer", detail: detail ?? error ?? "" } };
}

/** Signs in, with a new password where one is given; says why not, or opens the page anew: a line is made with the
 * session that it finds. */
export async function signIn(badge: string, password: string, chosen: string): Promise<No | null> {
  if (chosen) {
    const { no } = await post("/api/password", { badge, password, new: chosen });
    if (no) return no;
  }
  const { no, must_change } = await post("/api/sign-in", { badge, password: chosen || password });
  if (no) return no;
  if (must_change) return { why: "must_change", detail: "" };
  location.reload();
  return null;
}

export async function signOut(): Promise<void> {
  await post("/api/sign-out", {});
  location.reload();
}

/** A second person gives their password for one deed of who is signed in here: their badge, or why not. */
export async function approve(
  badge: string,
  password: string,
  deed: Deed,
): Promise<{ readonly no: No } | { readonly no?: undefined; readonly approver: string }> {
  const { no, approver = badge } = await post("/api/approve", { badge, password, ...deed });
  return no ? { no } : { approver };
}
