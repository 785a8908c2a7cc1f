import { openScreen } from "../mount-screen.ts";
import "../words/staff.ts";
import Dealer from "./Dealer.svelte";

openScreen(Dealer);
