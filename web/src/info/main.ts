import { openScreen } from "../open.ts";
import { chooseAsked } from "../table/language.ts";
import Info from "./Info.svelte";

chooseAsked();
openScreen(Info);
