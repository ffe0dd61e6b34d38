from math import fsum, isclose
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.ranking.affinity import recall
from agent_memory.ranking.document import Document
from agent_memory.ranking.near_copies import fold
from agent_memory.ranking.search import search
from agent_memory.ranking.tokenize import terms
from support.documents import NOW, document

WORDS = (
    "nginx",
    "pool",
    "Deploy",
    "getUserById",
    "café",
    "支付服务",
    "v2.3.1",
    "not",
    "the",
    "сервер",
    "15",
    "October",
)
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
any_text = st.text(st.characters(codec=None), max_size=60)
shares = st.floats(0, 1)


@st.composite
def stores(draw: st.DrawFn) -> list[Document]:
    size = draw(st.integers(0, 8))
    return [
        document(
            f"m{place}",
            draw(texts | any_text),
            title=draw(texts),
            session_id=draw(st.sampled_from([None, "s", "t"])),
            speaker=draw(st.sampled_from([None, "nginx", "Ines"])),
            url=draw(st.sampled_from([None, "https://a.example/x", "https://a.example/y"])),
            confidence=draw(shares),
            importance=draw(shares),
            retained=draw(shares),
            updated_at=f"2026-02-{draw(st.integers(1, 28)):02}T00:00:00.000Z",
        )
        for place in range(size)
    ]


queries = texts | any_text
urls = st.sampled_from([None, "https://a.example/x"])


@given(stores(), queries, urls, st.randoms(use_true_random=False))
def test_the_answer_does_not_depend_on_the_order_of_the_documents(
    store: list[Document], query: str, url: str | None, random: Random
) -> None:
    shuffled = list(store)
    random.shuffle(shuffled)
    assert search(store, query, now=NOW, url=url) == search(shuffled, query, now=NOW, url=url)
    assert recall(store, query=query, url=url, now=NOW) == recall(shuffled, query=query, url=url, now=NOW)


@given(stores(), queries, urls)
def test_scores_lie_in_0_to_1_fall_and_are_the_sum_of_their_parts(
    store: list[Document], query: str, url: str | None
) -> None:
    ranking = search(store, query, now=NOW, url=url)
    scores = [hit.score for hit in ranking.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 < score <= 1.0 for score in scores)
    assert all(isclose(fsum(hit.parts.values()), hit.score, abs_tol=1e-9) for hit in ranking.hits)


@given(stores(), queries)
def test_every_hit_holds_a_word_of_the_query_and_none_means_no_hits(store: list[Document], query: str) -> None:
    ranking = search(store, query, now=NOW)
    assert all(hit.matched_terms and hit.needles for hit in ranking.hits)
    assert (ranking.verdict == "none") == (not ranking.hits)
    assert ranking.why


@given(stores(), queries)
def test_a_memory_is_a_hit_or_folded_into_one_but_never_both(store: list[Document], query: str) -> None:
    shown = [one for hit in search(store, query, now=NOW).hits for one in (hit.id, *hit.collapsed)]
    assert len(shown) == len(set(shown))


@given(stores(), st.none() | queries, urls)
def test_recall_orders_all_and_leaves_none_out(store: list[Document], query: str | None, url: str | None) -> None:
    found = recall(store, query=query, url=url, now=NOW)
    assert {one.id for one in found} == {one.id for one in store}
    assert all(0.0 <= one.score < 1.0 for one in found)


@given(any_text)
def test_any_text_has_terms_without_blanks(text: str) -> None:
    assert all(term and not term.isspace() for term in terms(text))


@given(st.lists(texts | any_text, max_size=12))
def test_every_text_is_folded_into_a_kept_one_that_is_not_later(contents: list[str]) -> None:
    places = fold(contents)
    assert all(into <= place and places[into] == into for place, into in enumerate(places))
