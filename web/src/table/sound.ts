/** The sound of the table display, as loud as its address asks for. */

import { Sound } from "../sound/sound.ts";
import { askedVolumes } from "./from-url.ts";

const volumes = askedVolumes(location.search);

export const sound = new Sound(() => volumes);
/** Nothing of it is loaded where nothing can be heard. */
export const isHeard = Object.values(volumes).some((volume) => volume > 0);
