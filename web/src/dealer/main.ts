import { openScreen } from "../open.ts";
import "../words/staff.ts";
import Dealer from "./Dealer.svelte";

openScreen(Dealer);
