import { mount } from "svelte";
import "../look.ts";
import Office from "./Office.svelte";
import "./office.css";

mount(Office, { target: document.body });
