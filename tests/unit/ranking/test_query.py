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
        ("at 2023-07-08T09:30:00Z.", {"07"}, {8}),
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
        ("order 20230713", set[str](), set[int]()),
        ("2023년 7월 8일에", {"07"}, {8}),
    ],
)
def test_a_date_may_be_written_in_numbers(text: str, months: set[str], days: set[int]) -> None:
    query = parse_query(text)
    assert query.months == months
    assert query.days == days


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("between 2023-05-01 and 2023-09-30", ("2023-05-01", "2023-09-30")),
        ("vom 1.5.2023 bis zum 30.9.2023", ("2023-05-01", "2023-09-30")),
        ("between 1 May and 30 September 2023", ("2023-05-01", "2023-09-30")),
        ("deploys between May and September 2023", ("2023-05-01", "2023-09-31")),
        ("from 2023-05 to 2023-09", ("2023-05-01", "2023-09-31")),
        ("between 2022 and 2024", ("2022-01-01", "2024-12-31")),
        ("entre el 1 de mayo de 2023 y el 30 de septiembre de 2023", ("2023-05-01", "2023-09-30")),
        ("2023-05-01 through 2023-09-30", ("2023-05-01", "2023-09-30")),
        ("from 7/13/2023 to 8/2/2023", ("2023-07-13", "2023-08-02")),
        ("from 7/8/2023 to 9/10/2023", ("2023-07-08", "2023-10-09")),
        ("2023年5月1日至2023年9月30日", ("2023-05-01", "2023-09-30")),
        ("notes since 2023-07-01", ("2023-07-01", "9999-12-31")),
        ("since 2022", ("2022-01-01", "9999-12-31")),
        ("before 1 March 2026", ("0000-01-01", "2026-03-00")),
        ("invoices before 31 June 2023", ("0000-01-01", "2023-06-30")),
        ("2023-05-01 and 2023-09-30", None),
        ("before 2000 requests", None),
        ("where was Tim in the week before 16 November 2023", None),
        ("on the Sunday before October 25, 2022", None),
        ("from port 2022 to port 2023", None),
        ("may I go to 2023 B Street", None),
        ("on 2023-05-01", None),
    ],
)
def test_a_range_of_days_is_told_by_its_ends(text: str, span: tuple[str, str] | None) -> None:
    assert parse_query(text).span == span
