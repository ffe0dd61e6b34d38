import asyncio

import pytest

from agent_memory.store.warm.coalescing import Coalesced


class Slow:
    """A job that runs until it is let through; `begun` counts how often it was started."""

    def __init__(self) -> None:
        self.begun = 0
        self.gate = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(self) -> None:
        self.begun += 1
        await self.gate.wait()
        if self.error:
            raise self.error


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_callers_before_it_begins_share_a_run_and_later_ones_get_the_next() -> None:
    job = Slow()
    shared = Coalesced(job)
    early = [asyncio.create_task(shared()) for _ in range(3)]
    await settled()
    late = [asyncio.create_task(shared()) for _ in range(3)]
    await settled()
    assert job.begun == 1
    assert not any(task.done() for task in (*early, *late))

    job.gate.set()
    await asyncio.gather(*early, *late)

    assert job.begun == 2


async def test_a_cancelled_caller_leaves_the_run_to_the_others() -> None:
    job = Slow()
    shared = Coalesced(job)
    impatient, patient = asyncio.create_task(shared()), asyncio.create_task(shared())
    await settled()
    impatient.cancel()
    await settled()
    job.gate.set()

    await patient

    assert job.begun == 1
    assert impatient.cancelled()


async def test_a_failure_reaches_all_who_share_it_and_nobody_after() -> None:
    job = Slow()
    job.error = ValueError("no answer")
    shared = Coalesced(job)
    both = [asyncio.create_task(shared()) for _ in range(2)]
    await settled()
    job.gate.set()

    for task in both:
        with pytest.raises(ValueError, match="no answer"):
            await task

    job.error = None
    await shared()
    assert job.begun == 2


async def test_a_failure_that_nobody_waits_for_is_not_reported_as_forgotten() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    job = Slow()
    job.error = ValueError("no answer")
    shared = Coalesced(job)
    alone = asyncio.create_task(shared())
    await settled()
    alone.cancel()
    job.gate.set()

    await shared.idle()
    del shared, alone
    await settled()

    assert told == []


async def test_idle_waits_for_what_runs_and_what_is_due() -> None:
    job = Slow()
    shared = Coalesced(job)
    tasks = [asyncio.create_task(shared())]
    await settled()
    tasks.append(asyncio.create_task(shared()))
    await settled()
    waiting = asyncio.create_task(shared.idle())
    await settled()
    assert not waiting.done()

    job.gate.set()
    await waiting

    assert job.begun == 2
    await asyncio.gather(*tasks)
