import tracemalloc
from math import isclose

import numpy as np

from agent_memory.ranking.alike import likeness, openness
from agent_memory.ranking.document import Document
from agent_memory.ranking.index.alike import likeness_of
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.recipes import Recipe
from agent_memory.ranking.search import search
from support.documents import NOW, document

LONG = Recipe(long_turns=5.0)
ABOUT_BEES = "the hive, its queen, brood, comb, nectar, pollen and swarm"
ABOUT_SHIPS = "the hull, its keel, rudder, mast, rigging, anchor and ballast"


def notes() -> list[Document]:
    bees = [f"Winter losses: number {place} of our notes on {ABOUT_BEES}." for place in ("one", "two", "three")]
    return [
        *(document(f"bees-{place}", text) for place, text in enumerate(bees)),
        document("bees", f"Losses of the year, with notes on {ABOUT_BEES}."),
        document("ships", f"Losses of the year, with notes on {ABOUT_SHIPS}."),
        *(document(f"other-{place}", f"Minutes of meeting {place}, nothing else of note.") for place in range(20)),
    ]


def test_among_texts_of_equal_evidence_the_one_that_is_like_the_first_comes_first() -> None:
    hits = [hit.id for hit in search(notes(), "our winter losses, and how to avoid them", now=NOW, recipe=LONG).hits]
    assert hits.index("bees") < hits.index("ships")


def test_what_is_alike_is_a_part_of_the_score_with_and_without_an_index() -> None:
    query = "our winter losses, and how to avoid them"
    hits = search(notes(), query, now=NOW, recipe=LONG).hits
    found = search_index(Index(notes()), Ask(query=query, now=NOW, recipe=LONG)).hits
    assert [hit.id for hit in found] == [hit.id for hit in hits]
    for hit, other in zip(hits, found, strict=True):
        assert isclose(sum(hit.parts.values()), hit.score)
        assert isclose(hit.parts.get("alike", 0.0), other.parts.get("alike", 0.0), abs_tol=1e-9)
    assert any("alike" in hit.parts for hit in hits)


def test_short_texts_are_not_compared() -> None:
    hits = search(notes(), "our winter losses, and how to avoid them", now=NOW).hits
    assert not any("alike" in hit.parts for hit in hits)


def test_a_text_is_as_near_as_what_it_shares_with_the_first_others() -> None:
    near = likeness(
        [{"hive": 1, "comb": 2}, {"hive": 1, "comb": 1}, {"mast": 1, "hive": 1}, {"keel": 3}], [4.0, 2.0, 1.0, 1.0]
    )
    assert near[0] == 1.0
    assert near[1] > near[2] > near[3] == 0.0


def test_nothing_is_open_where_one_text_holds_all_or_the_rest_fall_far_behind() -> None:
    assert openness([3.0, 2.0, 1.0], 1.0) == 0.0
    assert openness([3.0, 3.0, 3.0], 0.0) == 1.0
    assert openness([3.0, 0.3, 0.3], 0.0) < 0.2


def test_what_is_alike_does_not_depend_on_the_order_in_which_memories_came() -> None:
    ask = Ask(query="our winter losses, and how to avoid them", now=NOW, recipe=LONG)
    known = notes()
    orders = [known, known[::-1], [*known[7:], *known[:7]], sorted(known, key=lambda one: one.content)]
    found = [search_index(Index(order), ask).hits for order in orders]
    assert any("alike" in hit.parts for hit in found[0])
    assert all(hits == found[0] for hits in found)


def test_the_room_that_comparing_takes_follows_the_words_not_the_texts_times_the_words() -> None:
    assert _most_room(80) < 3 * _most_room(40)


def _most_room(texts: int) -> int:
    """The bytes taken, at most, to compare so many `texts` of 300 words that stand in no other."""
    index = Index(document(f"m{n}", " ".join(f"word{n}x{m}" for m in range(300))) for n in range(texts))
    known = index.language("english")
    tracemalloc.start()
    likeness_of(np.arange(texts), [1.0] * texts, index.words, known)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
