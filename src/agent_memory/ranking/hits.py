"""What a search answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from .dates import is_date
from .query import Query, Word, stand_ins
from .runs import shown_of
from .scan import Evidence, needle

Verdict = Literal["strong", "weak", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory that matches. `score` lies in 0-1 and is the sum of `parts`.

    `matched_terms` are the query's own words, as typed but in lower case, or the parts of a run without spaces;
    `needles` are the forms in which they stand in the memory, to find them there. `related` are words of the query
    that it lacks, as typed, each with a word that it holds instead. `collapsed` names the near-copies that this hit
    stands for.
    """

    id: str
    score: float
    matched_terms: tuple[str, ...]
    needles: tuple[str, ...]
    parts: Mapping[str, float]
    related: tuple[tuple[str, str], ...] = ()
    collapsed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What matches a query, best first; `unmatched` are words of the query that no memory contains.

    `total` is how many hits there are, `reaching` how many reach the least score asked for; `hits` may be the first of
    them only, when no more were asked for.
    """

    hits: tuple[Hit, ...]
    total: int
    reaching: int
    verdict: Verdict
    why: str
    unmatched: tuple[str, ...] = ()


def matched_words(query: Query, evidence: Evidence) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of `query` that `evidence` holds (as typed, lower case), and the forms in which it holds them."""
    surfaces = evidence.surfaces
    held = {word: [term for term in _asked(word) if term in surfaces] for word in query.words}
    needles = dict.fromkeys(needle(surfaces[term], term) for found in held.values() for term in found)
    matched = [word for word, found in held.items() if found]
    parts = chain.from_iterable(
        shown_of(word.typed, word.terms, surfaces) if word.unspaced else (word.typed,) for word in matched
    )
    return tuple(dict.fromkeys(parts)), tuple(needles)


def _asked(word: Word) -> Sequence[str]:
    """The terms of a word of which one is enough; of a date only the whole, for its parts are those of other days."""
    return word.terms[:1] if is_date(word.typed) else word.terms


def related_words(query: Query, evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Each word of `query`, as typed, that `evidence` lacks, with each word that it holds instead."""
    found = stand_ins(query, evidence.surfaces, evidence.stand_ins)
    pairs = ((word.typed, evidence.stand_ins[term]) for word in query.words for term in found.get(word.terms[0], ()))
    return tuple(dict.fromkeys(pairs))
