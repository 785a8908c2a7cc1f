import { mount } from "svelte";
import Fence from "../Fence.svelte";
import "../staff/marks.css";
import "../styles.ts";
import { speakToStaff } from "../words/staff.ts";
import Office from "./Office.svelte";
import "./office.css";

speakToStaff();
mount(Fence, { target: document.body, props: { page: Office } });
