import "../words/player.ts";
import { openScreen } from "../open.ts";
import Seat from "./Seat.svelte";

openScreen(Seat);
