import "../words/info.ts";
import { openScreen } from "../mount-screen.ts";
import { chooseAsked } from "../words/from-url.ts";
import Info from "./Info.svelte";

chooseAsked();
openScreen(Info);
