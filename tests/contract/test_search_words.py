"""Which words find which notes: scripts, identifiers, punctuation, short terms."""

import pytest

from support.world import World

NOISE = [
    "Deploys need two approvals.",
    "The team meets on Tuesday.",
    "Logs are kept for thirty days.",
    "会议在周二举行。",
    "Отчёты готовы к пятнице.",
]


async def found(world: World, note: str, query: str) -> list[str]:
    """What `query` finds in a store of `note` among unrelated ones."""
    await world.ask("remember", memories=[{"content": text} for text in [*NOISE, note]])
    body = await world.ask("search", query=query)
    assert body["ok"], body
    return [memory["content"] for memory in body["memories"]]


@pytest.mark.parametrize(
    ("note", "query"),
    [
        ("今天下午部署了支付服务", "支付服务"),
        ("用 docker 部署的新环境", "docker 部署"),
        ("重启nginx后恢复", "nginx"),
        ("決済サービスを再起動しました", "決済サービス"),
        ("결제 서비스를 다시 시작했습니다", "결제"),
        ("Der Server steht in der Hauptstraße", "HAUPTSTRASSE"),
        ("İstanbul ofisi taşındı", "istanbul"),
        ("Сервер переехал в новый зал", "СЕРВЕР"),
        ("Η υπηρεσία πληρωμών σταμάτησε", "πληρωμών"),
        ("خدمة الدفع متوقفة", "الدفع"),
        ("ระบบชำระเงินหยุดทำงาน", "ชำระเงิน"),
        ("Meet at the caf\u00e9", "cafe\u0301"),
        ("Meet at the cafe\u0301", "caf\u00e9"),
    ],
)
async def test_every_script_is_found(world: World, note: str, query: str) -> None:
    assert (await found(world, note, query))[:1] == [note]


@pytest.mark.parametrize(
    ("note", "query"),
    [
        ("Use atomic_write_json for settings", "atomic_write_json"),
        ("Use atomic_write_json for settings", "atomic write"),
        ("getUserById caches its answer", "getUserById"),
        ("getUserById caches its answer", "user by id"),
        ("The bug is in src/api/auth.py:42", "src/api/auth.py:42"),
        ("The bug is in src/api/auth.py:42", "auth.py"),
        ("Sockets fail with ECONNRESET behind the proxy", "ECONNRESET"),
        ("rustc says E0308 for that", "E0308"),
        ("Fixed since v2.3.1", "v2.3.1"),
        ("The parser is written in C++", "C++"),
        ("CI runs on every push", "CI"),
        ("The DB moves on Friday", "DB"),
        ("k8s nodes are small", "k8s"),
    ],
)
async def test_identifiers_are_found_whole_and_in_parts(world: World, note: str, query: str) -> None:
    assert await found(world, note, query) == [note]


async def test_the_exact_identifier_comes_first(world: World) -> None:
    await world.ask(
        "remember",
        memories=[
            {"content": "Write JSON atomically: write to a temporary file, then rename; json json write."},
            {"content": "Call atomic_write_json when saving."},
        ],
    )

    body = await world.ask("search", query="atomic_write_json")

    assert body["memories"][0]["content"] == "Call atomic_write_json when saving."


@pytest.mark.parametrize(
    "query",
    [
        "don't reset",
        "reset: done",
        '"reset at night',
        "reset OR",
        "pre-reset",
        "reset/night",
        "*reset*",
        "\\reset",
        "(reset",
    ],
)
async def test_punctuation_never_breaks_a_query(world: World, query: str) -> None:
    note = "The database reset happens at night."

    assert (await found(world, note, query))[:1] == [note]


@pytest.mark.parametrize("query", ["CI", "DB", "k8s", "zz"])
async def test_a_short_term_that_no_note_has_finds_nothing(world: World, query: str) -> None:
    await world.ask("remember", memories=[{"content": text} for text in NOISE])

    assert (await world.ask("search", query=query))["memories"] == []
