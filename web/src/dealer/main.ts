import { openScreen } from "../mount-screen.ts";
import "../staff/marks.css";
import { speakToStaff } from "../words/staff.ts";
import Dealer from "./Dealer.svelte";

speakToStaff();
openScreen(Dealer);
