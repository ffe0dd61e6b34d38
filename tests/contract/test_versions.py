"""Memories that a newer version has written: fields that are unknown here are kept, anything else is refused."""

import hashlib
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from agent_memory.store.keys import parse_revision_key
from agent_memory.store.kv import InMemoryKeyValue
from support.world import STORE, World

Change = Callable[[dict[str, Any]], object]


def rewrite(world: World, memory_id: str, change: Change) -> None:
    """Store the one revision of `memory_id` as a newer version would have written it."""
    values = world.values()
    (old,) = (key for key in values if key.startswith(f"memory-{memory_id}."))
    body = json.loads(values.pop(old))
    change(body)
    line = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    key = parse_revision_key(old)
    assert key is not None
    values[f"{old.removesuffix(key.hash)}{hashlib.sha256(line).hexdigest()[:20]}"] = line


def added(body: dict[str, Any]) -> None:
    """What a version 7 would add that changes nothing else."""
    body["memory"] |= {"schemaVersion": 7, "mood": "calm", "links": [{"to": "m-2", "why": "same port"}]}
    body["device"] = "laptop"
    body["origin"]["place"] = "office"


REFUSED: dict[str, tuple[Change, str]] = {
    "a field is gone": (lambda body: body["memory"].pop("confidence"), "schemaVersion 7"),
    "a field is another type": (lambda body: body["memory"].update(confidence="high"), "schemaVersion 7"),
    "a list holds another type": (lambda body: body["memory"].update(tags=[{"name": "a"}]), "schemaVersion 7"),
    "a list is longer": (lambda body: body["memory"].update(memoryType="omen"), "schemaVersion 7"),
    "a place in a document is gone": (lambda body: body["memory"].update(document={"index": 1}), "schemaVersion 7"),
    "a state is unknown": (lambda body: body.update(state="dreamt"), "schemaVersion 7"),
    "another format": (lambda body: body.update(format=2), "format 2"),
}


async def test_unknown_fields_of_a_newer_version_are_kept_by_an_update_and_by_an_export(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    rewrite(world, memory_id, added)

    body = await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")
    assert body["ok"], body
    (memory,) = (await world.ask("get", memoryId=memory_id))["memories"]
    assert (memory["mood"], memory["links"][0]["to"], memory["content"]) == ("calm", "m-2", "Port 1 is shut.")
    assert memory["schemaVersion"] == 7

    exported = await world.ask("export")
    (lines,) = world.records.values.values()
    other = World(records=world.records)
    other.sources["here"] = world.records
    assert exported["ok"]
    assert b'"device":"laptop"' in lines
    assert b'"place":"office"' in lines
    imported = await other.ask("import", sourceStore="here")
    assert imported["ok"], imported
    (copied,) = (await other.ask("get", memoryId=memory_id))["memories"]
    assert copied == memory


@pytest.mark.parametrize(("change", "named"), REFUSED.values(), ids=REFUSED)
async def test_a_newer_version_that_changed_more_is_refused_by_name(world: World, change: Change, named: str) -> None:
    memory_id = await world.remember("Port 1 is open.")
    await world.remember("Port 2 is open.")

    def newer(body: dict[str, Any]) -> None:
        added(body)
        change(body)

    rewrite(world, memory_id, newer)
    before = dict(world.values())
    for action, fields in (
        ("search", {"query": "port"}),
        ("recall", {}),
        ("get", {"memoryId": memory_id}),
        ("remember", {"content": "Port 3 is open."}),
        ("purge", {"memoryId": memory_id, "confirm": f"DELETE {memory_id}"}),
        ("prune", {}),
        ("export", {}),
    ):
        body = await world.ask(action, **fields)
        assert not body["ok"], action
        assert body["error"]["code"] == "conflict"
        assert named in body["error"]["message"]
        assert memory_id in body["error"]["message"]
    assert world.values() == before
    assert not world.records.values


async def test_a_wrong_field_of_this_version_is_damage(world: World) -> None:
    memory_id = await world.remember("Port 1 is open.")
    kept = await world.remember("Port 2 is open.")
    rewrite(world, memory_id, lambda body: body["memory"].pop("confidence"))

    body = await world.ask("recall")

    assert [memory["id"] for memory in body["memories"]] == [kept]
    assert any("damaged" in warning for warning in body["warnings"])


class Meanwhile(InMemoryKeyValue):
    """Holds what `late` says from the next change of a memory on, as if another process had written it meanwhile."""

    late: Mapping[str, bytes] = MappingProxyType({})

    async def set(self, key: str, value: bytes) -> None:
        await super().set(key, value)
        if key.startswith("memory-"):
            self.values.update(self.late)


async def test_what_a_newer_version_writes_at_the_same_moment_is_told_and_the_write_stands() -> None:
    kv = Meanwhile()
    world = World(stores={STORE: kv})
    memory_id = await world.remember("Port 1 is open.")
    before = dict(world.values())
    rewrite(world, memory_id, lambda body: added(body) or body["memory"].pop("confidence"))
    kv.late = {key: value for key, value in kv.values.items() if key not in before}
    kv.values = before

    body = await world.ask("update", memoryId=memory_id, content="Port 1 is shut.")
    after = await world.ask("get", memoryId=memory_id)

    assert body["ok"]
    assert any("schemaVersion 7" in warning for warning in body["warnings"])
    assert after["error"]["code"] == "conflict"
