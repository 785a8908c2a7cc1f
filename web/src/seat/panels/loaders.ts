/** Everything that opens above the felt: one piece, loaded when the first of it is wanted. */

import type { Component } from "svelte";
import "../../words/rules.ts";
import type { Panel, Terminal } from "../terminal.svelte.ts";
import Favourites from "./Favourites.svelte";
import Lessons from "../lessons/Lessons.svelte";
import Help from "./Help.svelte";
import Menu from "./Menu.svelte";
import Money from "./Money.svelte";
import MoreButtons from "./MoreButtons.svelte";
import Name from "./Name.svelte";
import Options from "./Options.svelte";
import Pin from "./Pin.svelte";
import Reduce from "./Reduce.svelte";
import Repeat from "./Repeat.svelte";
import Rules from "./Rules.svelte";
import Session from "./Session.svelte";
import Statistics from "./Statistics.svelte";
import Switching from "./Switching.svelte";
import Ticket from "./Ticket.svelte";
import Volume from "./Volume.svelte";

export { default as Question } from "./Question.svelte";
export { default as SideLadder } from "./SideLadder.svelte";

export const PANELS: Record<Panel, Component<{ terminal: Terminal }>> = {
  menu: Menu,
  buttons: MoreButtons,
  help: Help,
  rules: Rules,
  options: Options,
  session: Session,
  statistics: Statistics,
  favourites: Favourites,
  volume: Volume,
  money: Money,
  ticket: Ticket,
  name: Name,
  pin: Pin,
  repeat: Repeat,
  reduce: Reduce,
  lessons: Lessons,
  switch: Switching,
};
