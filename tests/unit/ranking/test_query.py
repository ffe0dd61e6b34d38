import pytest

from agent_memory.ranking.query import parse_query


def test_neighbouring_words_form_pairs() -> None:
    assert parse_query("mail server certificates").pairs == {("mail", "server"), ("server", "certif")}


def test_pairs_of_characters_that_overlap_form_none() -> None:
    assert parse_query("支付服务 nginx").pairs == {("服务", "nginx")}


def test_an_owner_is_named() -> None:
    assert {"gina", "plans"} <= parse_query("What are Gina’s plans?").names


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 7 July, 2023", {7}),
        ("between July 7th and the 9th of August", {7, 9}),
        ("am 7. Juli", {7}),
        ("7 apples in 2023", set[int]()),
        ("July 2023", set[int]()),
    ],
)
def test_a_day_stands_beside_its_month(text: str, days: set[int]) -> None:
    assert parse_query(text).days == days
