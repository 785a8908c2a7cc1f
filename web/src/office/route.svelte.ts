/** The place in the office: a page, or a part of a table's. It is kept in the address, so that a page opened
 * again, or a step back, is the same place. The fragment is left alone: a link's code stands there. */

export const PAGES = [
  "tables",
  "progressives",
  "tickets",
  "drawers",
  "terminals",
  "devices",
  "staff",
  "events",
  "reports",
  "health",
] as const;
export type Page = (typeof PAGES)[number];
export const PARTS = ["seats", "accounts", "meters", "settings", "rounds", "dealers", "par"] as const;
export type Part = (typeof PARTS)[number];

interface Place {
  readonly page: Page;
  /** 0: none is open. */
  readonly table: number;
  readonly part: Part;
}

function read(): Place {
  const query = new URLSearchParams(location.search);
  const [page, part] = [query.get("page"), query.get("part")];
  return {
    page: PAGES.find((each) => each === page) ?? "tables",
    table: Number(query.get("table")) || 0,
    part: PARTS.find((each) => each === part) ?? "seats",
  };
}

class Route {
  at = $state.raw<Place>(read());

  constructor() {
    addEventListener("popstate", () => (this.at = read()));
  }

  go(page: Page, table = 0, part: Part = "seats"): void {
    const query = new URLSearchParams({ page, ...(table && { table: String(table), part }) });
    history.pushState(null, "", `${location.pathname}?${query}`);
    this.at = { page, table, part };
    scrollTo(0, 0);
  }
}

export const route = new Route();
