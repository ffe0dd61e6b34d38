"""Whole runs: an INPUT file in; OUTPUT, one dataset row, an exit code and a status message out."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.actor import Ended, run_actor

STORE = "acme~runs"


def ask(folder: Path, action: str, **fields: Any) -> Ended:
    return run_actor(folder, {"action": action, "memoryStoreId": STORE, **fields})


def agrees(ended: Ended) -> None:
    """OUTPUT, the dataset row, the exit code and the log tell the same."""
    assert ended.rows == [ended.output]
    assert ended.exit_code == (0 if ended.output["ok"] else 1)
    assert "status message" in ended.log.lower()
    assert "Traceback" not in ended.log


def test_what_one_run_remembers_the_next_run_finds(tmp_path: Path) -> None:
    first = ask(tmp_path, "remember", content="The staging database is reset every night.")
    second = ask(tmp_path, "search", query="staging reset")

    for ended in (first, second):
        agrees(ended)
    assert first.output["message"] == f"Remembered 1 memory in {STORE}."
    assert first.output["message"] in first.log
    assert second.output["memories"][0]["id"] == first.output["memory"]["id"]
    assert first.output["memory"]["id"] in first.stdout


def test_a_whole_life_runs_through_every_writing_action(tmp_path: Path) -> None:
    memory_id = ask(tmp_path, "store", content="Port 80 is open.").output["memory"]["id"]
    chunks = ask(tmp_path, "chunk", content="# A\n\nOne.\n\n# B\n\nTwo.", maxTokensPerChunk=20)
    updated = ask(tmp_path, "update", memoryId=memory_id, content="Port 80 is shut.")
    pruned = ask(tmp_path, "prune", decayConfig={"enabled": True})
    forgotten = ask(tmp_path, "delete", memoryId=memory_id)
    stats = ask(tmp_path, "stats")

    for ended in (chunks, updated, pruned, forgotten, stats):
        agrees(ended)
        assert ended.output["ok"], ended.output
    assert "content" in updated.output["changed"]
    assert stats.output["totalMemories"] == len(chunks.output["chunks"])
    assert stats.output["forgotten"] == 1


def test_each_class_of_failure_ends_with_code_1_and_a_body(tmp_path: Path) -> None:
    ask(tmp_path, "remember", content="Port 80 is open.", idempotencyKey="k")
    runs = {
        "invalid_request": ask(tmp_path, "remember", content=" "),
        "not_found": ask(tmp_path, "get", memoryId="1a2b"),
        "conflict": ask(tmp_path, "remember", content="Other.", idempotencyKey="k"),
        "too_large": ask(tmp_path, "remember", content="x", memoryDetails={"metadata": {"k": "x" * 4_300_000}}),
    }

    for code, ended in runs.items():
        agrees(ended)
        assert (ended.output["ok"], ended.output["error"]["code"]) == (False, code)
        assert ended.output["error"]["message"]
        assert ended.output["action"] in ("remember", "get")


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (None, "missing"),
        ("[]", "it is a list"),
        ('"remember"', "it is a text"),
        ("{", "JSON"),
        ('{\n"action" "stats"}', "Expecting ':' delimiter at line 2, column 10"),
        (b'{\n"action": "stats\xff"}', "no UTF-8: byte 18 in line 2. Save the file as UTF-8"),
        ('{"action": "stats"}'.encode("utf-16"), "Save the file as UTF-8"),
        ("[" * 100_000, "nested"),
        (f'{{"action": "search", "maxResults": {"1" * 5_000}}}', "digits"),
        ("{}", "action"),
        ('{"action": "", "memoryStoreId": "a"}', "action"),
        ('{"action": 7, "memoryStoreId": "a"}', "action"),
        ('{"action": "memorize", "memoryStoreId": "a"}', "memorize"),
        ('{"action": "stats"}', "memoryStoreId"),
        ('{"action": "\\ud800", "memoryStoreId": "a"}', "action"),
        ('{"action": "stats", "memoryStoreId": "a", "\\ud800": 1}', "known"),
        ('{"action": "remember", "memoryStoreId": "a", "content": "\\ud800"}', "surrogate"),
    ],
)
def test_an_input_that_is_no_request_is_answered_all_the_same(tmp_path: Path, payload: object, said: str) -> None:
    ended = run_actor(tmp_path, payload)

    agrees(ended)
    assert ended.exit_code == 1
    assert ended.output["error"]["code"] in ("invalid_request", "not_found")
    assert said in ended.output["error"]["message"]
    stores = tmp_path / "storage" / "key_value_stores"
    assert not list(stores.glob("mem-*"))
    assert (stores / "default" / "INPUT.json").exists() == (payload is not None)


def test_without_an_input_the_answer_says_where_it_belongs_and_what_to_write(tmp_path: Path) -> None:
    message = run_actor(tmp_path, None).output["error"]["message"]

    assert str(tmp_path / "storage" / "key_value_stores" / "default" / "INPUT.json") in message
    assert run_actor(tmp_path, message[message.index("{") :]).output["message"] == "Remembered 1 memory in acme~notes."


def test_an_input_with_a_byte_order_mark_is_read_in_every_run(tmp_path: Path) -> None:
    payload = "\ufeff" + json.dumps({"action": "stats", "memoryStoreId": STORE})

    agrees(run_actor(tmp_path, payload))
    again = run_actor(tmp_path, payload)

    agrees(again)
    assert again.output["ok"]


def test_of_two_inputs_neither_is_taken(tmp_path: Path) -> None:
    default = tmp_path / "storage" / "key_value_stores" / "default"
    default.mkdir(parents=True)
    (tmp_path / "INPUT").write_text("{", "utf-8")
    broken = run_actor(tmp_path, None)
    (tmp_path / "INPUT.json").write_text("{}", "utf-8")
    double = run_actor(tmp_path, None)

    for ended in (broken, double):
        agrees(ended)
        assert str(tmp_path / "INPUT") in ended.output["error"]["message"]


def test_texts_of_every_kind_survive_the_files(tmp_path: Path) -> None:
    text = "emoji 👩‍👩‍👧 \r\n NUL \x00 BOM \ufeff \u2028 项目 café \ud83d\ude00".encode(
        "utf-16", "surrogatepass"
    ).decode("utf-16")
    memory_id = ask(tmp_path, "remember", content=text, projectId="项目").output["memory"]["id"]

    got = ask(tmp_path, "get", memoryId=memory_id)

    agrees(got)
    assert (got.output["memories"][0]["content"], got.output["memories"][0]["projectId"]) == (text, "项目")


def test_a_bug_is_answered_as_internal_without_details(tmp_path: Path) -> None:
    code = (
        "from agent_memory.store.memory_store import MemoryStore\n"
        "def fail(*_, **__): raise RuntimeError('an inner secret')\n"
        "MemoryStore.load = fail\n"
        "from agent_memory.main import main\n"
        "main()\n"
    )
    ended = run_actor(tmp_path, {"action": "stats", "memoryStoreId": STORE}, code=code)

    assert ended.exit_code == 1
    assert ended.rows == [ended.output]
    assert (ended.output["ok"], ended.output["error"]["code"]) == (False, "internal")
    assert "an inner secret" not in str(ended.output)
    assert "fail" in ended.log


def test_decay_follows_the_environment(tmp_path: Path) -> None:
    old = {"createdAt": "2020-01-01"}
    ask(tmp_path, "remember", content="Old news.", memoryDetails=old)
    payload = {"action": "recall", "memoryStoreId": STORE}

    assert run_actor(tmp_path, payload, DECAY_ENABLED="true").output["hiddenByDecay"] == 1
    assert run_actor(tmp_path, payload, DECAY_ENABLED="").output["hiddenByDecay"] == 0


def test_the_storage_folder_can_be_moved(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    store = elsewhere / "key_value_stores" / "default"
    store.mkdir(parents=True)
    (store / "INPUT.json").write_text('{"action": "stats", "memoryStoreId": "a"}', encoding="utf-8")

    ended = run_actor(tmp_path, None, CRAWLEE_STORAGE_DIR=str(elsewhere))

    assert ended.exit_code == 0
    assert (store / "OUTPUT").exists()
