"""Values on a local disk are what the SDK would have written, so that whoever uses it sees them."""

import json
import shutil
from pathlib import Path

from apify import Configuration
from apify.storage_clients import FileSystemStorageClient
from apify.storages import KeyValueStore

from agent_memory.store.backends.local import LocalKeyValue
from agent_memory.store.kv import CONTENT_TYPE

VALUES = {"memory-1.1.d.0": b'{"a":1}', "segment-2": b"\0\xff\n" * 1000, "empty": b"", "wei\u00df": "🧠".encode()}


async def open_both(folder: Path) -> tuple[LocalKeyValue, KeyValueStore, Path]:
    configuration = Configuration(storage_dir=str(folder))
    client = await FileSystemStorageClient().create_kvs_client(name="mem-x", configuration=configuration)
    store = KeyValueStore(client, (await client.get_metadata()).id, "mem-x")
    return LocalKeyValue(store, client.path_to_kvs), store, client.path_to_kvs


async def test_the_sdk_reads_lists_and_deletes_what_was_written(tmp_path: Path) -> None:
    kv, sdk, _ = await open_both(tmp_path)
    for key, value in VALUES.items():
        await kv.set(key, b"an earlier value")
        await kv.set(key, value)

    assert {key: await sdk.get_value(key) for key in VALUES} == VALUES
    assert {item.key: (item.content_type, item.size) async for item in sdk.iterate_keys()} == {
        key: (CONTENT_TYPE, len(value)) for key, value in VALUES.items()
    }

    await sdk.delete_value("segment-2")
    assert await kv.get("segment-2") is None
    await kv.delete("empty")
    assert await sdk.get_value("empty") is None
    assert [key async for key in kv.list_keys("empty")] == []


async def test_the_files_are_those_that_the_sdk_writes(tmp_path: Path) -> None:
    ours, _, our_folder = await open_both(tmp_path / "ours")
    _, theirs, their_folder = await open_both(tmp_path / "theirs")
    for key, value in VALUES.items():
        await ours.set(key, value)
        await theirs.set_value(key, value, content_type=CONTENT_TYPE)

    def files(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "__metadata__.json"}

    assert files(our_folder) == files(their_folder)


async def test_a_store_whose_folder_was_deleted_is_made_anew_by_the_next_write(tmp_path: Path) -> None:
    kv, _, folder = await open_both(tmp_path)
    await kv.set("key-1", b"before")
    shutil.rmtree(folder)

    await kv.set("key-2", b"after")

    assert [key async for key in kv.list_keys()] == ["key-2"]
    assert json.loads((folder / "__metadata__.json").read_text())["name"] == "mem-x"
    _, sdk, _ = await open_both(tmp_path)
    assert await sdk.get_value("key-2") == b"after"


async def test_a_deleted_folder_holds_no_keys(tmp_path: Path) -> None:
    kv, _, folder = await open_both(tmp_path)
    await kv.set("key-1", b"before")
    shutil.rmtree(folder)

    assert [key async for key in kv.list_keys()] == []
    assert await kv.get("key-1") is None
    await kv.delete("key-1")
