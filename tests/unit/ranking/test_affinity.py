from unittest.mock import Mock

import pytest

from agent_memory.ranking import affinity
from agent_memory.ranking.affinity import recall
from agent_memory.ranking.site import site_of
from support.documents import NOW, document

OLD = "2025-06-01T00:00:00.000Z"
NOTES = [
    document("page", "Wait for the banner.", url="https://shop.example/cart", site="shop.example", updated_at=OLD),
    document("site", "Prices are in euro.", url="https://shop.example/list", site="shop.example", updated_at=OLD),
    document("words", "The nginx pool has ten workers.", updated_at=OLD),
    document("fresh", "Lunch at noon.", updated_at="2026-02-27T00:00:00.000Z"),
    document("old", "Nothing of note.", updated_at="2025-01-01T00:00:00.000Z"),
]


def test_points_follow_url_site_terms_and_age() -> None:
    found = recall(NOTES, query="nginx pool size", url="https://shop.example/cart", now=NOW)
    assert [(one.id, one.points) for one in found] == [
        ("page", 50.0),
        ("site", 25.0),
        ("words", 16.0),
        ("fresh", 8.0),
        ("old", 0.0),
    ]


def test_reasons_are_readable() -> None:
    found = {one.id: one for one in recall(NOTES, query="nginx pool size", url="https://shop.example/cart", now=NOW)}
    assert found["page"].reasons == ("same url", "updated 273 days ago")
    assert found["site"].reasons[0] == "same site"
    assert found["words"].reasons[0] == "2 of 3 query terms: nginx, pool"
    assert found["words"].needles == ("nginx", "pool")
    assert found["fresh"].reasons == ("updated 2 days ago",)


@pytest.mark.parametrize("url", [None, "https://shop.example/cart"])
@pytest.mark.parametrize("query", [None, "nginx pool size"])
def test_the_nearest_are_the_first_of_all(query: str | None, url: str | None) -> None:
    everything = recall(NOTES, query=query, url=url, now=NOW)
    for most in range(len(NOTES) + 2):
        assert recall(NOTES, query=query, url=url, now=NOW, most=most) == everything[:most]


@pytest.mark.parametrize(("day", "reason"), [("2026-03-01", "updated today"), ("2026-02-28", "updated 1 day ago")])
def test_the_age_is_said_in_whole_days(day: str, reason: str) -> None:
    note = document("a", "x", updated_at=f"{day}T00:00:00.000Z")
    assert recall([note], query=None, url=None, now=NOW)[0].reasons == (reason,)


def test_the_score_grows_with_the_points_and_stays_below_one() -> None:
    found = recall(NOTES, query="nginx pool", url="https://shop.example/cart", now=NOW)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(0.5)
    assert all(0.0 <= score < 1.0 for score in scores)


def test_without_url_and_query_the_newest_come_first_even_when_all_are_old() -> None:
    assert [one.id for one in recall(NOTES, query=None, url=None, now=NOW)] == ["fresh", "page", "site", "words", "old"]


def test_nothing_is_left_out_whatever_is_asked() -> None:
    assert len(recall(NOTES, query="zebra", url="https://zoo.example", now=NOW)) == len(NOTES)


def test_a_chinese_word_counts_when_most_of_it_is_there() -> None:
    notes = [document("a", "今天部署了支付服务"), document("b", "服务台在一楼")]
    found = {one.id: one.matched_terms for one in recall(notes, query="支付服务", url=None, now=NOW)}
    assert found == {"a": ("支付服务",), "b": ()}


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.Shop.example:8443/cart?x=1", "shop.example"),
        ("shop.example", "shop.example"),
        ("http://user:pass@shop.example/", "shop.example"),
        ("http://[::1]:80/x", "[::1]"),
        ("", None),
        (None, None),
    ],
)
def test_a_site_is_the_bare_host(url: str | None, site: str | None) -> None:
    assert site_of(url) == site


def test_the_parts_of_a_score_add_up_to_it() -> None:
    for recalled in recall(NOTES, query="nginx pool size", url="https://shop.example/cart", now=NOW):
        assert sum(recalled.parts.values()) == pytest.approx(recalled.score)


def test_nothing_is_read_that_gives_no_points(monkeypatch: pytest.MonkeyPatch) -> None:
    scan = Mock(wraps=affinity.scan)
    monkeypatch.setattr(affinity, "scan", scan)
    recall(NOTES, query="which database does the pool use", url=None, now=NOW)
    (_, asked, _), _ = scan.call_args
    assert [*asked.grams, *asked.pairs, *asked.related] == []
