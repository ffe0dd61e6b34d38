"""Compute beside the loop."""

import asyncio
import threading

import pytest

from agent_memory.store.aside import aside


@pytest.mark.parametrize(("rows", "here"), [(10, True), (100_000, False)])
def test_much_is_left_to_a_thread(rows: int, *, here: bool) -> None:
    """Little is done at once: a thread would cost more."""
    where = asyncio.run(aside(rows, threading.get_ident))
    assert (where == threading.get_ident()) is here


@pytest.mark.parametrize("rows", [10, 100_000])
def test_what_fails_fails_for_the_caller(rows: int) -> None:
    """Wherever it ran."""
    with pytest.raises(ZeroDivisionError):
        asyncio.run(aside(rows, lambda: 1 // 0))


def test_others_go_on_meanwhile() -> None:
    """The loop serves them while a large job waits."""

    async def both() -> None:
        gate = threading.Event()
        waiting = asyncio.create_task(aside(100_000, lambda: gate.wait(10)))
        await asyncio.sleep(0)
        gate.set()
        assert await waiting

    asyncio.run(both())
