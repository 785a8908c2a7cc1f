import { mount } from "svelte";
import Fence from "../Fence.svelte";
import "../styles.ts";
import Office from "./Office.svelte";
import "./office.css";

mount(Fence, { target: document.body, props: { page: Office } });
