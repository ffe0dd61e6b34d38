import asyncio

from agent_memory.store.warm.deferred import Deferred


class Job:
    def __init__(self) -> None:
        self.done = 0

    async def __call__(self) -> None:
        self.done += 1
        await asyncio.sleep(0)


async def test_many_calls_are_one_job_done_at_once_by_a_flush() -> None:
    job = Job()
    later = Deferred(job, pause_s=3600)
    for _ in range(10):
        later.due()
    await asyncio.sleep(0)
    assert job.done == 0

    await later.flush()
    assert job.done == 1

    await later.flush()
    assert job.done == 1


async def test_it_is_done_after_the_pause_and_again_when_asked_for_again() -> None:
    job = Job()
    later = Deferred(job, pause_s=0.001)
    for expected in (1, 2):
        later.due()
        async with asyncio.timeout(10):
            while job.done < expected:  # noqa: ASYNC110  # the job tells nobody
                await asyncio.sleep(0.001)


async def test_what_becomes_due_while_it_is_done_is_done_too_before_a_flush_ends() -> None:
    async def job() -> None:
        done.append(len(done))
        if len(done) == 1:
            later.due()
        await asyncio.sleep(0)

    done: list[int] = []
    later = Deferred(job, pause_s=3600)
    later.due()

    await later.flush()

    assert done == [0, 1]


async def test_flushing_what_was_never_due_does_nothing() -> None:
    job = Job()

    await Deferred(job, pause_s=3600).flush()

    assert job.done == 0
