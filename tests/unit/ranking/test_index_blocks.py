"""An index of several blocks, and the small tables that it is made of."""

from random import Random

import pytest

from agent_memory.ranking.index import index as module
from agent_memory.ranking.index.hashed import Hashed
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.search import search
from support.documents import NOW, document, documents

WORDS = (
    *("nginx", "pool", "pools", "deploy", "deployed", "getUserById", "user", "cache", "caches", "theatre", "small"),
    *("支付服务", "v2.3.1", "the", "not", "ist"),
)


@pytest.mark.parametrize("query", ["nginx pool", "deployed by user", "theatre of caches", "ist 支付"])
def test_what_stands_in_several_blocks_is_found_as_by_reading_it(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST", 8)
    monkeypatch.setattr(module, "_TAIL", 4)
    r = Random(8)  # texts that are the same each time
    notes = documents(*(" ".join(r.choices(WORDS, k=r.randrange(1, 30))) for _ in range(90)))
    index = Index(notes)
    assert len(index.blocks()) > 10
    found, read = search_index(index, Ask(query=query, now=NOW)), search(notes, query, now=NOW)
    assert found.hits
    assert [(hit.id, hit.matched_terms) for hit in found.hits] == [(hit.id, hit.matched_terms) for hit in read.hits]
    assert [hit.score for hit in found.hits] == pytest.approx([hit.score for hit in read.hits], abs=1e-9)


@pytest.mark.parametrize("text", ["deployed caches " * 40, "0123456789abcdef" * 16])
def test_no_block_has_more_words_and_runs_of_letters_than_most(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 2_000)
    monkeypatch.setattr(module, "_MOST_IN_TAIL", 600)
    index = Index()
    for note in documents(*[text] * 30):
        index.update(added=[note])
        loads = index.words.loads
        *settled, tail = (int(loads[block.end] - loads[block.first]) for block in index.blocks())
        assert max(settled, default=0) <= 2_000
        assert tail <= 2_000
    assert 2 < len(index.blocks()) < 16


def test_a_row_counts_by_its_words_and_their_runs_of_letters() -> None:
    index = Index(documents("cache"))
    index.update(added=[document("later", "nginx pool")])
    assert index.words.loads.tolist() == [0, 2 + 1 + 4, 7 + 2 + 2 + 4 + 3]


def test_numbers_are_found_by_hash_in_the_order_in_which_they_were_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_memory.ranking.index.hashed._RECENT", 6)
    hashed = Hashed()
    for number in range(10):
        hashed.add((-5, number % 3), number)
    assert hashed.find((-5,)) == [*range(10)]
    assert hashed.find((1, 7, 0)) == [1, 4, 7, 0, 3, 6, 9]
