"""Several writers that repeat one request with one idempotency key at once, on a storage that fails now and then."""

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Final

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.codec import Stored

from .checks import Violation, snapshot_of
from .loop import Loop
from .scenes import KEY, Scene
from .steps import NOW, STORE, Ask, Ids, Operation, Values, Waiting, carry_out, our_store

_UNSURE: Final = ("storage_unavailable", "incomplete")
_FATES: Final = ("done", "fails", "answer lost", "late")
_WEIGHTS: Final = (88, 4, 4, 4)


@dataclass
class Race:
    """Racers under way: what they have been told, and the writes whose callers gave up but that will still happen."""

    values: Values
    rng: random.Random
    told: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    late: list[Operation] = field(default_factory=list[Operation])

    def happen(self, operation: Operation) -> None:
        """Decide what becomes of one operation, and answer it."""
        writes = operation.verb in ("set", "delete")
        fate = self.rng.choices(_FATES, _WEIGHTS)[0]
        if fate == "done" or (fate != "fails" and not writes):
            answer = self.values.answer(operation)
            self.values.apply(operation)
            operation.answer.set_result(answer)
            return
        if fate == "answer lost":
            self.values.apply(operation)
        elif fate == "late":
            self.late.append(operation)
        operation.answer.set_exception(StorageUnavailableError(f"The storage did not answer for {operation.key}."))

    def land(self) -> None:
        """Let one late write happen."""
        self.values.apply(self.late.pop(self.rng.randrange(len(self.late))))


def race(scene: Scene, racers: int, retries: int, rng: random.Random) -> int:
    """Raise a Violation unless all racers, each asking `retries` times, end with one memory. Returns the steps taken.

    Every operation may fail, lose its answer or happen late, so that most requests are repeated after some failure.
    """
    run = Race(Values(scene.held), rng)
    loop, queues = Loop(), [deque[Operation]() for _ in range(racers)]

    async def racer(place: int) -> None:
        kv, ids, written = Waiting(loop, queues[place], run.values.page), Ids(f"racer {place}", NOW), list[Stored]()
        ask = Ask("racer", "remember", {"content": "Keyed text.", "idempotencyKey": KEY})
        for _ in range(retries):
            run.told.append(await carry_out(ask, kv, ids, our_store, written))

    tasks = [loop.create_task(racer(place)) for place in range(racers)]
    loop.drain()
    steps = 0
    while able := [queue for queue in queues if queue]:
        if run.late and rng.random() < 1 / 50:
            run.land()
        queue = rng.choice(able)
        operation = queue[rng.randrange(len(queue))]
        queue.remove(operation)
        run.happen(operation)
        loop.drain()
        steps += 1
    for task in tasks:
        task.result()
    while run.late:
        run.land()
    _judge(run)
    return steps


def _judge(run: Race) -> None:
    for body in run.told:
        if not body["ok"] and body["error"]["code"] not in _UNSURE:
            raise Violation("I5", f"a racer was answered {body['error']}")
    ids = {body["memory"]["id"] for body in run.told if body["ok"]}
    made = [i for i, head in snapshot_of(run.values.held).heads.items() if KEY in head.origin.keys]
    if ids != set(made) or len(made) != 1:
        raise Violation("I5", f"{len(made)} memories of one idempotency key in {STORE}, {len(ids)} were told")
