"""Forks the processes of a crowd, kills them at random moments and starts them anew where they were.

python -m torture.keeper <where> <crowd as JSON> <when it began, in seconds since 1970> <seed>

It has imported everything before it forks, so that a life costs milliseconds, and it has neither threads nor
connections, which a fork would break. On stdout it says what was acknowledged or refused, a line of JSON each.
"""

import asyncio
import json
import os
import random
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from agent_memory.store.backends import sql

from .checks import Violation
from .loop import finish
from .process import Duty, RealIds, serve, write_line
from .steps import NOW, Ask, Calm, Ids, carry_out, our_store

IMPORTED: Final = sql
"""Imported here, once for all."""
_ENDLESS: Final = 1_000_000_000
_PATIENCE_S: Final = 600.0
_FIRST_GAP_S: Final = 0.2


@dataclass(frozen=True)
class Crowd:
    """How many writers make how many writes each, and how often one of all the processes is killed meanwhile.

    Beside the writers one process prunes and one purges. Each `batch`-th life is that of batch runs, the others are
    those of servers. A day takes `day_s` seconds, so that what has stood elsewhere for a day is swept.
    """

    writers: int
    writes: int
    kills: int
    batch: int = 2
    day_s: float = 5.0

    @property
    def due(self) -> int:
        """How many writes are acknowledged at least."""
        return self.writers * self.writes

    def ids(self, began: float) -> RealIds:
        """Ids, and the clock of a crowd that began at that time."""
        return RealIds(began, 86_400 / self.day_s)


@dataclass
class Mortal:
    """One of the crowd. It has `done` so many of the numbers that are `due`, and will be killed so many times.

    In this life, it is killed a while after it has said `spared` more lines; `gap_s` is how long it took to the last.
    """

    role: str
    due: int
    kills: int
    done: int = 0
    lives: int = 0
    pid: int = 0
    pipe: int = -1
    heard: bytes = b""
    spared: int = 0
    last_at: float = 0.0
    gap_s: float = _FIRST_GAP_S
    dies_at: float | None = None

    def begin(self, duty: Duty, rng: random.Random) -> None:
        """Fork the next life."""
        self.pipe, child_end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _live(duty, child_end)
        os.close(child_end)
        self.lives += 1
        self.heard, self.dies_at, self.last_at = b"", None, time.monotonic()
        self.spared = rng.randint(0, 2 * max(0, self.due - self.done) // (self.kills + 1))
        self._doom(rng)

    def hear(self, said: bytes, rng: random.Random) -> list[dict[str, Any]]:
        """Take in what came through the pipe; a line that was cut off was not said."""
        *whole, self.heard = (self.heard + said).split(b"\n")
        lines = [json.loads(line) for line in whole]
        now = time.monotonic()
        self.gap_s, self.last_at = (now - self.last_at) / max(1, len(lines)), now
        numbers = [line["number"] for line in lines if "number" in line]
        self.done = max([self.done, *(number + 1 for number in numbers)])
        self.spared -= len(numbers)
        self._doom(rng)
        return lines

    def strike(self) -> None:
        """Kill it."""
        os.kill(self.pid, signal.SIGKILL)
        self.kills -= 1
        self.dies_at = None

    def end(self) -> int:
        """How this life has ended."""
        os.close(self.pipe)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _doom(self, rng: random.Random) -> None:
        if self.kills and self.spared <= 0 and self.dies_at is None:
            self.dies_at = time.monotonic() + rng.uniform(0, 1.5 * self.gap_s)


def _live(duty: Duty, stdout: int) -> None:
    """What a forked process does; it never returns."""
    code = 1
    try:
        os.dup2(stdout, sys.stdout.fileno())
        asyncio.run(serve(duty))
        code = 0
    finally:  # whatever happened, this process must not go on as its parent
        if code:
            traceback.print_exc()
        os._exit(code)


class Keeper:
    """Keeps a crowd at work until all are done."""

    def __init__(self, where: str, crowd: Crowd, began: float, rng: random.Random) -> None:
        self._where, self._crowd, self._ids, self._rng = where, crowd, crowd.ids(began), rng
        dues = {f"w{n}": crowd.writes for n in range(crowd.writers)}
        dues |= dict.fromkeys(("tidy", "purge"), max(5, crowd.writes // 2))
        each, more = divmod(crowd.kills, len(dues))
        killed_more = rng.sample([*dues], more)
        self._mortals = [Mortal(role, due, each + (role in killed_more)) for role, due in dues.items()]
        self._selector = selectors.DefaultSelector()

    def keep(self) -> Iterator[dict[str, Any]]:
        """What is acknowledged or refused, as it is said; raises a Violation where one ends in another way."""
        for place, mortal in enumerate(self._mortals):
            mortal.lives = place  # so that they are not all of one kind at once
            self._begin(mortal)
        try:
            while self._selector.get_map():
                yield from self._attend()
        finally:
            for key in [*self._selector.get_map().values()]:
                key.data.strike()

    def _begin(self, mortal: Mortal) -> None:
        # The last life ends what the one before it may have died in, also beyond what is due.
        count = _ENDLESS if mortal.kills else max(1, mortal.due - mortal.done)
        warm = mortal.lives % self._crowd.batch > 0
        mortal.begin(Duty(self._where, mortal.role, count, mortal.done, warm, self._ids), self._rng)
        self._selector.register(mortal.pipe, selectors.EVENT_READ, mortal)

    def _attend(self) -> Iterator[dict[str, Any]]:
        mortals: list[Mortal] = [key.data for key in self._selector.get_map().values()]
        now = time.monotonic()
        silent = now - min(mortal.last_at for mortal in mortals)
        if silent > _PATIENCE_S:
            raise Violation("I1", f"a process says nothing for {silent} s")
        dying = [mortal.dies_at for mortal in mortals if mortal.dies_at is not None]
        for key, _ in self._selector.select(max(0.0, min([*dying, now + 1]) - now)):
            mortal: Mortal = key.data
            if said := os.read(mortal.pipe, 65_536):
                yield from mortal.hear(said, self._rng)
                continue
            self._selector.unregister(mortal.pipe)
            self._after(mortal, mortal.end())
        for mortal in mortals:
            if mortal.dies_at is not None and mortal.dies_at <= time.monotonic():
                mortal.strike()

    def _after(self, mortal: Mortal, code: int) -> None:
        if code == -signal.SIGKILL:
            self._begin(mortal)
        elif code or mortal.kills or mortal.done < mortal.due:
            raise Violation("I1", f"{mortal.role} ended with {code}")


def _rehearse() -> None:
    """Load what is loaded when an action is first asked for."""
    held, ids = dict[str, bytes](), Ids("keeper", NOW)
    for ask in (
        Ask("", "remember", {"content": "A text.", "idempotencyKey": "key"}),
        Ask("", "prune"),
        Ask("", "purge", {"memoryId": "none", "confirm": "DELETE none"}),
    ):
        finish(carry_out(ask, Calm(held), ids, our_store, []))


def main(where: str, crowd: str, began: str, seed: str) -> None:
    """Keep the crowd, and say what it says."""
    _rehearse()
    for line in Keeper(where, Crowd(**json.loads(crowd)), float(began), random.Random(int(seed))).keep():
        if line["ask"] != "start":
            write_line(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
