import pytest

from agent_memory.ranking.names import named_by
from agent_memory.ranking.query import parse_query


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("SHOP-1234", ("shop", "1234")),
        ("CVE-2025-9999", ("cve", "2025", "9999")),
        ("WINTER26", ("winter", "26")),
        ("E1042", ("1042",)),
        ("parse_invoice_footer", ("pars", "invoic", "footer")),
        ("getOrderById", ("get", "order", "id")),
        ("com.example.OrderService", ("com", "exampl", "order", "servic")),
        ("config/app/staging.yaml", ("config", "app", "stage", "yaml")),
        ("python3.11", ("python", "11")),
        ("https://shop.example.com/pay", ("shop", "exampl", "com", "pay")),
    ],
)
def test_a_name_is_held_where_all_its_parts_are(typed: str, parts: tuple[str, ...]) -> None:
    (word,) = parse_query(typed).words
    assert set(named_by(word)) == set(parts)


@pytest.mark.parametrize(
    "typed",
    ["long-term", "client/server", "staging", "what's", "2nd", "10am", "30s", "2026", "u.s", "今天部署", "e-mail"],
)
def test_words_name_nothing(typed: str) -> None:
    assert [named_by(word) for word in parse_query(typed).words] in ([()], [])
