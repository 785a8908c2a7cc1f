/** The buttons of the seat screen, each by its name and what it does; those that the game lacks are left out. */

import type { Placard, SeatView } from "../../wire.ts";
import { fill } from "../../words/fill.ts";
import { words } from "../../words/words.svelte.ts";
import { isWhyNot } from "../../offers.ts";

type Described = keyof typeof words.text.does;

const BETTING = [
  "across",
  "inside",
  "outside",
  "press",
  "double",
  "repeat",
  "auto_repeat",
  "favourites",
  "keep_bets",
  "off",
  "all_on",
  "all_off",
  "puck_off",
  "undo",
  "cancel",
  "clear_last",
  "clear_all",
  "cancel_all",
  "roll",
] as const satisfies readonly Described[];
const HOUSE = ["shooter_play", "tip", "call_service"] as const;
const MONEY = ["cash_out", "reserve", "come_back"] as const;
const TOOLS = ["help", "rules", "options", "session", "volume", "menu", "buttons"] as const;

function lacking({ offers }: SeatView, name: string): boolean {
  const offer = { ...offers.toggles, ...offers.chip_buttons, ...offers.buttons }[name];
  return isWhyNot(offer) && offer.why === "no_such_button";
}

/** What a player may touch besides the felt, and what it does. */
export function described(view: SeatView, placard: Placard): readonly (readonly [name: string, does: string])[] {
  const { buttons, tools, seat, tabs, meters, does } = words.text;
  const insert = view.shared.emulator ? "insert" : "add_money";
  const betting = BETTING.filter((name) => !lacking(view, name));
  const tab = [tabs.props, tabs.sides, tabs.hops].join(", ");
  return [
    ...[...betting, ...HOUSE, insert, ...MONEY].map(
      (name) => [buttons[name as keyof typeof buttons], does[name as Described]] as const,
    ),
    ...placard.win_offers.map((name) => [fill(seat[name], { bet: "…" }), does[name]] as const),
    ...TOOLS.map((name) => [tools[name], does[name]] as const),
    [seat.chips, does.chips],
    [seat.shoot, does.dice],
    [`${meters.credit}, ${meters.bet} …`, does.meters],
    [tab, does.tabs],
    [seat.language, does.language],
  ];
}
