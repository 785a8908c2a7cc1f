import "../words/player.ts";
import { openScreen } from "../mount-screen.ts";
import Seat from "./Seat.svelte";

openScreen(Seat);
