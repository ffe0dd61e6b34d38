"""A store whose folder may only be read: reads work and say what they could not note, writes are refused."""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from agent_memory.store.names import storage_name
from support.actor import Ended, run_actor
from support.mcp_process import Wire, started

STORE: Final = "acme~read-only"
BOUND_BY_PERMISSIONS: Final = """
import ctypes, os, sys
if os.geteuid() == 0:
    drop, dac_override, dac_read_search = 24, 1, 2
    for right in (dac_override, dac_read_search):
        assert ctypes.CDLL(None).prctl(drop, right, 0, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-m", "agent_memory", *sys.argv[1:]])
"""
"""Root may write wherever it likes, unless it gives that up."""


def ask(folder: Path, action: str, **fields: Any) -> Ended:
    """Run one action as a process to which permissions apply."""
    return run_actor(folder, {"action": action, "memoryStoreId": STORE, **fields}, code=BOUND_BY_PERMISSIONS)


def test_reads_work_without_noting_the_access_and_writes_are_refused(tmp_path: Path) -> None:
    folder = tmp_path
    first = ask(folder, "remember", content="The port is 8080.")
    assert first.exit_code == 0, first.log
    memory_id = first.output["memory"]["id"]
    store = folder / "storage" / "key_value_stores" / storage_name(STORE)
    store.chmod(0o555)
    before = {path.name: path.read_bytes() for path in store.iterdir()}

    found = ask(folder, "search", query="port")
    got = ask(folder, "get", memoryId=memory_id)
    counted = ask(folder, "stats")
    written = ask(folder, "remember", content="The port is 9090.")
    after = {path.name: path.read_bytes() for path in store.iterdir()}
    store.chmod(0o755)

    assert [ended.exit_code for ended in (found, got, counted, written)] == [0, 0, 0, 1], found.log
    assert found.output["memories"][0]["id"] == memory_id
    assert got.output["memories"][0]["content"] == "The port is 8080."
    for read in (found, got):
        (warning,) = read.output["warnings"]
        assert "may only be read" in warning
    assert counted.output["totalMemories"] == 1
    assert written.output["error"]["code"] == "storage_unavailable"
    assert "may only be read" in written.output["error"]["message"]
    assert after == before


def test_a_run_that_may_write_nothing_shows_what_it_read_and_says_which_folder_refuses(tmp_path: Path) -> None:
    assert ask(tmp_path, "remember", content="The port is 8080.").exit_code == 0
    stores = tmp_path / "storage" / "key_value_stores"
    (stores / "default" / "INPUT.json").rename(tmp_path / "INPUT.json")
    (tmp_path / "INPUT.json").write_text(json.dumps({"action": "recall", "memoryStoreId": STORE}), "utf-8")
    with closed(stores / "default"), closed(stores / storage_name(STORE)):
        ended = run_actor(tmp_path, None, code=BOUND_BY_PERMISSIONS)

    assert (ended.exit_code, "Traceback" in ended.log) == (1, False)
    assert "The port is 8080." in ended.stdout
    assert says_what_to_do(ended.log, stores / "default")


def test_where_nothing_can_be_read_the_answer_says_which_folder_refuses(tmp_path: Path) -> None:
    stores = tmp_path / "storage" / "key_value_stores"
    stores.mkdir(parents=True)
    with closed(stores, 0o000), by_mcp(tmp_path) as wire:
        ended = run_actor(tmp_path, None, code=BOUND_BY_PERMISSIONS)
        refused = message_of(wire.ask(1, "tools/call", name="recall", arguments={"memoryStoreId": STORE}))

    assert (ended.exit_code, "Traceback" in ended.log) == (1, False)
    assert says_what_to_do(ended.stdout, stores / "default")
    assert says_what_to_do(refused, stores / storage_name(STORE))


def test_where_no_storage_can_be_made_every_mcp_call_says_which_folder_refuses(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    call = {"name": "remember", "arguments": {"memoryStoreId": STORE, "content": "The port is 8080."}}
    with closed(home), by_mcp(tmp_path, CRAWLEE_STORAGE_DIR="", HOME=str(home)) as wire:
        messages = [message_of(wire.ask(number, "tools/call", **call)) for number in (1, 2)]
        code, log = wire.ended()

    assert [says_what_to_do(message, home / ".agent-memory") for message in messages] == [True, True]
    assert (code, "Traceback" in log) == (0, False)


@contextmanager
def by_mcp(folder: Path, **environment: str) -> Generator[Wire]:
    """A server on standard input and output to which permissions apply."""
    command = (sys.executable, "-c", BOUND_BY_PERMISSIONS, "mcp")
    with started(folder, command=command, **environment) as wire:
        wire.greet()
        yield wire


def message_of(answer: dict[str, Any]) -> str:
    """What a call that the storage failed says."""
    error = json.loads(answer["result"]["content"][0]["text"])["error"]
    assert error["code"] == "storage_unavailable"
    return error["message"]


@contextmanager
def closed(folder: Path, mode: int = 0o555) -> Generator[None]:
    """`folder` may only be read, or whatever `mode` says."""
    folder.chmod(mode)
    try:
        yield
    finally:
        folder.chmod(0o755)


def says_what_to_do(text: str, folder: Path) -> bool:
    """Whether `text` names a place in `folder`, why it is refused, and what to look at."""
    return all(part in text for part in (str(folder), "Permission denied", "check its rights"))
