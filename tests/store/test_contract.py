"""Every store keeps every promise of `stickman.store.store`; the scenarios are in `contract.py`."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from stickman.store.store import Store
from tests.store import contract


def named(scenario: Callable[..., object]) -> str:
    return scenario.__name__


@pytest.mark.parametrize("scenario", contract.SCENARIOS, ids=named)
def test_every_store(store_url: str, scenario: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        async with contract.opened(store_url) as store:
            await scenario(store)

    asyncio.run(run())


@pytest.mark.parametrize("scenario", contract.KEPT, ids=named)
def test_every_kept_store(kept_url: str, scenario: Callable[[str], Awaitable[None]]) -> None:
    async def run() -> None:
        await scenario(kept_url)

    asyncio.run(run())
