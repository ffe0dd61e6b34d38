"""export and import through files of the local machine."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from agent_memory.store.files import Files
from support.transfer import lines_of, stored
from support.world import World


@pytest.fixture
def local(tmp_path: Path) -> World:
    """A world on somebody's own machine, its folder being `tmp_path`."""
    return World(files=Files(tmp_path))


async def test_an_export_to_a_file_holds_the_same_and_can_be_written_again(local: World, tmp_path: Path) -> None:
    await local.remember("Port 1 is open.")
    await local.ask("export")

    for _ in range(2):
        body = await local.ask("export", exportPath="notes.ndjson")
        assert (body["path"], body["records"]) == ("notes.ndjson", [])
        assert body["message"].endswith(" to notes.ndjson.")

    assert (tmp_path / "notes.ndjson").read_bytes() == local.records.values["EXPORT"]
    assert list(Files(tmp_path).source(".").paths) == ["notes.ndjson"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("../notes.ndjson", "lies outside"),
        ("/etc/notes.ndjson", "lies outside"),
        ("link/notes.ndjson", "lies outside"),
        ("a\0b", "lies outside"),
        ("folder", "must be a file"),
        ("missing/notes.ndjson", "must be a file"),
        ("mine.txt", "was not overwritten"),
        ("n" * 300, "cannot be used"),
    ],
)
async def test_a_file_that_cannot_be_written_is_one_clear_error(
    local: World, tmp_path: Path, path: str, told: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path.parent)
    (tmp_path / "mine.txt").write_text("a letter", "utf-8")
    await local.remember("Port 1 is open.")

    body = await local.ask("export", exportPath=path)

    assert (body["error"]["code"], body["error"]["details"]) == ("invalid_request", {"field": "exportPath"})
    assert told in body["error"]["message"]
    assert (tmp_path / "mine.txt").read_text("utf-8") == "a letter"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("../notes.ndjson", "lies outside"),
        ("link", "lies outside"),
        ("missing.ndjson", "there is no"),
        ("circle", "links"),
        ("mine.txt/below", "there is no"),
        ("empty", "Nothing to import"),
    ],
)
async def test_a_file_that_cannot_be_read_is_one_clear_error(
    local: World, tmp_path: Path, path: str, told: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path.parent)
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "mine.txt").write_text("a letter", "utf-8")

    body = await local.ask("import", importPath=path)

    assert body["error"]["code"] == "invalid_request"
    assert told in body["error"]["message"]
    assert stored(local) == {}


async def test_a_file_that_may_not_be_read_is_named(local: World, tmp_path: Path) -> None:
    class Denied(type(tmp_path)):
        """A file of somebody else: root would be let in."""

        def read_bytes(self) -> bytes:
            raise PermissionError(13, "Permission denied")

    class Guarded(Files):
        def _inside(self, name: str, path: str) -> Path:
            return Denied(super()._inside(name, path))

    (tmp_path / "notes.ndjson").write_bytes(b"x")
    local.files = Guarded(tmp_path)

    body = await local.ask("import", importPath="notes.ndjson")

    assert body["error"]["code"] == "invalid_request"
    assert "notes.ndjson" in body["error"]["message"]
    assert "Permission denied" in body["error"]["message"]


@pytest.mark.parametrize("given", [{"exportPath": "a.ndjson"}, {"importPath": "a.ndjson"}])
async def test_paths_are_refused_where_the_disk_is_not_the_callers(world: World, given: Mapping[str, str]) -> None:
    world.files = None

    body = await world.ask("export" if "exportPath" in given else "import", **given)

    assert body["error"]["code"] == "invalid_request"
    assert "your own machine" in body["error"]["message"]


async def test_a_folder_brings_all_exports_in_it_and_leaves_other_files_alone(local: World, tmp_path: Path) -> None:
    for n, name in enumerate(("EXPORT", "EXPORT-2", "b.jsonl", "c.ndjson")):
        other = World()
        await other.remember(f"Port {n} is open.")
        (tmp_path / name).write_bytes(await lines_of(other))
    (tmp_path / "EXPORT.__metadata__.json").write_text("{}", "utf-8")
    (tmp_path / "secrets.ndjson").symlink_to("/etc/passwd")
    (tmp_path / "INPUT.json").write_text("{}", "utf-8")

    body = await local.ask("import", importPath=".")

    assert body["counts"]["created"] == 4
    assert body["sources"] == ["EXPORT", "EXPORT-2", "b.jsonl", "c.ndjson"]
