"""Processes that write, tidy and purge at once on one store, some of them killed, and what is there afterwards."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from agent_memory.store.kv import KeyValue
from support.emulator import Call, emulated_platform
from support.key_values import stores_at
from support.postgresql import new_database

from .checks import Violation
from .process import WORD, RealIds
from .steps import Ask, carry_out, our_store

ROOT: Final = Path(__file__).parents[2]
PLACES: Final = ("folder", "sqlite", "postgresql", "platform")
_AT_ONCE: Final = 4
_PATIENCE_S: Final = 3_600


class _Unheard(list[Call]):
    """Calls that nobody looks at: there are too many to keep."""

    @override
    def append(self, object: Call, /) -> None:
        """Forget it."""


@contextmanager
def place(kind: str, folder: Path) -> Generator[str]:
    """A location of this kind, one of PLACES, that several processes reach."""
    match kind:
        case "folder":
            yield str(folder / "storage")
        case "sqlite":
            yield f"sqlite:///{folder}/memories.db"
        case "postgresql":
            with new_database() as url:
                yield url
        case _:
            with emulated_platform() as platform:
                platform.calls = _Unheard()
                yield platform.url


@dataclass(frozen=True)
class Crowd:
    """How many writers make how many writes each, and how many more are killed while they write."""

    writers: int
    writes: int
    kills: int

    @property
    def due(self) -> int:
        """How many writes are acknowledged at least."""
        return self.writers * self.writes


@dataclass(frozen=True)
class _Started:
    process: subprocess.Popen[bytes]
    out: Path

    def wait_until_begun(self) -> None:
        """Wait until it has opened its store."""
        while not self.out.stat().st_size:
            if self.process.poll() is not None:
                raise Violation("I1", f"{self.out.name} ended before it began")
            time.sleep(0.02)

    def told(self) -> list[dict[str, Any]]:
        """What it has said until its end; a line that a kill cut off was not said."""
        if (code := self.process.wait(_PATIENCE_S)) not in (0, -signal.SIGKILL):
            raise Violation("I1", f"{self.out.name} ended with {code}")
        lines = self.out.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]


@contextmanager
def _started(where: str, name: str, role: str, count: int, folder: Path) -> Generator[_Started]:
    """A process in `role` that does not outlive the block."""
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    command = [sys.executable, "-m", "torture.process", where, name, role, str(count)]
    out = folder / f"{role}.txt"
    with out.open("wb") as file, subprocess.Popen(command, env=env, stdout=file) as process:
        try:
            yield _Started(process, out)
        finally:
            process.kill()


async def run_crowd(where: str, name: str, crowd: Crowd, folder: Path, rng: random.Random) -> int:
    """Raise a Violation unless all that was acknowledged is there, once, and all that was purged is not.

    The writers write while others prune and purge; of those to be killed a few run at a time. Returns how many writes
    were acknowledged.
    """
    roles = [*((f"w{n}", crowd.writes) for n in range(crowd.writers))]
    roles += [(role, max(5, crowd.writes // 5)) for role in ("tidy", "purge")]
    lines: list[dict[str, Any]] = []
    with ExitStack() as stack:
        steady = [stack.enter_context(_started(where, name, role, count, folder)) for role, count in roles]
        for begin in range(0, crowd.kills, _AT_ONCE):
            numbers = range(begin, min(begin + _AT_ONCE, crowd.kills))
            lines += await _kill(where, name, [f"k{n}" for n in numbers], folder, rng)
        for one in steady:
            lines += await asyncio.to_thread(one.told)
    written = [line["content"] for line in lines if line["ask"] == "write" and line["ok"]]
    if refused := [line for line in lines if not line["ok"]]:
        raise Violation("I1", f"{len(refused)} were refused, the first: {refused[0]}")
    if len(written) < crowd.due:
        raise Violation("I1", f"{len(written)} of {crowd.due} writes were acknowledged")
    await _judge(where, name, written)
    return len(written)


async def _kill(where: str, name: str, roles: Sequence[str], folder: Path, rng: random.Random) -> list[dict[str, Any]]:
    """Start writers, kill each at some moment, and answer what they had said by then."""
    with ExitStack() as stack:
        doomed = [stack.enter_context(_started(where, name, role, 1_000_000, folder)) for role in roles]
        for one in doomed:
            await asyncio.to_thread(one.wait_until_begun)
            await asyncio.sleep(rng.uniform(0.0, 0.3))
            one.process.send_signal(signal.SIGKILL)
        return [line for one in doomed for line in await asyncio.to_thread(one.told)]


async def _judge(where: str, name: str, written: Sequence[str]) -> None:
    async with stores_at(where) as open_store:
        kv = await open_store(name)
        texts, warnings = await _contents(kv)
        if lost := set(written) - set(texts):
            raise Violation("I1", f"{len(lost)} acknowledged writes are lost: {sorted(lost)[:3]}")
        if len(texts) != len(set(texts)) or warnings:
            raise Violation("I5", f"{len(texts) - len(set(texts))} texts are there twice; warnings: {warnings}")
        tidied = await carry_out(Ask("", "prune"), kv, RealIds(), our_store, [])
        left = [key async for key in kv.list_keys() if WORD.encode() in (await kv.get(key) or b"")]
        if left or not tidied["ok"]:
            raise Violation("I11", f"purged content is left in {left}; prune answered {tidied['message']}")


async def _contents(kv: KeyValue) -> tuple[list[str], list[str]]:
    """The texts of all active memories, and the warnings."""
    texts: list[str] = []
    cursor = None
    while True:
        fields = {"maxResults": 1_000, "searchOptions": {"cursor": cursor} if cursor else {}}
        body = await carry_out(Ask("", "list", fields), kv, RealIds(), our_store, [])
        if not body["ok"]:
            raise Violation("I10", f"list answered {body['error']}")
        texts += [memory["content"] for memory in body["memories"]]
        cursor = body["nextCursor"]
        if cursor is None:
            return texts, body["warnings"]
