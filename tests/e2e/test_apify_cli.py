"""The Apify CLI's two ways in: `apify validate-schema` and `apify run --input-file`.

The CLI looks for Python in $VIRTUAL_ENV, then in ./.venv, then on PATH, and starts `python -m src.agent_memory` in the
folder that holds .actor/.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APIFY_CLI = "apify-cli@1.10.0"
NOT_COPIED = shutil.ignore_patterns(".*_cache", ".git", ".hypothesis", ".venv", "__pycache__", "dist", "storage")
NOT_PASSED_ON = ("ACTOR_", "APIFY_", "COV", "CRAWLEE_", "PYTHON")

pytestmark = pytest.mark.e2e


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the checkout without its environment and its memories."""
    return shutil.copytree(ROOT, tmp_path / "project", ignore=NOT_COPIED)


def apify(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    npx = shutil.which("npx")
    if npx is None and "CI" not in os.environ:
        pytest.skip("npx is not installed: the Apify CLI needs Node.js 20 or newer")
    assert npx, "npx is not installed: CI needs Node.js 20 or newer"
    env = {name: value for name, value in os.environ.items() if not name.startswith(NOT_PASSED_ON)}
    env |= {"APIFY_CLI_DISABLE_TELEMETRY": "1", "VIRTUAL_ENV": sys.prefix}
    command = [npx, "--yes", APIFY_CLI, *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_apify_validate_schema_accepts_every_schema(project: Path) -> None:
    done = apify("validate-schema", folder=project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_apify_run_remembers_what_an_input_file_says(project: Path, tmp_path: Path) -> None:
    given = {"action": "remember", "memoryStoreId": "acme~cli", "content": "The staging database is reset on Mondays."}
    input_file = tmp_path / "input.json"
    input_file.write_text(json.dumps(given), "utf-8")

    done = apify("run", "--input-file", str(input_file), folder=project)

    assert done.returncode == 0, done.stdout + done.stderr
    output = json.loads((project / "storage" / "key_value_stores" / "default" / "OUTPUT").read_text("utf-8"))
    assert output["ok"] is True
    assert output["memory"]["content"] == given["content"]


def test_apify_run_fails_when_the_action_fails(project: Path, tmp_path: Path) -> None:
    input_file = tmp_path / "input.json"
    input_file.write_text(json.dumps({"action": "remember", "memoryStoreId": "acme~cli", "content": " "}), "utf-8")

    done = apify("run", "--input-file", str(input_file), folder=project)

    assert done.returncode != 0
    output = json.loads((project / "storage" / "key_value_stores" / "default" / "OUTPUT").read_text("utf-8"))
    assert output["ok"] is False
    assert output["error"]["code"] == "invalid_request"
