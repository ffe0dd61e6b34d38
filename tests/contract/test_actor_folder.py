"""The local folder: values count whatever became of their sidecars, and messages steer no terminal."""

from pathlib import Path

from support.actor import run_actor

STORE = "acme~folder"


def folder_of(tmp_path: Path, name: str) -> Path:
    return tmp_path / "storage" / "key_value_stores" / name


def test_memories_whose_sidecars_are_missing_or_empty_are_still_there(tmp_path: Path) -> None:
    made = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The port is 8080."})
    folder = folder_of(tmp_path, made.output["storeName"])
    for number, sidecar in enumerate(sorted(folder.glob("*.__metadata__.json"))):
        if number % 2:
            sidecar.unlink()
        else:
            sidecar.write_text("")

    found = run_actor(tmp_path, {"action": "recall", "memoryStoreId": STORE})

    assert [memory["content"] for memory in found.output["memories"]] == ["The port is 8080."]


def test_a_damaged_description_of_the_store_is_named(tmp_path: Path) -> None:
    made = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The port is 8080."})
    (folder_of(tmp_path, made.output["storeName"]) / "__metadata__.json").write_text("{torn")

    ended = run_actor(tmp_path, {"action": "recall", "memoryStoreId": STORE})

    assert ended.exit_code == 1
    assert ended.output["error"]["code"] == "storage_unavailable"
    assert "__metadata__.json" in ended.output["error"]["message"]


def test_an_answer_that_cannot_be_written_fails_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "storage").mkdir()
    (tmp_path / "storage" / "datasets").write_text("no folder")

    ended = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The port is 8080."})

    assert ended.exit_code == 1
    assert "the answer could not be written" in ended.log
    assert "Traceback" not in ended.log


def test_ids_reach_log_and_terminal_without_their_control_characters(tmp_path: Path) -> None:
    forged = "x\n[apify] ERROR forged \x1b[31mred"

    ended = run_actor(tmp_path, {"action": "get", "memoryStoreId": forged, "memoryId": forged})

    assert ended.output["error"]["code"] == "not_found"
    for text in (ended.log, ended.stdout):
        assert not any(line.startswith("[apify] ERROR forged") for line in text.splitlines())
        assert "\x1b[31mred" not in text
    assert "x<U+000A>[apify]" in ended.output["error"]["message"]


def test_a_terminal_that_lacks_a_character_does_not_end_the_run(tmp_path: Path) -> None:
    payload = {"action": "remember", "memoryStoreId": STORE, "content": "部署后重启nginx"}

    ended = run_actor(tmp_path, payload, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")

    assert ended.exit_code == 0
    assert "\\u90e8" in ended.stdout


def test_a_misspelt_store_is_not_made_by_a_read(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The port is 8080."})
    stores = tmp_path / "storage" / "key_value_stores"
    before = sorted(path.name for path in stores.iterdir())

    for action in ("recall", "brief", "stats", "doctor"):
        ended = run_actor(tmp_path, {"action": action, "memoryStoreId": "acme~foldr"})
        assert ended.output["ok"], ended.output

    assert sorted(path.name for path in stores.iterdir()) == before
