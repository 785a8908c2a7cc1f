"""A report of tables and floor as one page for screen and paper, and the text of each of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from stickman.paper import report_plots
from stickman.paper.figures import MINUS, decimal, dollars, exact, fraction, percent
from stickman.paper.markup import Child, tag
from stickman.paper.page import Part, figure, key_figures, list_of_notes, page_of_parts
from stickman.paper.report_plots import Row, moment
from stickman.paper.tabular import TextColumn, tabular

Report = Mapping[str, Any]
"""As `stickman report --json` prints it."""


# --- How values are written ---

PERCENTS = ("hold", "returned", "compared", "exact", "band")
DECIMALS = ("results", "chi_square", "limit")
WORDS = ("title", "before", "after", "detail")
"""Columns whose text may wrap."""
DIGEST = 16
"""The digits of a digest or fingerprint that a row shows."""


def written(row: Row, name: str) -> str:
    """A value of a row as text; the end of its name is its unit."""
    value = row[name]
    if value is None:
        return "all" if name == "table" else "–"
    if name.endswith("_cents") or (name in ("reads", "change") and row["unit"] == "cents"):
        return dollars(value)
    if name.endswith("_ms"):
        return time(value)
    if name in PERCENTS:
        return percent(exact(value), 2)
    if name in DECIMALS:
        return decimal(exact(value), 1)
    if name == "under_a_cent":
        return f"{fraction(exact(value))}¢"
    if name in ("digest", "fingerprint"):
        return str(value)[:DIGEST]
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:,}".replace("-", MINUS) if isinstance(value, int) else str(value)


def time(at_ms: int) -> str:
    """
    >>> time(1_767_225_600_531)
    '2026-01-01 00:00:00'
    """
    try:
        return moment(at_ms).strftime("%Y-%m-%d %H:%M:%S")
    except OverflowError:  # only in a forged record
        return f"{at_ms} ms"


# --- The sections and their fields ---


class Section(NamedTuple):
    """A section of a report: its title, its fields, and a note."""

    title: str
    fields: str
    note: str = ""

    @property
    def columns(self) -> dict[str, str]:
        """Headings by field."""
        return {name: _heading(name) for name in self.fields.split()}


HEADINGS = {
    "at_ms": "When",
    "first_ms": "From",
    "last_ms": "To",
    "hold": "Hold by handle",
    "returned": "Return",
    "band": "±",
    "limit": "99% limit",
    "what": "Event",
    "actor": "By",
    "voided": "Taken back",
    "reversals": "Reversed rolls",
    "tips_cents": "Tips given",
    "held_cents": "Should hold",
    "difference_cents": "Over or short",
}


def _heading(name: str) -> str:
    if name in HEADINGS:
        return HEADINGS[name]
    words = name.removesuffix("_cents").replace("_", " ")
    return words[0].upper() + words[1:]


SECTIONS = {
    "money": Section(
        "In and out",
        "table drop_cents bills_cents credit_given_cents tickets_in_cents tickets_out_cents hand_pays_cents"
        " tips_cents envy_cents shortfall_cents",
        "Drop is bills, credit given for cash, and tickets in. A shortfall is what players no longer had when a"
        " roll was reversed.",
    ),
    "play": Section(
        "In play",
        "table rolls handle_cents taken_cents paid_cents fees_cents hold_cents hold commission_cents breakage_cents"
        " under_a_cent",
        "Hold is stakes taken and fees charged upfront, less what was paid. Those fees are in the commission too.",
    ),
    "bills": Section("Bills", "table bill_cents count sum_cents"),
    "games": Section(
        "Games",
        "fingerprint title tables first_ms last_ms rolls handle_cents hold_cents hold expected_hold_cents",
        "Every change of a setting makes another game. The expected hold is the exact hold of the decided bets.",
    ),
    "bets": Section(
        "Bets",
        "bet handle_cents won lost pushed paid_cents jackpots_cents hold_cents returned compared exact band results"
        " verdict",
    ),
    "seats": Section(
        "Seats",
        "table seat cash_in_cents credit_given_cents tickets_in_cents tickets_out_cents hand_pays_cents tips_cents"
        " games wagers handle_cents paid_cents",
        "A game is a round with a new wager; a wager is a bet that counted as handle.",
    ),
    "tickets": Section("Tickets", "what count sum_cents"),
    "progressives": Section(
        "Progressive meters", "meter reading_cents contributions_cents reserve_cents hits paid_cents"
    ),
    "jackpots": Section("Jackpots", "at_ms table seat meter hit paid_cents voided"),
    "dealers": Section("Dealers", "dealer sign_ins rolls no_rolls reversals tips tips_cents envy_cents"),
    "drawers": Section(
        "Cash drawers",
        "at_ms badge counted_by float_cents held_cents counted_cents difference_cents",
        "What a drawer should hold is its float and the cash taken for credit, less the cash paid out.",
    ),
    "drops": Section(
        "Drops",
        "at_ms table seat paper counted booked difference",
        "A stacker was taken out: what its acceptor counted, and what the journal counted since the last drop.",
    ),
    "staff": Section("Sign-ins on the floor", "badge sign_ins failures lockouts"),
    "staff_log": Section("Staff log", "at_ms stream actor what detail seq", "Stream 0 is the floor."),
    "settings": Section(
        "Changes of settings", "at_ms stream key before after by fingerprint", "Stream 0 is the floor."
    ),
    "significant": Section(
        "Significant events", "at_ms stream seat actor what detail seq", "Stream 0 is the floor, seat 0 no seat."
    ),
    "fairness": Section("Chi-square", "mode over rolls chi_square limit verdict"),
    "ledger": Section(
        "Accounts", "account balance_cents change_cents", "Over all records read; they add up to zero."
    ),
    "meters": Section("Meters", "table meter reads change", "Meters are never cleared."),
    "streams": Section(
        "Records", "stream records first_seq last_seq first_ms last_ms digest", "Stream 0 is the floor."
    ),
}
NOTES = """\
A return is what came back of the decided stakes, including pushes. The compared return is computed like a par \
sheet: before rounding, with meters at their reset value. An upfront fee is commission and not part of a return.
The band is 2.5758 standard deviations to either side of the exact return, both from the par sheet: in 99 of 100 \
cases the compared return is in it. Of a hundred bets, about one is outside by chance.
Wagers that one roll decides share its luck, so all that a roll decides of a bet counts as one result; the number \
of results is how many of equal stake would vary as much. If fewer than ten wins, or fewer than ten other results, \
are expected, they are too few to judge.
A reversed roll counts against the period in which it was reversed.""".splitlines()


def rows(report: Report, name: str) -> Sequence[Row]:
    """The rows of a section; `money` and `play` show different fields of the same rows."""
    found: Sequence[Row] = report["money" if name == "play" else name]
    return found


def note(report: Report, name: str) -> str:
    """The note of a section, and whether lines are left out."""
    left_out = report["left_out"].get({"staff_log": "staff"}.get(name, name), 0)
    older = f"{left_out:,} older lines are left out; ask for a shorter time." if left_out else ""
    return f"{SECTIONS[name].note} {older}".strip()


def title(report: Report) -> str:
    table = report["scope"]["table"]
    return "Report of the floor" if table is None else f"Report of table {table}"


def period(report: Report) -> str:
    """The part of the journal that the report covers, in words."""
    scope = report["scope"]
    parts = [
        f"from {time(scope['since_ms'])}" if scope["since_ms"] is not None else "",
        f"until {time(scope['until_ms'])}" if scope["until_ms"] is not None else "",
        f"from record {scope['first_seq']}" if scope["first_seq"] is not None else "",
        f"up to record {scope['last_seq']}" if scope["last_seq"] is not None else "",
    ]
    records = sum(stream["records"] for stream in report["streams"])
    covered = " ".join(part for part in parts if part) or "the whole journal"
    return f"{covered[0].upper()}{covered[1:]}: {records:,} records. Times are UTC."


# --- The page ---


def report_page(report: Report) -> str:
    css, parts = ("par_page.css", "report_page.css"), [part for part in _parts(report) if part[2]]
    return page_of_parts(title(report), css, report_plots.STYLE, period(report), _keys(report), parts)


NO_ROLLS = """\
No dice were rolled in this time, so there is nothing to compare yet: no handle, no hold and no returns. Choose a \
longer time or another table, or come back after the first rolls. What else happened is below."""


def _nothing_rolled(report: Report) -> list[Child]:
    """What to do with a report without rolls."""
    rolled = any(row["rolls"] for row in report["money"])
    return [] if rolled else [tag("p", NO_ROLLS)]


def _parts(report: Report) -> Iterator[Part]:
    def tables(*names: str) -> list[Child]:
        return [table for name in names for table in _table(report, name)]

    yield "no-rolls", "No rolls yet", _nothing_rolled(report)
    yield (
        "money",
        "Money",
        [
            *tables("money", "play"),
            *tables("drops"),
            *_folded(tables("bills"), "Bills by denomination"),
        ],
    )
    yield "win", "Won over time", _win(report)
    yield "games", "Games and bets", [*tables("games"), *_bets(report)]
    yield "dice", "Dice", [*_dice(report), *tables("fairness")]
    yield "seats", "Seats", tables("seats")
    yield "tickets", "Tickets and meters", tables("tickets", "progressives", "jackpots")
    yield "staff", "Staff", [*tables("dealers", "drawers", "staff"), *_folded(tables("staff_log"), "Staff log")]
    yield "settings", "Settings", tables("settings")
    yield "events", "Significant events", tables("significant")
    yield "accounts", "Accounts and meters", [*tables("ledger"), *_folded(tables("meters"), "Every meter")]
    yield "records", "Records", tables("streams")
    yield list_of_notes(NOTES)


def _keys(report: Report) -> Child:
    if not report["money"]:
        return None
    total = report["money"][-1]
    [open_tickets] = [row for row in report["tickets"] if row["what"] == "outstanding"]
    names = ("drop_cents", "handle_cents", "paid_cents", "hold_cents", "hold", "rolls")
    figures = [(_heading(name), written(total, name)) for name in names]
    return key_figures([*figures, ("Open tickets", written(open_tickets, "sum_cents"))])


def _folded(inside: list[Child], summary: str) -> list[Child]:
    return [tag("details", tag("summary", summary), inside)] if inside else []


ALONE = ("seats", "settings", "significant", "streams")
"""Sections that fill a part of the page and need no heading."""


def _table(report: Report, part: str, of: Sequence[Row] | None = None) -> list[Child]:
    section, found = SECTIONS[part], rows(report, part) if of is None else of
    if not found:
        return []
    columns = [TextColumn(heading, _kind(found[0], name)) for name, heading in section.columns.items()]
    cells = [[written(row, name) for name in section.columns] for row in found]
    remark = note(report, part)
    return [
        tag("h3", section.title) if of is None and part not in ALONE else None,
        tag("p", remark, class_="note") if remark else None,
        tabular(columns, cells, "rows"),
    ]


def _kind(row: Row, name: str) -> str:
    return "n" if is_figure(row, name) else "w" if name in WORDS else "t"


def is_figure(row: Row, name: str) -> bool:
    """Whether a value is a figure, which is aligned right."""
    exactly = name in (*PERCENTS, *DECIMALS, "under_a_cent")
    return exactly or not (isinstance(row[name], str) or name.endswith("_ms") or name == "table")


def _win(report: Report) -> list[Child]:
    points = report["win_over_time"]
    drawn = []
    for table in dict.fromkeys(point["table"] for point in points):
        mine = [point for point in points if point["table"] == table]
        won = report_plots.win_over_time(mine, f"Table {table}: won by the house")
        drawn.append(figure(f"Table {table}", won))
    return [tag("div", drawn, class_="plots")] if drawn else []


def _bets(report: Report) -> list[Child]:
    found: list[Child] = []
    for game in report["games"]:
        bets = [bet for bet in report["bets"] if bet["fingerprint"] == game["fingerprint"]]
        if bets:
            handles = report_plots.handles(bets, f"Handle of {game['title']} by bet")
            found += [
                tag("h3", f"{game['title']}, table {game['tables']} ", tag("code", game["fingerprint"][:DIGEST])),
                tag("div", report_plots.returns(bets, f"Returns of {game['title']}"), class_="wide chart"),
                _table(report, "bets", bets),
                tag("figure", tag("figcaption", tag("b", "Handle by bet")), handles, class_="wide chart"),
            ]
    return found


def _dice(report: Report) -> list[Child]:
    found: list[Child] = []
    for mode in dict.fromkeys(count["mode"] for count in report["dice"]):
        dice = [count for count in report["dice"] if count["mode"] == mode]
        whose = "The table’s own dice" if mode == "automated" else "Dealers’ dice"
        grid = report_plots.dice_grid(dice, f"{whose}: the 36 rolls")
        totals = report_plots.dice_totals(dice, f"{whose}: totals")
        found += [tag("h3", whose), tag("div", tag("figure", grid), tag("figure", totals), class_="plots")]
    return found
