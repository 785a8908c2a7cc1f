import { openScreen } from "../open.ts";
import Info from "./Info.svelte";

openScreen(Info);
