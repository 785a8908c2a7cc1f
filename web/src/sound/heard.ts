/** What is heard when a screen shows one view after the other: calls, messages, errors and effects. */

import { called, type Call } from "../shared/calls.ts";
import { isFreshRoll, lastRoll, notice } from "../shared/notices.ts";
import type { Message, Shared } from "../wire.ts";
import type { Announcement } from "./announcements.ts";
import type { Effect } from "./channels.ts";
import type { Sound } from "./sound.ts";

/** What of a view can be heard. */
export interface Moment {
  readonly shared: Shared;
  /** What this screen tells players. */
  readonly message: Message;
  /** The last roll paid something here. */
  readonly won: boolean;
  /** What waits for an attendant here. */
  readonly lockups: readonly (string | number)[];
  /** What is on the felt; left out if each touch of a chip makes its own sound. */
  readonly chips_cents?: number;
}

export interface Heard {
  /** The stickman's call, which is also shown. */
  readonly call: Call | null;
  readonly said: readonly Announcement[];
  readonly effects: readonly Effect[];
}

export function heard(before: Moment | null, now: Moment): Heard {
  const call = called(before?.shared ?? null, now.shared);
  if (!before) return { call, said: call ? [call] : [], effects: [] };
  const corrected = notice(before.shared, now.shared)?.kind === "reversed";
  const isNew = (message: Message) => now.message === message && before.message !== message;
  const [waited, waits] = [waiting(before), waiting(now)];
  const locks = waits.some((one) => !waited.includes(one));
  const said: Announcement[] = corrected ? ["corrected"] : [];
  if (call) said.push(call);
  if (isNew("bets_not_valid")) said.push("bets_not_valid");
  if (locks) said.push("attendant");
  return { call, said, effects: locks ? ["alarm", ...effects(before, now)] : effects(before, now) };
}

/** What waits for an attendant: seats or parts of one, and the table itself when a door of it was opened (ruling 43). */
function waiting({ lockups, shared }: Moment): readonly (string | number)[] {
  return shared.locked_up ? [...lockups, "table"] : lockups;
}

function effects(before: Moment, now: Moment): Effect[] {
  const [was, is] = [before.shared, now.shared];
  if (isFreshRoll(was, is)) {
    const ends: Effect[] = now.won ? ["win"] : lastRoll(is)?.mark === "seven_out" ? ["seven_out"] : [];
    return was.phase === "thrown" ? ends : ["dice", ...ends]; // dice that fly are heard at each bounce
  }
  if (was.phase !== "betting" || was.round !== is.round) return [];
  if (is.phase !== "betting") return ["close"];
  const more = (now.chips_cents ?? 0) - (before.chips_cents ?? 0);
  return more > 0 ? ["chip"] : more < 0 ? ["take"] : [];
}

/** Plays what is heard as views come. */
export class Hearing {
  #sound: Sound;
  #before: Moment | null = null;

  constructor(sound: Sound) {
    this.#sound = sound;
  }

  /** All else. Says what the stickman calls. */
  follow(now: Moment): Call | null {
    const { call, said, effects: played } = heard(this.#before, now);
    this.#before = now;
    this.#sound.allowed = now.shared;
    for (const effect of played) this.#sound.play(effect);
    if (said.length) this.#sound.say(said);
    return call;
  }
}
