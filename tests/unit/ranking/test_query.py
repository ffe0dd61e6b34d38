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


@pytest.mark.parametrize(
    ("text", "months", "days"),
    [
        ("what was decided on 2023-07-08?", {"07"}, {8}),
        ("deploys of 2023-07", {"07"}, set[int]()),
        ("since 2023-07-08T09:30:00Z.", {"07"}, {8}),
        ("am 8.7.2023, nachts", {"07"}, {8}),
        ("on 7/13/2023", {"07"}, {13}),
        ("on 13-7-2023", {"07"}, {13}),
        ("\uff12\uff10\uff12\uff13\u5e74\uff17\u6708\uff18\u65e5", {"07"}, {8}),
        ("on 7/8/2023", {"07", "08"}, {7, 8}),
        ("2023/07/08", {"07"}, {8}),
        ("我们在2023年7月8日决定了什么", {"07"}, {8}),
        ("release 2023.7.8", set[str](), set[int]()),
        ("logs/2023/07/08/a.txt", set[str](), set[int]()),
        ("ticket OPS-2023-07-08", set[str](), set[int]()),
        ("2023-07-081", set[str](), set[int]()),
        ("2023-13-08", set[str](), set[int]()),
        ("the 2023-24 season", set[str](), set[int]()),
        ("am 8. 7. 2023 nachts", {"07"}, {8}),
        ("backup 20230713", {"07"}, {13}),
        ("2023년 7월 8일에", {"07"}, {8}),
    ],
)
def test_a_date_may_be_written_in_numbers(text: str, months: set[str], days: set[int]) -> None:
    query = parse_query(text)
    assert query.months == months
    assert query.days == days
