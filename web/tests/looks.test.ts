import { looksWell } from "./looks.ts";

looksWell("craps", {});
