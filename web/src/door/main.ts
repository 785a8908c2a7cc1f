import { mount } from "svelte";
import Fence from "../Fence.svelte";
import { keep, recall } from "../kept.ts";
import "../styles.ts";
import { languageOf, words } from "../words/words.svelte.ts";
import Door from "./Door.svelte";

const KEPT = "stickman/door";

words.keep = (language) => keep(KEPT, language);
void words.choose(languageOf(recall(KEPT)) ?? "en", false);
mount(Fence, { target: document.body, props: { page: Door } });
