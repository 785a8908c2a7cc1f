import { openScreen } from "../open.ts";
import { chooseAsked } from "./language.ts";
import Table from "./Table.svelte";

chooseAsked();
openScreen(Table);
