"""examples/session-start.sh prints the brief of a project, from the store of this machine and from a server."""

import subprocess
from pathlib import Path

import pytest

from support.actor import ROOT, inherited, run_actor
from support.server import server

pytestmark = pytest.mark.e2e

STORE = "acme~webshop-agent"
RULE = {"memoryType": "rule", "source": "human"}
SCRIPT = ROOT / "examples" / "session-start.sh"
HEADING = "Standing rules (1 of 1)"


def printed(folder: Path, **environment: str) -> str:
    """What the script prints in `folder`, the name of which is the project."""
    told = {"AGENT_MEMORY_STORE": STORE, "HOME": str(folder), **environment}
    done = subprocess.run(
        [str(SCRIPT)], cwd=folder, env={**inherited(), **told}, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_prints_the_brief_of_the_store_of_this_machine(tmp_path: Path) -> None:
    home, project = tmp_path / "home" / ".agent-memory", tmp_path / "home"
    home.mkdir(parents=True)
    rule = {"content": "Never deploy on a Friday.", "projectId": "home", "memoryDetails": RULE}
    assert run_actor(home, {"action": "remember", "memoryStoreId": STORE, **rule}).exit_code == 0

    text = printed(project)

    assert text.startswith(HEADING)
    assert "| Never deploy on a Friday." in text


def test_it_prints_the_brief_of_a_server(tmp_path: Path) -> None:
    with server(tmp_path) as it:
        rule = {"content": "Ask before merging.", "memoryDetails": {"memoryType": "rule"}}
        memory = it.ask("remember", memoryStoreId=STORE, **rule)["memory"]
        it.ask("approve", memoryStoreId=STORE, memoryId=memory["id"])
        text = printed(tmp_path, AGENT_MEMORY_URL=it.url, AGENT_MEMORY_PROJECT="webshop")

    assert text.startswith(HEADING)
    assert "| Ask before merging." in text
