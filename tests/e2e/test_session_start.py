"""examples/session-start.sh prints the brief of a project, from the store of this machine and from a server."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.actor import ROOT, inherited, run_actor
from support.server import server

pytestmark = pytest.mark.e2e

STORE = "acme~webshop-agent"
RULE = {"memoryType": "rule", "source": "human"}
SCRIPT = ROOT / "examples" / "session-start.sh"
HEADING = "Standing rules (1 of 1)"


def started(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """The script, run in `folder`, the name of which is the project."""
    told = {"AGENT_MEMORY_STORE": STORE, "HOME": str(folder), "PYTHONPATH": str(ROOT / "src"), **environment}
    return subprocess.run(
        [str(SCRIPT)], cwd=folder, env={**inherited(), **told}, capture_output=True, text=True, timeout=60, check=False
    )


def printed(folder: Path, **environment: str) -> str:
    """What the script prints."""
    done = started(folder, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def remember_rule(folder: Path, content: str, store: str = STORE) -> None:
    """Keep a rule in `folder`/storage."""
    folder.mkdir(parents=True, exist_ok=True)
    rule = {"content": content, "memoryDetails": RULE}
    assert run_actor(folder, {"action": "remember", "memoryStoreId": store, **rule}).exit_code == 0


def test_two_sessions_that_start_at_once_print_each_its_own_store(tmp_path: Path) -> None:
    home = tmp_path / "home"
    rules = {f"acme~{name}": f"Never deploy {name} on a Friday." for name in ("shop", "till")}
    for store, content in rules.items():
        remember_rule(home / ".agent-memory", content, store)

    with ThreadPoolExecutor() as pool:
        begun = {store: pool.submit(printed, home, AGENT_MEMORY_STORE=store) for store in rules}

    for store, content in rules.items():
        assert begun[store].result().startswith(HEADING)
        assert f"| {content}" in begun[store].result()


def test_it_reads_what_the_mcp_server_of_that_folder_reads_whatever_the_folder_is_called(tmp_path: Path) -> None:
    project = tmp_path / 'the "shop"'
    remember_rule(project, "Never deploy on a Friday.")
    answer = project / "storage" / "key_value_stores" / "default" / "OUTPUT"
    before = answer.read_bytes()

    assert "| Never deploy on a Friday." in printed(project)
    assert answer.read_bytes() == before


def test_it_prints_the_brief_of_a_server(tmp_path: Path) -> None:
    project = tmp_path / 'the "shop"'
    project.mkdir()
    with server(tmp_path) as it:
        rule = {"content": "Ask before merging.", "memoryDetails": {"memoryType": "rule"}}
        memory = it.ask("remember", memoryStoreId=STORE, projectId=project.name, **rule)["memory"]
        it.ask("approve", memoryStoreId=STORE, memoryId=memory["id"])
        text = printed(project, AGENT_MEMORY_URL=f"{it.url}/")
        refused = started(project, AGENT_MEMORY_URL=it.url, AGENT_MEMORY_STORE=" ")
        elsewhere = started(project, AGENT_MEMORY_URL=f"{it.url}/docs")

    assert text.startswith(HEADING)
    assert "| Ask before merging." in text
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("No brief: memoryStoreId is blank. Give ")
    assert elsewhere.stderr.startswith("No brief: ")


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"AGENT_MEMORY_STORE": ""}, "AGENT_MEMORY_STORE"),
        ({"AGENT_MEMORY_STORE": " "}, "memoryStoreId is blank. Give "),
        ({"AGENT_MEMORY_STORAGE": "postgresql://u:p@127.0.0.1:1/db"}, "127.0.0.1"),
        ({"AGENT_MEMORY_STORAGE": "mysql://x"}, "The lines above say why"),
        ({"AGENT_MEMORY_URL": "http://127.0.0.1:1"}, "AGENT_MEMORY_URL (http://127.0.0.1:1)"),
    ],
)
def test_where_there_is_no_brief_the_last_line_says_what_to_do(
    tmp_path: Path, environment: dict[str, str], said: str
) -> None:
    done = started(tmp_path, **environment)

    assert (done.returncode, done.stdout) == (1, "")
    line = done.stderr.splitlines()[-1]
    assert line.startswith("No brief: ")
    assert said in line
