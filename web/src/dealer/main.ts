import { openScreen } from "../open.ts";
import Dealer from "./Dealer.svelte";

openScreen(Dealer);
