"""Classic TF-IDF cosine, for those who want the textbook; needs scikit-learn, imported when it is asked for."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from .document import Document
from .hits import Hit, Ranking, matched_words
from .query import parse_query
from .scan import body, labels, scan
from .tokenize import terms


def search_tfidf(documents: Sequence[Document], query: str, *, now: str) -> Ranking:
    """Rank by the cosine of scikit-learn's TF-IDF vectors over our terms: all whose cosine is above 0.

    The score is the cosine (0-1) and nothing else: near-copies are not folded and `now` has no say. The verdict is
    `weak` whenever anything matches, since a cosine does not tell how much of what was asked for is there.
    """
    del now
    asked = parse_query(query)
    found = scan(documents, asked, 1.0)
    unmatched = tuple(word.typed for word in asked.words if not any(set(word.terms) & e.terms.keys() for e in found))
    if not any(evidence.terms for evidence in found):
        return Ranking(
            hits=(),
            total=0,
            reaching=0,
            verdict="none",
            why="No memory holds a term of the query.",
            unmatched=unmatched,
        )
    cosines = cosine([text_of(document) for document in documents], query, asked.language)
    places = sorted(range(len(documents)), key=lambda place: documents[place].id)
    places.sort(key=lambda place: documents[place].updated_at, reverse=True)
    places.sort(key=lambda place: cosines[place], reverse=True)
    hits: list[Hit] = []
    for place in places:
        if (score := cosines[place]) > 0.0:
            matched, needles = matched_words(asked, found[place])
            one = documents[place].id
            hits.append(Hit(id=one, score=score, matched_terms=matched, needles=needles, parts={"cosine": score}))
    why = "TF-IDF cosine: it orders what shares a term with the query and does not judge whether that answers it."
    return Ranking(hits=tuple(hits), total=len(hits), reaching=len(hits), verdict="weak", why=why, unmatched=unmatched)


def text_of(document: Document) -> str:
    """The text that stands for `document`: its content and labels."""
    return f"{body(document)}\n{labels(document)}"


def cosine(texts: Sequence[str], query: str, language: str) -> list[float]:
    """The cosine of `query` with each of `texts`, as TfidfVectorizer weighs terms by default.

    Raises:
        ValueError: no text holds a single term.
    """
    from sklearn.feature_extraction import text  # pyright: ignore[reportMissingTypeStubs]  # it has none

    library: Any = text
    vectorizer = library.TfidfVectorizer(analyzer=partial(terms, language=language))
    matrix = vectorizer.fit_transform(texts)
    similar = (matrix @ vectorizer.transform([query]).T).toarray().ravel()
    return [min(1.0, float(value)) for value in similar]
