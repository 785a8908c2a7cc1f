/** Sitting down at a demonstration, where no code is needed. */

import { ask } from "./http.ts";
import { nameOf } from "./place.ts";
import type { FrontDoor, Place, Seated, Sit } from "./wire.ts";

export type Sat = "sat" | "taken" | "often" | "no_place" | "no_answer";

/** What a visitor of this floor may know; nothing where the server does not answer. */
export async function frontDoor(): Promise<FrontDoor | null> {
  const answer = await ask<FrontDoor>("/api/door");
  return answer?.ok ? answer.told : null;
}

/** Enrols this browser at a place. It is done once the server knows this browser there, so that one without cookies does
 * not try without end. */
export async function sitDown(place: Place, take = false): Promise<Sat> {
  const answer = await ask<Seated>("/api/sit", { method: "POST", body: JSON.stringify({ ...place, take } as Sit) });
  if (answer?.status === 409) return "taken";
  if (answer?.status === 429) return "often";
  if (answer?.status === 404) return "no_place";
  if (!answer?.ok) return "no_answer";
  const known = await fetch(`/api/place?place=${nameOf(place)}`).catch(() => null);
  return known?.ok ? "sat" : "no_answer";
}
