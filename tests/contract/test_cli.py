"""The command agent-memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.cli import main
from agent_memory.setting_values import parse_tokens
from agent_memory.transports.http.tokens import digest
from support.actor import ROOT, inherited, run_actor


def command(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "agent_memory", *arguments],
        cwd=folder,
        env={**inherited(), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("arguments", [[], ["run"], ["serve"], ["mcp"], ["token"]])
def test_each_command_says_what_it_does(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--help"])

    assert ended.value.code == 0
    assert "usage: agent-memory" in capsys.readouterr().out


def test_what_is_no_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["sing"], ["serve", "--prot", "1"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2
    assert "usage: agent-memory" in capsys.readouterr().err


def test_run_carries_out_what_input_asks_for(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": "acme~cli", "content": "The first one."})
    (tmp_path / "storage/key_value_stores/default/INPUT.json").write_text(
        json.dumps({"action": "stats", "memoryStoreId": "acme~cli"}), "utf-8"
    )
    done = command(tmp_path, "run")

    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "storage/key_value_stores/default/OUTPUT").read_text("utf-8"))["totalMemories"] == 1


def test_a_token_is_shown_once_and_its_entry_is_what_the_server_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tokens.json"
    tokens: list[str] = []
    for name, right in (("ana", "write"), ("ci", "read")):
        main(["token", name, "--stores", "acme~*", "项目", "--right", right, "--file", str(file)])
        tokens.append(capsys.readouterr().out.strip())
    entries = parse_tokens(file.read_text("utf-8"))

    assert [(e.name, e.stores, e.right) for e in entries] == [
        ("ana", ("acme~*", "项目"), "write"),
        ("ci", ("acme~*", "项目"), "read"),
    ]
    assert [entry.sha256 for entry in entries] == [digest(token) for token in tokens]
    assert len(set(tokens)) == len(tokens)
    assert all(token.startswith("am_") and len(token) > 40 for token in tokens)
    assert file.stat().st_mode & 0o077 == 0
    assert not any(token in file.read_text("utf-8") for token in tokens)


def test_no_token_is_made_under_a_name_that_is_taken_or_wrong(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    main(["token", "ana", "--file", str(file)])
    before = file.read_bytes()
    for name in ("ana", "two words", ""):
        with pytest.raises(SystemExit, match="No token was made"):
            main(["token", name, "--file", str(file)])

    assert file.read_bytes() == before


@pytest.mark.parametrize("bad", ["{bad", '{"a": 1}'])
def test_a_file_that_holds_no_tokens_stays_as_it_is(tmp_path: Path, bad: str) -> None:
    file = tmp_path / "tokens.json"
    file.write_text(bad, "utf-8")
    done = command(tmp_path, "token", "ana", "--stores", "*", "--file", str(file))

    assert done.returncode == 1
    assert "No token was made" in done.stderr
    assert "Traceback" not in done.stderr
    assert file.read_text("utf-8") == bad


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = command(tmp_path, "token", "ana", "--stores", "*", "--file", str(tmp_path / "missing" / "tokens.json"))

    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert done.stdout == ""
