"""Processes that write, tidy and purge at once on one store, some of them killed, and what is there afterwards."""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Generator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Final

from typing_extensions import override

from agent_memory.store.kv import KeyValue
from agent_memory.store.names import storage_name
from support.emulator import Call, emulated_platform
from support.key_values import stores_at
from support.postgresql import new_database

from .checks import Violation
from .keeper import Crowd
from .process import WORD, RealIds
from .steps import STORE, Ask, carry_out, our_store

ROOT: Final = Path(__file__).parents[2]
PLACES: Final = ("folder", "sqlite", "postgresql", "platform")


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


async def run_crowd(where: str, crowd: Crowd, rng: random.Random) -> int:
    """Raise a Violation unless all that was acknowledged is there, once, and all that was purged is not.

    Returns how many writes were acknowledged.
    """
    began = time.time()
    command = [sys.executable, "-m", "torture.keeper", where, json.dumps(asdict(crowd)), str(began)]
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}"}
    keeper = await asyncio.create_subprocess_exec(
        *command, str(rng.getrandbits(32)), env=env, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await keeper.communicate()
    if keeper.returncode:
        raise Violation("I1", f"the keeper ended with {keeper.returncode}")
    lines = [json.loads(line) for line in told.splitlines()]
    written = {line["content"] for line in lines if line["ask"] == "write" and line["ok"]}
    if refused := [line for line in lines if not line["ok"]]:
        raise Violation("I1", f"{len(refused)} were refused, the first: {refused[0]}")
    if len(written) < crowd.due:
        raise Violation("I1", f"{len(written)} of {crowd.due} writes were acknowledged")
    await _judge(where, crowd.ids(began), written)
    return len(written)


async def _judge(where: str, ids: RealIds, written: AbstractSet[str]) -> None:
    async with stores_at(where) as open_store:
        kv = await open_store(storage_name(STORE))
        texts, warnings = await _contents(kv, ids)
        if lost := written - set(texts):
            raise Violation("I1", f"{len(lost)} acknowledged writes are lost: {sorted(lost)[:3]}")
        if len(texts) != len(set(texts)) or warnings:
            raise Violation("I5", f"{len(texts) - len(set(texts))} texts are there twice; warnings: {warnings}")
        if spared := [text for text in texts if WORD in text]:
            raise Violation("I11", f"{len(spared)} that were purged are there: {spared[:3]}")
        tidied = await carry_out(Ask("", "prune"), kv, ids, our_store, [])
        left = [key async for key in kv.list_keys() if WORD.encode() in (await kv.get(key) or b"")]
        if left or not tidied["ok"]:
            raise Violation("I11", f"purged content is left in {left}; prune answered {tidied['message']}")


async def _contents(kv: KeyValue, ids: RealIds) -> tuple[list[str], list[str]]:
    """The texts of all active memories, and the warnings."""
    texts: list[str] = []
    cursor = None
    while True:
        fields = {"maxResults": 1_000, "searchOptions": {"cursor": cursor} if cursor else {}}
        body = await carry_out(Ask("", "list", fields), kv, ids, our_store, [])
        if not body["ok"]:
            raise Violation("I10", f"list answered {body['error']}")
        texts += [memory["content"] for memory in body["memories"]]
        cursor = body["nextCursor"]
        if cursor is None:
            return texts, body["warnings"]
