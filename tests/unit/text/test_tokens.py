import pytest

from agent_memory.text.tokens import MOST_CHARACTERS_A_TOKEN, estimate


@pytest.mark.parametrize(
    ("text", "counted"),  # the larger of the cl100k and o200k counts
    [
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("def add(left: int, right: int) -> int:\n    return left + right\n", 18),
        ("今天下午部署了支付服务。", 14),
        ("Сегодня мы развернули платёжный сервис.", 17),
        ("Die Verteidigung der Panthers gab nur 308 Punkte ab", 14),
    ],
)
def test_the_estimate_is_near_what_tokenizers_count(text: str, counted: int) -> None:
    assert 0.9 * counted <= estimate(text) <= 1.5 * counted


def test_nothing_costs_nothing_and_anything_else_something() -> None:
    assert estimate("") == 0
    assert all(estimate(text) >= 1 for text in ("a", ".", "\x00", "é", "\ud800", "🚀", "字"))


def test_no_text_has_more_characters_a_token_than_stated() -> None:
    for run in (" ", "a", "a ", "\n", "aaaaaaaaaaa ", "0", ".", "é", "字"):
        text = (run * 4000)[:4000]
        assert len(text) <= MOST_CHARACTERS_A_TOKEN * estimate(text)
