import { openScreen } from "../open.ts";
import Office from "./Office.svelte";

openScreen(Office);
