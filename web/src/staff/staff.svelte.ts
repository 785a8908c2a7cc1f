/** Who is signed in at this terminal; signing in and out, and the second person. */

import { ask } from "../http.ts";
import type { Member, WhoIsHere } from "../wire.ts";
import { post, type No, type Told } from "./asked.ts";
import type { Deed } from "./second.svelte.ts";

const LOOK_MS = 5_000;
/** Refusals of a sign-in that ask for a new password. */
const CHOOSING = ["must_change", "weak_password", "same_password"];
/** A person signs in: the page is about to be loaded again, and shows nothing new until then. */
let signingIn = false;

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
    if (!answer?.ok || signingIn) return;
    const { place, staff } = answer.told;
    this.table = place.table;
    if (staff?.badge !== this.member?.badge || staff?.must_change !== this.member?.must_change || !this.known) {
      this.member = staff;
    }
    this.known = true;
  }
}

/** Signs in, with a new password where one is given; says why not, or opens the page again: a line is made with the
 * session that it finds. */
export async function signIn(badge: string, password: string, chosen: string): Promise<No | null> {
  signingIn = true;
  const no = await refusedSignIn(badge, password, chosen);
  signingIn = !no || mustChoose(no);
  if (!no) location.reload();
  return no;
}

/** Whether a new password is wanted. */
export function mustChoose({ why }: No): boolean {
  return CHOOSING.includes(why);
}

async function refusedSignIn(badge: string, password: string, chosen: string): Promise<No | null> {
  const changed = chosen ? await post("/api/password", { badge, password, new: chosen }) : null;
  if (changed?.ok === false) return changed;
  const told = await post<{ must_change: boolean }>("/api/sign-in", { badge, password: chosen || password });
  if (!told.ok) return told;
  return told.value.must_change ? { ok: false, why: "must_change", says: "", status: 0 } : null;
}

export async function signOut(): Promise<void> {
  await post("/api/sign-out");
  location.reload();
}

/** A second person gives their password for one deed of who is signed in here: their badge, or why not. */
export function approve(badge: string, password: string, deed: Deed): Promise<Told<{ approver: string }>> {
  return post("/api/approve", { badge, password, ...deed });
}
