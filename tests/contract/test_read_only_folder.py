"""A store whose folder may only be read: reads work and say what they could not note, writes are refused."""

from pathlib import Path
from typing import Any, Final

from agent_memory.store.names import storage_name
from support.actor import Ended, run_actor

STORE: Final = "acme~read-only"
BOUND_BY_PERMISSIONS: Final = """
import ctypes, os, sys
if os.geteuid() == 0:
    drop, dac_override = 24, 1
    assert ctypes.CDLL(None).prctl(drop, dac_override, 0, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-m", "agent_memory"])
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
