/** The sound of a seat, as loud as its player wants it. */

import { Sound } from "../sound/sound.ts";
import { options } from "./options.svelte.ts";

export const sound = new Sound(() => options.volumes);
