import "../words/player.ts";
import { openScreen } from "../mount-screen.ts";
import SeatPage from "./SeatPage.svelte";

openScreen(SeatPage);
