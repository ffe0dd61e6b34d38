"""What a run leaves in the storage folder."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

from agent_memory.store.names import storage_name
from support.actor import run_actor, stored_values

STORE = "acme~folder проект"
NAME = storage_name(STORE)
LEGAL = re.compile(r"[a-zA-Z0-9!\-_.'()]{1,128}")
LARGEST = 4_000_000


def test_keys_are_legal_values_small_and_the_manifest_names_every_memory(tmp_path: Path) -> None:
    memories = [{"content": f"{n} " + "текст " * 12_000, "projectId": "п/р:о*?"} for n in range(40)]
    bulk = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "memories": memories})
    one = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "A single one."})
    read = run_actor(tmp_path, {"action": "search", "memoryStoreId": STORE, "query": "single"})

    assert [ended.exit_code for ended in (bulk, one, read)] == [0, 0, 0]
    assert bulk.output["storeName"] == NAME
    values = stored_values(tmp_path, NAME)
    assert all(LEGAL.fullmatch(key) for key in values), sorted(values)
    assert max(map(len, values.values())) <= LARGEST
    ids = {result["memoryId"] for result in bulk.output["results"]} | {one.output["memory"]["id"]}
    manifest = json.loads(values["__manifest"])
    assert set(manifest["memoryIds"]) == ids
    assert manifest["memoryIds"][0] == one.output["memory"]["id"]
    assert manifest["truncated"] is False


def test_nothing_but_the_named_store_and_the_runs_own_is_written(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": "../../x", "content": "A fact."})

    assert {path.name for path in tmp_path.iterdir()} == {"storage"}
    assert {path.name for path in (tmp_path / "storage" / "key_value_stores").iterdir()} == {
        "default",
        storage_name("../../x"),
    }


def test_files_of_a_write_that_was_cut_short_change_no_answer(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "The only fact."})
    folder = tmp_path / "storage" / "key_value_stores" / NAME
    for key in stored_values(tmp_path, NAME):
        (folder / f"{quote(key, safe='')}.ab_12xyz.tmp").write_bytes(b"half a val")

    recalled = run_actor(tmp_path, {"action": "recall", "memoryStoreId": STORE})
    examined = run_actor(tmp_path, {"action": "doctor", "memoryStoreId": STORE})

    assert [memory["content"] for memory in recalled.output["memories"]] == ["The only fact."]
    assert recalled.output["warnings"] == []
    assert examined.output["counts"] == {}


def test_four_processes_of_five_remembers_each_lose_nothing(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()

    def remember_five(process: int) -> list[str]:
        folder = tmp_path / f"process-{process}"
        stores = folder / "storage" / "key_value_stores"
        stores.mkdir(parents=True)
        (stores / NAME).symlink_to(shared, target_is_directory=True)
        texts = [f"Process {process} writes fact {n}." for n in range(5)]
        runs = [run_actor(folder, {"action": "remember", "memoryStoreId": STORE, "content": text}) for text in texts]
        assert [run.exit_code for run in runs] == [0] * 5, [run.log for run in runs]
        return [run.output["memory"]["id"] for run in runs]

    with ThreadPoolExecutor(4) as pool:
        ids = [memory_id for found in pool.map(remember_five, range(4)) for memory_id in found]

    recalled = run_actor(tmp_path / "process-0", {"action": "recall", "memoryStoreId": STORE, "maxResults": 100})
    assert len(set(ids)) == 20
    assert {memory["id"] for memory in recalled.output["memories"]} == set(ids)
    assert recalled.output["warnings"] == []
    found = run_actor(
        tmp_path / "process-1", {"action": "search", "memoryStoreId": STORE, "query": "process 3 writes fact 4"}
    )
    assert found.output["memories"][0]["content"] == "Process 3 writes fact 4."
