from typing import Any

import pytest
from sklearn.feature_extraction import text as sklearn_text  # pyright: ignore[reportMissingTypeStubs]  # it has none

from agent_memory.ranking.tfidf import search_tfidf
from agent_memory.ranking.tokenize import terms
from support.documents import NOW, documents

library: Any = sklearn_text

TEXTS = (
    "The gateway drops idle connections after 30 seconds.",
    "Gateway certificates renew on the first Monday; the gateway restarts.",
    "Connections to the replica need the read-only role.",
    "Lunch is at noon.",
)


@pytest.mark.parametrize("query", ["gateway connections", "when do gateway certificates renew", "replica lunch"])
def test_scores_are_those_of_scikit_learn(query: str) -> None:
    vectorizer = library.TfidfVectorizer(analyzer=terms)
    matrix = vectorizer.fit_transform(TEXTS)
    expected = (matrix @ vectorizer.transform([query]).T).toarray().ravel().tolist()
    hits = search_tfidf(documents(*TEXTS), query, now=NOW).hits
    found = {hit.id: hit.score for hit in hits}
    assert [found.get(f"m{place}", 0.0) for place in range(len(TEXTS))] == pytest.approx(expected)
    assert [hit.score for hit in hits] == sorted(found.values(), reverse=True)


def test_a_hit_names_its_words_and_the_missing_ones() -> None:
    ranking = search_tfidf(documents(*TEXTS), "Gateways zebra", now=NOW)
    assert ranking.hits[0].matched_terms == ("gateways",)
    assert ranking.hits[0].parts == {"cosine": ranking.hits[0].score}
    assert (ranking.verdict, ranking.unmatched) == ("weak", ("zebra",))


@pytest.mark.parametrize("query", ["zebra", "the of", "", "*"])
def test_no_match_is_none(query: str) -> None:
    assert search_tfidf(documents(*TEXTS), query, now=NOW).hits == ()
    assert search_tfidf([], query, now=NOW).verdict == "none"
