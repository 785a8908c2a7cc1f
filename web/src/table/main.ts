import { openScreen } from "../open.ts";
import { chooseAsked } from "../words/asked.ts";
import Table from "./Table.svelte";

chooseAsked();
openScreen(Table);
