"""Memory stores in a database: a whole run of the Actor, and what a database may refuse."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.backends.sql_errors import reason
from agent_memory.store.database import parse_database
from agent_memory.store.open import key_value_stores
from support.actor import ROOT, run_actor
from support.emulator import emulated_platform
from support.postgresql import new_database


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with new_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database."""
    return request.getfixturevalue("postgresql") if request.param == "postgresql" else f"sqlite:///{tmp_path}/notes.db"


async def set_one(url: str, value: bytes = b"value") -> None:
    async with key_value_stores(parse_database(url)) as open_store:
        await (await open_store("mem-tests")).set("key", value)


async def get_one(url: str) -> bytes | None:
    async with key_value_stores(parse_database(url)) as open_store:
        return await (await open_store("mem-tests")).get("key")


async def refusal(url: str) -> str:
    with pytest.raises(StorageUnavailableError) as caught:
        await set_one(url)
    return caught.value.message


def test_a_run_finds_in_a_database_what_an_earlier_run_remembered_there(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    text = "The staging database is reset every Sunday night."
    remembered = run_actor(
        folder, {"action": "remember", "memoryStoreId": "a~b", "content": text}, AGENT_MEMORY_STORAGE=url
    )
    assert remembered.exit_code == 0, remembered.log
    found = run_actor(
        folder, {"action": "search", "memoryStoreId": "a~b", "query": "staging reset"}, AGENT_MEMORY_STORAGE=url
    )
    assert [memory["content"] for memory in found.output["memories"]] == [text]
    assert found.rows == [found.output]
    assert "xperimental" not in remembered.log + found.log
    # INPUT, OUTPUT and the dataset have not moved; nothing else is there.
    assert [path.name for path in (folder / "storage" / "key_value_stores").iterdir()] == ["default"]
    elsewhere = run_actor(folder, {"action": "search", "memoryStoreId": "a~b", "query": "staging reset"})
    assert elsewhere.output["memories"] == []


def test_a_run_that_cannot_reach_its_database_says_so_and_holds_no_credentials(tmp_path: Path) -> None:
    url = "postgresql://somebody:hunter2@127.0.0.1:9/test"
    ended = run_actor(tmp_path, {"action": "remember", "memoryStoreId": "a", "content": "x"}, AGENT_MEMORY_STORAGE=url)
    assert ended.exit_code == 1
    assert ended.output["error"]["code"] == "storage_unavailable"
    assert ended.output["error"]["message"] == (
        "The PostgreSQL database test at 127.0.0.1:9 cannot be reached: no server answers there. "
        "Start it, or correct AGENT_MEMORY_STORAGE."
    )
    everything = ended.log + ended.stdout + str(ended.output)
    assert "hunter2" not in everything
    assert "Traceback" not in everything


def test_a_run_on_the_platform_keeps_nothing_in_a_file_that_ends_with_the_run(tmp_path: Path) -> None:
    payload = {"action": "remember", "memoryStoreId": "a", "content": "x"}
    with emulated_platform() as platform:
        ended = run_actor(tmp_path, payload, **platform.begin(payload), AGENT_MEMORY_STORAGE="sqlite:///notes.db")
        assert ended.exit_code == 1
        assert "the disk of a run on Apify is gone" in platform.output()["error"]["message"]
    assert not (tmp_path / "notes.db").exists()


def test_a_run_on_the_platform_may_keep_memories_in_postgresql(postgresql: str, tmp_path: Path) -> None:
    payload = {"action": "remember", "memoryStoreId": "platform", "content": "x"}
    with emulated_platform() as platform:
        ended = run_actor(tmp_path, payload, **platform.begin(payload), AGENT_MEMORY_STORAGE=postgresql)
        assert ended.exit_code == 0, ended.log
        assert platform.names == {}
        assert platform.rows == [platform.output()]


def test_a_run_with_a_wrong_setting_ends_with_a_line_that_says_what_is_allowed(tmp_path: Path) -> None:
    ended = run_actor(tmp_path, {"action": "stats", "memoryStoreId": "a"}, AGENT_MEMORY_STORAGE="redis://localhost")
    assert ended.exit_code == 1
    assert ended.log.startswith("AGENT_MEMORY_STORAGE: 'redis://localhost' is not understood")
    assert "Traceback" not in ended.log


def test_a_run_without_a_database_loads_no_database_library() -> None:
    code = (
        "import sys\n"
        "from agent_memory.store.open import spare_sql_imports\n"
        "spare_sql_imports()\n"
        "import agent_memory.transports.batch, apify.storages, crawlee.storage_clients\n"
        "print(sorted({'sqlalchemy', 'asyncpg', 'aiosqlite'} & sys.modules.keys()))"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


async def test_a_database_that_does_not_exist_is_named(postgresql: str) -> None:
    assert "_not at 127.0.0.1:5432 does not exist. Create it" in await refusal(f"{postgresql}_not")


async def test_a_user_whom_the_server_does_not_know_is_refused(postgresql: str) -> None:
    message = await refusal(f"postgresql://somebody:hunter2@{postgresql.rpartition('@')[2]}")
    assert message.endswith("refused the user. Check the user and the password in AGENT_MEMORY_STORAGE.")


async def test_a_host_that_does_not_exist_is_named() -> None:
    assert "no.such.host.invalid:5432 cannot be reached: no such host" in await refusal(
        "postgresql://no.such.host.invalid/test"
    )


async def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Not a database, but something that somebody wrote. " * 100)
    before = file.read_bytes()
    assert await refusal(f"sqlite:///{file}") == (
        f"The SQLite file {file} is no SQLite database. Nothing was changed. Name another file in AGENT_MEMORY_STORAGE."
    )
    assert file.read_bytes() == before


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert f"The folder {tmp_path}/file/sub of AGENT_MEMORY_STORAGE cannot be made" in await refusal(
        f"sqlite:///{tmp_path}/file/sub/memories.db"
    )


async def test_a_write_waits_until_another_process_lets_go_of_the_file(tmp_path: Path) -> None:
    async with key_value_stores(parse_database(f"sqlite:///{tmp_path}/memories.db")) as open_store:
        kv = await open_store("mem-tests")
        await kv.set("key", b"before")
        with closing(sqlite3.connect(tmp_path / "memories.db", isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert await kv.get("key") == b"before"
            releaser = threading.Timer(0.5, other.execute, ["COMMIT"])
            releaser.start()
            await kv.set("key", b"after")
            releaser.join()
        assert await kv.get("key") == b"after"


async def test_a_file_that_stays_locked_is_refused_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent_memory.store.backends import sql

    url = f"sqlite:///{tmp_path}/memories.db"
    await set_one(url, b"before")
    monkeypatch.setattr(sql, "_PATIENCE_S", 0.4)
    monkeypatch.setattr(sql, "_BUSY_S", 0.1)
    with closing(sqlite3.connect(tmp_path / "memories.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        message = await refusal(url)
        other.execute("ROLLBACK")
    assert message == (
        f"The SQLite file {tmp_path}/memories.db did not answer within 0.4 s; another process may hold it. Try again."
    )
    assert await get_one(url) == b"before"


async def test_readers_leave_no_rows_behind(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/memories.db"
    async with key_value_stores(parse_database(url)) as open_store:
        kv = await open_store("mem-tests")
        with closing(sqlite3.connect(tmp_path / "memories.db")) as other:
            changes = other.execute("PRAGMA data_version").fetchone()
            assert await kv.get("key") is None
            assert [key async for key in kv.list_keys()] == []
            assert other.execute("PRAGMA data_version").fetchone() == changes


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (sqlite3.OperationalError("database or disk is full"), "has no disk space left. Nothing was stored."),
        (sqlite3.OperationalError("attempt to write a readonly database"), "is read-only. Nothing was stored."),
        (sqlite3.OperationalError("database is locked"), "stayed locked by another process. Nothing was stored."),
        (sqlite3.DatabaseError("database disk image is malformed"), "is damaged."),
        (sqlite3.OperationalError("disk I/O error"), "the disk reports an error"),
        (ConnectionResetError(), "no server answers there"),
        (TimeoutError(), "did not answer within 9 s"),
        (RuntimeError("the secret is hunter2"), "failed (RuntimeError). Nothing was acknowledged."),
    ],
)
def test_what_a_database_refuses_is_told_in_plain_words(error: Exception, words: str) -> None:
    assert words in reason(error, 9)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("28P01", "refused the user"),
        ("53100", "has no disk space left"),
        ("53300", "has no connection left"),
        ("25006", "is read-only"),
        ("57P03", "is starting up or shutting down"),
        ("42501", "may not make or write tables"),
        ("08006", "closed the connection"),
        ("XX000", "failed (StateError XX000)"),
    ],
)
def test_a_code_of_postgresql_is_told_in_plain_words(state: str, words: str) -> None:
    assert words in reason(StateError(state), 9)


class StateError(Exception):
    """An error with a code of PostgreSQL."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__("the secret is hunter2")
        self.sqlstate = sqlstate
