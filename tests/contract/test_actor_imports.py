"""What a run imports: start-up CPU is what users wait for."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.actor import run_actor

HEAVY = ("sklearn", "scipy", "numpy", "mcp", "starlette", "uvicorn", "rich", "fastapi")
CODE = """
import json, pathlib, sys
from agent_memory.main import main
try:
    main()
finally:
    pathlib.Path("modules.json").write_text(json.dumps(sorted(sys.modules)))
"""


def imported(folder: Path, payload: dict[str, Any]) -> set[str]:
    """The top-level modules that a run of `payload` has imported."""
    ended = run_actor(folder, {"memoryStoreId": "acme~imports", **payload}, code=CODE)
    assert ended.exit_code == 0, ended.output
    modules: list[str] = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    return {module.split(".")[0] for module in modules}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of a thousand memories."""
    folder = tmp_path_factory.mktemp("imports")
    memories = [{"content": f"Service {n} listens on port {7000 + n} since week {n % 50}."} for n in range(1000)]
    ended = run_actor(folder, {"action": "remember", "memoryStoreId": "acme~imports", "memories": memories})
    assert ended.output["counts"]["created"] == 1000
    return folder


@pytest.mark.parametrize(
    "payload",
    [
        {"action": "search", "query": "which service listens on port 7042"},
        {"action": "recall", "query": "port 7042", "url": "https://a.example.com"},
        {"action": "context_pack", "query": "port 7042"},
        {"action": "remember", "content": "One more."},
        {"action": "stats"},
    ],
    ids=lambda payload: payload["action"],
)
def test_nothing_heavy_is_imported_at_a_thousand_memories(folder: Path, payload: dict[str, Any]) -> None:
    assert imported(folder, payload).isdisjoint(HEAVY)
