from math import isclose
from typing import Any

import pytest

from agent_memory.ranking.document import Document
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.months import months_in, years_in
from agent_memory.ranking.refine import asks
from agent_memory.ranking.search import search
from support.documents import NOW, document

Turn = tuple[str, str]


def talk(*turns: Turn, session: str = "s1", **given: Any) -> list[Document]:
    """Turns of one session, said one after another."""
    return [
        document(f"{session}-{place}", text, speaker=speaker, session_id=session, order=("", place), **given)
        for place, (speaker, text) in enumerate(turns)
    ]


CAMPING = talk(
    ("Ann", "Good to see you again after so long!"),
    ("Ben", "What do you love most about camping with your sister?"),
    ("Ann", "Waking up to birds and the smell of fresh air."),
    ("Ben", "Sounds peaceful. My week was all meetings."),
)
OTHER = talk(("Cid", "The roof of the shed leaks."), ("Ann", "Call a roofer then."), session="s2")


def ids(notes: list[Document], query: str) -> list[str]:
    return [hit.id for hit in search(notes, query, now=NOW).hits]


def test_a_reply_without_a_word_of_the_query_is_found_through_the_question_before_it() -> None:
    hit = next(h for h in search(CAMPING, "love most about camping", now=NOW).hits if h.id == "s1-2")
    assert hit.matched_terms == ()
    assert hit.parts["reply"] > 0


def test_nothing_but_a_reply_is_found_without_a_word_of_the_query() -> None:
    assert set(ids([*CAMPING, *OTHER], "love most about camping")) == {"s1-1", "s1-2"}


def test_a_reply_to_a_question_that_hardly_matches_is_no_match() -> None:
    notes = [*CAMPING, document("m1", "My sister sold the boat and bought the cabin at the lake in April.")]
    assert "s1-2" not in ids(notes, "boat or cabin that my sister sold and bought at the lake in April")


def test_the_same_speaker_does_not_reply_to_themselves() -> None:
    notes = talk(("Ann", "Where did I leave the ladder?"), ("Ann", "Anyway, dinner is ready."))
    assert ids(notes, "leave the ladder") == ["s1-0"]


def test_between_turns_alike_the_one_that_only_asks_comes_after_the_one_that_says() -> None:
    notes = talk(
        ("Ann", "Is the parser written in Rust?"),
        ("Ben", "The parser is written in Rust."),
        ("Ann", "Good to know."),
    )
    assert ids(notes, "parser written in Rust")[0] == "s1-1"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("when did the oven fail", "The oven failed last Tuesday."),
        ("how many loaves did the oven fail", "The oven failed with 12 loaves in it."),
        ("where did the oven fail", "The oven failed at the shop in Turin."),
    ],
)
def test_what_holds_the_kind_of_answer_that_is_wanted_comes_first(query: str, first: str) -> None:
    texts = (
        "The oven failed because of damp.",
        "The oven failed last Tuesday.",
        "The oven failed with 12 loaves in it.",
        "The oven failed at the shop in Turin.",
    )
    notes = [document(f"m{place}", text) for place, text in enumerate(texts)]
    assert texts[int(ids(notes, query)[0][1:])] == first


def test_the_parts_of_a_reply_add_up_to_its_score() -> None:
    for hit in search(CAMPING, "love most about camping", now=NOW).hits:
        assert hit.score == pytest.approx(sum(hit.parts.values()))
        assert min(hit.parts.values()) >= 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Did it work?", True),
        ("Did it work? [shared image: a bridge]", True),
        ('He asked: "Did it work?"', True),
        ("它工作吗？", True),
        ("It worked.", False),
        ("Why? Because it rained.", False),
        ("", False),
    ],
)
def test_a_text_asks_when_it_ends_with_a_question(text: str, expected: bool) -> None:
    assert asks(document("m", text)) is expected


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("what happened in may 2023", {"05"}),
        ("may i ask", set[str]()),
        ("the march to the sea", set[str]()),
        ("7 march", {"03"}),
        ("im märz oder im oktober", {"03", "10"}),
        ("le 5 août", {"08"}),
        ("в сентября", {"09"}),
        ("2023年5月", {"05"}),
        ("sept and dec", {"09", "12"}),
        ("the rover on mars", set[str]()),
    ],
)
def test_months_are_known_by_their_names(text: str, months: set[str]) -> None:
    assert months_in(text) == months


def test_years_are_known_also_beside_letters_that_take_no_spaces() -> None:
    assert years_in("2023年5月, not 12023 or 1750") == {"2023"}


def test_what_is_told_on_a_day_or_just_after_comes_before_what_is_told_in_its_month() -> None:
    days = ("01", "06", "08", "13", "28")
    notes = [
        document(day, f"A picnic in the park with {day} friends.", created_at=f"2026-02-{day}T00:00:00.000Z")
        for day in days
    ]
    for asked in (
        "picnic on 6 February",
        "picnic on February 6th, 2026",
        "picnic on the 6th of February",
        "picnic on 2026-02-06",
        "picnic on 6.2.2026",
    ):
        hits = search(notes, asked, now=NOW).hits
        assert {hit.id for hit in hits[:2]} == {"06", "08"}
        assert isclose(sum(hits[0].parts.values()), hits[0].score)
        found = search_index(Index(notes), Ask(query=asked, now=NOW)).hits
        assert [hit.id for hit in found] == [hit.id for hit in hits]


def test_a_long_turn_that_ends_with_a_question_says_more_than_it_asks() -> None:
    said = "The tokens are stored in cookies that no script can read, and are renewed each time that they are used. "
    notes = talk(("Ann", 2 * said + "Shall I write it down?"), ("Ben", "Yes, do so."))
    assert ids(notes, "tokens stored in cookies") == ["s1-0"]
