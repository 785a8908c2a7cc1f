/** The place of a page, as its address says: `/seat/1?table=2`, `/office`. One browser can be several screens, so each
 * request names the place that it is for. An address without a table names none: then the browser is one screen. */

import type { Place } from "./wire.ts";

export interface Address {
  readonly pathname: string;
  readonly search: string;
}

const PAGE = /^\/(seat|dealer|table|info|office)(?:\/(\d+))?$/;
const TABLE = /^[1-9]\d{0,5}$/;

/** What the address of a page names; the table is 0 where it names none. */
export function placeOf({ pathname, search }: Address): Place | null {
  const [, screen, seat] = PAGE.exec(pathname) ?? [];
  if (!screen) return null;
  const asked = new URLSearchParams(search).get("table") ?? "";
  const table = screen !== "office" && TABLE.test(asked) ? Number(asked) : 0;
  return { screen: screen as Place["screen"], table, seat: Number(seat ?? 0) };
}

/** The name of a place in a request; empty where the address is of no table. */
export function nameOf(place: Place | null): string {
  if (!place || (!place.table && place.screen !== "office")) return "";
  if (place.screen === "office") return "office";
  return `table-${place.table}-${place.screen}` + (place.seat ? `-${place.seat}` : "");
}

/** A path of the server, asked from this page's place. */
export function here(path: string, at: Address = location): string {
  const name = nameOf(placeOf(at));
  return name ? `${path}${path.includes("?") ? "&" : "?"}place=${name}` : path;
}

/** The address of a place's page. It names its table, and works for a browser that is one screen too; and the language
 * in which it opens, if that is not English. */
export function pageOf({ screen, table, seat }: Place, language = "en"): string {
  const page = seat ? `/${screen}/${seat}` : `/${screen}`;
  const said = [table && `table=${table}`, language !== "en" && `lang=${language}`].filter(Boolean);
  return said.length ? `${page}?${said.join("&")}` : page;
}
