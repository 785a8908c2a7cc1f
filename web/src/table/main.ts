import { openScreen } from "../open.ts";
import Table from "./Table.svelte";

openScreen(Table);
