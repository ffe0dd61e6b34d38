"""What the environment decides."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent_memory.lifecycle.briefing import DEFAULT_LIMITS
from agent_memory.settings import Mode, is_loopback, read_settings

ENTRY = {"name": "ana", "sha256": "a" * 64, "stores": ["acme~*"], "right": "write"}


@pytest.fixture(autouse=True)
def only_these(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AGENT_MEMORY_MODE", "ACTOR_MODE", "APIFY_META_ORIGIN", "APIFY_IS_AT_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({}, Mode.BATCH),
        ({"APIFY_META_ORIGIN": "API"}, Mode.BATCH),
        ({"APIFY_META_ORIGIN": "STANDBY"}, Mode.SERVER),
        ({"APIFY_META_ORIGIN": "STANDBY", "ACTOR_MODE": "batch"}, Mode.BATCH),
        ({"ACTOR_MODE": "server"}, Mode.SERVER),
        ({"AGENT_MEMORY_MODE": "mcp", "ACTOR_MODE": "server"}, Mode.MCP),
        ({"AGENT_MEMORY_MODE": "auto", "APIFY_META_ORIGIN": "STANDBY"}, Mode.SERVER),
    ],
)
def test_the_mode_is_what_is_said_else_what_the_platform_started(given: dict[str, str], mode: Mode) -> None:
    assert read_settings(**given).chosen_mode is mode


def test_the_environment_is_read_by_the_names_that_are_declared_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MODE", "HOST", "PORT", "TOKENS", "HOSTS", "TOOLS", "STORAGE"):
        monkeypatch.setenv(name, "server")
    monkeypatch.setenv("AGENT_MEMORY_HOSTS", "Memory.example.com:8443, other.example.com")
    settings = read_settings()

    assert (settings.chosen_mode, settings.host, settings.port) == (Mode.BATCH, None, 4321)
    assert settings.hosts == ("memory.example.com:8443", "other.example.com")


def test_the_address_is_this_machine_alone_unless_apify_stands_before_it() -> None:
    assert read_settings().address == "127.0.0.1"
    assert read_settings(APIFY_IS_AT_HOME="1").address == "0.0.0.0"  # noqa: S104
    assert read_settings(AGENT_MEMORY_HOST="10.0.0.7").address == "10.0.0.7"
    assert [a for a in ("127.0.0.1", "127.9.9.9", "::1", "localhost") if not is_loopback(a)] == []
    assert [a for a in ("0.0.0.0", "::", "10.0.0.7", "127.0.0.1.evil.com", "128.0.0.1") if is_loopback(a)] == []  # noqa: S104


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("AGENT_MEMORY_MODE", "serve", "should be 'batch', 'server', 'mcp' or 'auto'"),
        ("AGENT_MEMORY_STRICT_SCOPES", "ja", "should be true or false"),
        ("ACTOR_WEB_SERVER_PORT", "70000", "should be at most 65535"),
        ("ACTOR_MEMORY_MBYTES", "abc", "should be a whole number"),
        ("APIFY_LOG_LEVEL", "foo", "should be 'DEBUG', 'INFO', 'WARNING', 'ERROR' or 'CRITICAL'"),
        ("AGENT_MEMORY_STORE", "s" * 201, "should have at most 200 characters"),
        ("AGENT_MEMORY_RULE_TYPES", "rule, fcat", "'fcat' is no memory type. Did you mean fact?"),
        ("AGENT_MEMORY_BRIEF", "rules=5", 'should be a JSON object such as {"rules": 20, "digest": 10}'),
        ("AGENT_MEMORY_BRIEF", "[5]", 'should be a JSON object such as {"rules": 20, "digest": 10}'),
        ("AGENT_MEMORY_BRIEF", '{"rulez": 1}', "rulez is not known. Did you mean rules?"),
        ("AGENT_MEMORY_BRIEF", '{"rules": -1}', "rules: should be at least 0"),
        ("AGENT_MEMORY_BRIEF", '{"digest": 500}', "digest: should be at most 200"),
        ("AGENT_MEMORY_BRIEF", '{"rule_characters": "many"}', "rule_characters: should be a whole number"),
        ("AGENT_MEMORY_HOSTS", "https://memory.example.com", "host names such as"),
        ("AGENT_MEMORY_ORIGINS", "*", "origins such as"),
        ("AGENT_MEMORY_ORIGINS", "https://app.example.com/x", "origins such as"),
        ("AGENT_MEMORY_RATE_LIMIT", "100", "such as 100/second"),
        ("AGENT_MEMORY_RATE_LIMIT", "0/second", "such as 100/second"),
        ("AGENT_MEMORY_REQUEST_SECONDS", "0", "should be above 0"),
        ("AGENT_MEMORY_TOOLS", "some", "core"),
        ("AGENT_MEMORY_TOKENS", "secret", "must be a JSON array"),
        ("AGENT_MEMORY_TOKENS", '{"secret": 1}', "must be a JSON array of {name, sha256, stores, right}"),
        ("AGENT_MEMORY_TOKENS", "[5]", "entry [0]: should be an object such as {…}"),
        ("AGENT_MEMORY_TOKENS", "[]", "leave the server open"),
        (
            "AGENT_MEMORY_TOKENS",
            json.dumps([{**ENTRY, "sha256": "secret"}]),
            "entry [0].sha256: should be 64 digits of 0-9a-f",
        ),
        (
            "AGENT_MEMORY_TOKENS",
            json.dumps([{**ENTRY, "stores": []}]),
            "entry [0].stores: should have at least 1 items",
        ),
        ("AGENT_MEMORY_TOKENS", json.dumps([{**ENTRY, "right": "secret"}]), "entry [0].right"),
        (
            "AGENT_MEMORY_TOKENS",
            json.dumps([{**ENTRY, "name": "a secret"}]),
            "entry [0].name: should be 1-60 letters, digits and . _ @ -",
        ),
        (
            "AGENT_MEMORY_TOKENS",
            json.dumps([{**ENTRY, "store": ["secret"]}]),
            "entry [0].store is not known. Did you mean stores?",
        ),
        ("AGENT_MEMORY_TOKENS", json.dumps([ENTRY, ENTRY]), "same name"),
    ],
)
def test_a_wrong_setting_ends_the_process_with_its_name_and_what_is_allowed(name: str, text: str, said: str) -> None:
    with pytest.raises(SystemExit) as ended:
        read_settings(**{name: text})

    assert name in str(ended.value)
    assert said in str(ended.value)
    assert "secret" not in str(ended.value)


def test_tokens_come_from_a_variable_and_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    file.write_text(json.dumps([{**ENTRY, "name": "bob", "right": "read"}]), "utf-8")
    settings = read_settings(AGENT_MEMORY_TOKENS=json.dumps([ENTRY]), AGENT_MEMORY_TOKENS_FILE=str(file))

    assert [(entry.name, entry.right) for entry in settings.tokens] == [("ana", "write"), ("bob", "read")]


@pytest.mark.parametrize(("text", "said"), [(None, "cannot be read"), ("[", "JSON array"), ('["secret"]', "entry [0]")])
def test_a_file_of_tokens_that_cannot_be_used_ends_the_process(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "tokens.json"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.raises(SystemExit, match="AGENT_MEMORY_TOKENS_FILE") as ended:
        read_settings(AGENT_MEMORY_TOKENS_FILE=str(file))

    assert said in str(ended.value)
    assert "secret" not in str(ended.value)


def test_a_brief_is_as_usual_but_for_what_is_set() -> None:
    limits = read_settings(AGENT_MEMORY_BRIEF='{"rules": 0, "digest_characters": 500}').brief_limits

    assert limits == replace(DEFAULT_LIMITS, rules=0, digest_characters=500)


def test_a_misspelt_name_ends_the_process_with_the_one_that_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AGENT_MEMORY_URL", "AGENT_MEMORY_TOKEN", "AGENT_MEMORY_FOO", "AGENT_MEMORY_TEST_POSTGRESQL"):
        monkeypatch.setenv(name, "x")
    assert read_settings().default_store is None
    monkeypatch.setenv("AGENT_MEMORY_STROE", "acme~secret")

    with pytest.raises(SystemExit) as ended:
        read_settings()

    assert str(ended.value) == "AGENT_MEMORY_STROE is no setting. Did you mean AGENT_MEMORY_STORE?"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("DECAY_ENABLE", "DECAY_ENABLED"),
        ("DECAY_ENABELD", "DECAY_ENABLED"),
        ("DECAY_ENABLEDD", "DECAY_ENABLED"),
        ("ACTOR_WEB_SERVER_PROT", "ACTOR_WEB_SERVER_PORT"),
        ("ACTOR_WEB_SERVER_PORD", "ACTOR_WEB_SERVER_PORT"),
    ],
)
def test_so_does_a_slip_in_a_name_that_is_not_ours_alone(
    monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    for others in ("ACTOR_STANDBY_PORT", "ACTOR_WEB_SERVER_PATH", "ACTOR_ID", "APIFY_TOKEN", "DECAY_RATE"):
        monkeypatch.setenv(others, "x")
    assert read_settings().decay_enabled is None
    monkeypatch.setenv(name, "x")
    with pytest.raises(SystemExit, match=f"^{name} is no setting. Did you mean {meant}\\?$"):
        read_settings()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("DECAY_ENABLED", "maybe", "DECAY_ENABLED: should be true or false, not 'maybe'."),
        ("ACTOR_WEB_SERVER_PORT", "99999", "ACTOR_WEB_SERVER_PORT: should be at most 65535, not '99999'."),
        ("AGENT_MEMORY_TOOLS", "some", "AGENT_MEMORY_TOOLS: should be 'core', 'all' or 'original', not 'some'."),
    ],
)
def test_a_refusal_says_what_came(monkeypatch: pytest.MonkeyPatch, name: str, text: str, told: str) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(SystemExit) as ended:
        read_settings()
    assert str(ended.value) == told
