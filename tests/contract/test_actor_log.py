"""No content, query or other given text in the log, whatever happens."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from support.actor import Ended, run_actor

CANARY = "zanzibarquokka"
RUNS: dict[str, dict[str, Any]] = {
    "remember": {"action": "remember", "content": f"{CANARY} content", "memoryDetails": {"title": f"{CANARY} title"}},
    "bulk": {
        "action": "remember",
        "memories": [{"content": f"{CANARY} one"}, {"content": f"{CANARY} two"}, {"content": " "}],
    },
    "search": {"action": "search", "query": f"{CANARY} content"},
    "search for nothing": {"action": "search", "query": f"un{CANARY}"},
    "recall": {"action": "recall", "query": CANARY, "url": f"https://{CANARY}.example.com"},
    "context_pack": {"action": "context_pack", "query": CANARY},
    "chunk": {"action": "chunk", "content": f"# {CANARY}\n\nText.", "url": f"https://{CANARY}.example.com"},
    "wrong detail": {"action": "remember", "content": "x", "memoryDetails": {"confidence": CANARY}},
    "wrong type": {"action": "remember", "content": [CANARY]},
    "text as details": {"action": "remember", "content": "x", "memoryDetails": f"{CANARY} as text"},
    "wrong date": {"action": "remember", "content": "x", "memoryDetails": {"createdAt": CANARY}},
    "wrong tag": {"action": "remember", "content": "x", "memoryDetails": {"tags": [CANARY * 5]}},
    "wrong cursor": {"action": "recall", "query": CANARY, "searchOptions": {"cursor": CANARY}},
    "all items wrong": {"action": "remember", "memories": [CANARY, {"content": "x", "memoryDetails": CANARY}]},
}


def run(folder: Path, payload: dict[str, Any], level: str, code: str | None = None) -> Ended:
    levels = {"APIFY_LOG_LEVEL": level, "CRAWLEE_LOG_LEVEL": level}
    return run_actor(folder, {"memoryStoreId": "acme~log", **payload}, code=code, **levels)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that holds the text not to be told."""
    folder = tmp_path_factory.mktemp("filled")
    assert run(folder, RUNS["remember"], "INFO").output["ok"]
    return folder


@pytest.mark.parametrize(
    ("level", "names"), [("INFO", list(RUNS)), ("DEBUG", ["bulk", "search", "search for nothing", "wrong detail"])]
)
def test_the_log_of_a_run_holds_no_given_text(filled: Path, tmp_path: Path, level: str, names: list[str]) -> None:
    def leaks(name: str) -> bool:
        folder = tmp_path / name
        copytree(filled, folder)
        ended = run(folder, RUNS[name], level)
        assert ended.output["action"] == RUNS[name]["action"]
        return CANARY in ended.log.casefold()

    with ThreadPoolExecutor(2) as pool:
        leaking = dict(zip(names, pool.map(leaks, names), strict=True))

    assert [name for name, leaked in leaking.items() if leaked] == []


def test_the_log_of_a_bug_holds_a_traceback_but_no_stored_text(tmp_path: Path) -> None:
    code = (
        "from agent_memory.store.memory_store import MemoryStore\n"
        "def fail(self, snapshot, revisions): raise ValueError(repr(revisions))\n"
        "MemoryStore.commit = fail\n"
        "from agent_memory.main import main\n"
        "main()\n"
    )

    ended = run(tmp_path, RUNS["remember"], "DEBUG", code)

    assert ended.output["error"]["code"] == "internal"
    assert "ValueError" in ended.log
    assert CANARY not in ended.log
    assert CANARY not in str(ended.output)


def test_an_input_that_is_no_json_is_not_repeated_in_the_log(tmp_path: Path) -> None:
    ended = run_actor(tmp_path, f'{{"action": "remember", "content": "{CANARY}')

    assert ended.exit_code == 1
    assert CANARY not in ended.log
