"""Cash, and the numbers of tickets, from the side of who sits at a seat: with its token, over real sockets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from stickman.floor.events import Role
from stickman.table import messages as m
from tests.floor.evening import awaited
from tests.server.process import ServerProcess, dealer, prepare, seat
from tests.store.postgres_server import postgres_server, postgres_url
from tests.talk.server import device, http, line, screen, sign_in

__all__ = ["postgres_server", "postgres_url"]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    database = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    with ServerProcess(prepare(tmp_path / "floor", database=database)) as process:
        yield process.url


async def all_told(url: str, token: str, after: int | None) -> str:
    """All that a page is told that joins, from nothing or after what it has seen, as browser tools show it."""
    told = []
    async with line(url, token) as tools:
        await tools.say({"type": "join", "after": after})
        await tools.say({"type": "ping"})
        for _ in range(1_000):
            told.append(await tools.hear())
            if told[-1]["type"] == "pong":
                break
    return json.dumps(told)


@awaited
async def test_nobody_at_the_seat_is_told_a_number_that_is_on_paper(url: str) -> None:
    token = seat(1, 1)
    async with screen(url, token) as player, device(url, "printer", 1, 1) as printer:
        since = player.seq
        await player.funded("123.45")
        answer = await player.ask(m.CashOut(seat=1), "mine")
        number = (await printer.prints()).slip.number
        assert number not in json.dumps(answer), "it is on paper only"
        await player.caught_up()
        shown = await all_told(url, token, None)
        assert number not in shown, "nobody who reloads the page reads it"
        assert player.view["tickets"] == [], "the stay has ended, and what was shown of its tickets with it"
        await player.funded(10)
        for after in (None, since):
            assert number not in await all_told(url, token, after)
        assert player.view["tickets"] == []
        again = await player.ask(m.CashOut(seat=1), "mine")
        assert again == answer, "the id of the player before is in the page's memory, and tells nothing"
    recalled = await http(url, "GET", "/api/recall", token=token)
    assert recalled.status == 200
    assert number.encode() not in recalled.body


@awaited
async def test_a_tip_ticket_tells_its_number_to_nobody_at_the_seat(url: str) -> None:
    async with (
        screen(url, dealer(2), await sign_in(url, dealer(2), Role.DEALER)),
        screen(url, seat(2, 1)) as player,
        device(url, "printer", 2, 1) as printer,
    ):
        await player.funded(20)
        answer = await player.ask(m.GiveTip(seat=1, cents=500))
        assert answer["type"] == "done", answer
        number = (await printer.prints()).slip.number
        await player.caught_up()
        assert number not in json.dumps([answer, player.view])


@awaited
async def test_a_drawer_is_not_told_what_it_should_hold_before_it_is_counted(url: str) -> None:
    session = await sign_in(url, dealer(2), Role.DEALER)
    ask = partial(http, url, token=dealer(2), session=session)
    assert (await ask("POST", "/api/drawer/open", {"float_cents": 20_000})).status == 200
    async with screen(url, seat(2, 1)), screen(url, dealer(2), session) as deals:
        await deals.do(m.GiveCredit(seat=1, cents=12_300))
    told = await ask("GET", "/api/drawer")
    assert told.json == {"open": True, "float_cents": 20_000}
    assert (await ask("GET", "/api/drawers")).status == 403
    closed = await ask("POST", "/api/drawer/close", {"counted_cents": 32_000})
    assert closed.json == {"held_cents": 32_300, "difference_cents": -300}
