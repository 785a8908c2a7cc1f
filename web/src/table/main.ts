import { openScreen } from "../mount-screen.ts";
import { chooseAsked } from "../words/from-url.ts";
import Table from "./Table.svelte";

chooseAsked();
openScreen(Table);
