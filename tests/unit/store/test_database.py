from pathlib import Path

import pytest
from pydantic import ValidationError

from agent_memory.settings import Settings, read_settings
from agent_memory.store.database import Database, parse_database

WRONG = [
    "sqlite://",
    "sqlite:///",
    "sqlite:///:memory:",
    "sqlite:///folder/",
    "sqlite:///memories.db?mode=ro",
    "postgresql://",
    "postgresql:///test",
    "postgresql://localhost",
    "postgresql://localhost/a/b",
    "postgresql://localhost:port/test",
    "postgresql://localhost:99999/test",
    "postgresql://localhost/test?sslmode=perhaps",
    "postgresql://localhost/test?connect_timeout=3",
    "postgres://localhost/test",
    "mysql://localhost/test",
    "memories.db",
    "PostgreSQL",
]


def test_a_relative_path_starts_at_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_database("sqlite:///data/notes of me.db") == Database(name=str(tmp_path / "data" / "notes of me.db"))


def test_a_fourth_slash_makes_the_path_absolute() -> None:
    assert parse_database("sqlite:////var/lib/memories.db") == Database(name="/var/lib/memories.db")


def test_every_part_of_a_postgresql_url_is_understood() -> None:
    database = parse_database("postgresql://notes%40app:p%40ss%2Fword@db.example.com:6543/notes?sslmode=require")
    assert database == Database(
        name="notes",
        host="db.example.com",
        port=6543,
        user="notes@app",
        password="p@ss/word",
        sslmode="require",
    )


def test_the_port_and_the_user_may_be_left_out() -> None:
    assert parse_database("postgresql://[::1]/test") == Database(name="test", host="::1", port=5432)


def test_a_database_is_shown_without_user_and_password() -> None:
    database = parse_database("postgresql://somebody:hunter2@localhost/test")
    assert str(database) == "The PostgreSQL database test at localhost:5432"
    assert "hunter2" not in repr(database)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_database_is_refused_with_what_came_and_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not understood: .*Use sqlite:///.*postgresql://") as caught:
        parse_database(text)
    assert str(caught.value).startswith(repr(text.partition("?")[0])[:-1])


@pytest.mark.parametrize(
    "text",
    [
        "mysql://somebody:hunter2@localhost/test",
        "postgresql://somebody:hunter2/x@localhost/test",
        "postgresql://somebody:hunter2?x@localhost/test",
        "postgresql://somebody:hunter2@localhost/test?no=option",
        "postgresql://localhost/test?password=hunter2",
        "sqlite:///somebody:hunter2@localhost/",
    ],
)
def test_a_refusal_repeats_no_credentials(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_MEMORY_STORAGE", text)
    with pytest.raises(SystemExit, match=r"^AGENT_MEMORY_STORAGE: ") as caught:
        read_settings()
    with pytest.raises(ValidationError) as refused:
        Settings()
    for message in (str(caught.value), str(refused.value)):
        assert "hunter2" not in message
        assert "somebody" not in message


def test_every_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_MEMORY_STORAGE", "redis://localhost")
    monkeypatch.setenv("DECAY_ENABLED", "perhaps")
    with pytest.raises(SystemExit, match=r"DECAY_ENABLED: .*\nAGENT_MEMORY_STORAGE: 'redis://localhost' is not"):
        read_settings()


@pytest.mark.parametrize("value", [None, ""])
def test_memories_stay_in_the_storage_of_apify_unless_told_otherwise(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENT_MEMORY_STORAGE", raising=False)
    if value is not None:
        monkeypatch.setenv("AGENT_MEMORY_STORAGE", value)
    assert read_settings().storage is None


def test_a_database_in_the_environment_is_the_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_MEMORY_STORAGE", "sqlite:////var/lib/memories.db")
    assert read_settings().storage == Database(name="/var/lib/memories.db")
