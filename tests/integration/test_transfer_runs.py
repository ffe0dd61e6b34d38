"""Export and import as real runs: on an emulated platform, on somebody's own machine, and from one to the other."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.actor import ROOT, run_actor
from support.emulator import KEY_VALUES, Platform, emulated_platform

STORE = "acme~notes"
NOT_PASSED_ON = ("ACTOR_", "APIFY_", "CRAWLEE_", "DECAY_")


@pytest.fixture
def platform() -> Iterator[Platform]:
    with emulated_platform() as emulated:
        yield emulated


def run(platform: Platform, folder: Path, action: str, store: str = STORE, **given: Any) -> dict[str, Any]:
    """The OUTPUT of one run on the platform."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_PASSED_ON)}
    begun = platform.begin({"action": action, "memoryStoreId": store, **given})
    done = subprocess.run(
        [sys.executable, "-m", "agent_memory"],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT / "src"), **begun},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return platform.output()


def test_an_export_on_the_platform_is_a_record_that_another_store_can_import(
    platform: Platform, tmp_path: Path
) -> None:
    run(platform, tmp_path, "remember", content="Deploys are frozen on Fridays 今天.")
    exported = run(platform, tmp_path, "export")
    platform.stores["earlierRun"] = dict(platform.stores[KEY_VALUES])

    imported = run(platform, tmp_path, "import", "acme~copy", sourceStore="earlierRun")

    assert exported["records"] == ["EXPORT"]
    content_type, value = platform.stores["earlierRun"]["EXPORT"]
    assert content_type == "application/x-ndjson"
    assert len(value) == exported["bytes"]
    assert imported["counts"]["created"] == 1
    assert run(platform, tmp_path, "search", "acme~copy", query="deploys")["count"] == 1
    assert run(platform, tmp_path, "export", "acme~copy")["bytes"] == exported["bytes"]
    assert platform.stores[KEY_VALUES]["EXPORT"][1] == value


def test_a_store_of_the_original_actor_on_the_platform_is_read_and_left_as_it_is(
    platform: Platform, tmp_path: Path
) -> None:
    records = {f"memory-m-{n}": {"id": f"m-{n}", "content": f"Note {n}.", "createdAt": "2026-01-01"} for n in range(40)}
    values = {**records, "memory-m-0": None, "__manifest": {"version": 1}}
    original = {key: ("application/json", json.dumps(value).encode()) for key, value in values.items()}
    platform.stores["original"] = dict(original)

    body = run(platform, tmp_path, "import", sourceStore="original")

    assert (body["counts"]["created"], body["counts"]["deleted"]) == (39, 1)
    assert platform.stores["original"] == original


def test_the_platform_refuses_paths_and_names_a_store_that_is_not_there(platform: Platform, tmp_path: Path) -> None:
    for action, given, code in (
        ("export", {"exportPath": "a.ndjson"}, "invalid_request"),
        ("import", {"importPath": "a.ndjson"}, "invalid_request"),
        ("import", {"sourceStore": "nowhere"}, "not_found"),
    ):
        assert run(platform, tmp_path, action, **given)["error"]["code"] == code
    assert not list(tmp_path.iterdir())


def test_local_runs_write_a_file_and_read_it_back(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "Deploys are frozen on Fridays."})
    exported = run_actor(tmp_path, {"action": "export", "memoryStoreId": STORE, "exportPath": "notes.ndjson"}).output

    body = run_actor(tmp_path, {"action": "import", "memoryStoreId": "copy", "importPath": "notes.ndjson"}).output

    assert (exported["path"], (tmp_path / "notes.ndjson").stat().st_size) == ("notes.ndjson", exported["bytes"])
    assert body["counts"]["created"] == 1


def test_the_record_of_a_local_export_can_be_imported_from_its_folder(tmp_path: Path) -> None:
    run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "Deploys are frozen on Fridays."})
    run_actor(tmp_path, {"action": "export", "memoryStoreId": STORE})
    record = tmp_path / "storage" / "key_value_stores" / "default" / "EXPORT"
    record.rename(tmp_path / "EXPORT")

    body = run_actor(tmp_path, {"action": "import", "memoryStoreId": "copy", "importPath": "EXPORT"}).output

    assert body["counts"]["created"] == 1


def test_a_store_on_apify_needs_a_token_on_ones_own_machine(tmp_path: Path) -> None:
    body = run_actor(tmp_path, {"action": "import", "memoryStoreId": STORE, "sourceStore": "abc"}).output

    assert body["error"]["code"] == "invalid_request"
    assert "APIFY_TOKEN" in body["error"]["message"]


def test_a_laptop_takes_over_what_the_platform_holds(platform: Platform, tmp_path: Path) -> None:
    run(platform, tmp_path, "remember", content="Deploys are frozen on Fridays.")
    run(platform, tmp_path, "export")
    away = {"APIFY_TOKEN": "no-real-token", "APIFY_API_BASE_URL": platform.url}
    away |= {"APIFY_API_PUBLIC_BASE_URL": platform.url}

    body = run_actor(tmp_path, {"action": "import", "memoryStoreId": STORE, "sourceStore": KEY_VALUES}, **away).output

    assert body["counts"]["created"] == 1
