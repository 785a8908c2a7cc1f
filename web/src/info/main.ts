import "../words/info.ts";
import { openScreen } from "../open.ts";
import { chooseAsked } from "../words/asked.ts";
import Info from "./Info.svelte";

chooseAsked();
openScreen(Info);
