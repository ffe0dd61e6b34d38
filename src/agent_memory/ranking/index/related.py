"""Which rows lack a term of the query and hold one that may stand for it: `Evidence.related`, for all rows at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..query import Query, stand_ins
from .columns import Flags, Ints, gather
from .held import Held, hold_terms
from .places import Places
from .words import Words

_NONE: Final[Ints] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Said:
    """The terms of a query that one row holds, and related ones, each with the word in which it is first met."""

    own: Mapping[str, str]
    related: Mapping[str, str]

    def terms(self, query: Query) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
        """The terms that the row holds, and those that it lacks and holds related ones for."""
        return self.own, stand_ins(query, self.own, self.related)


def related_terms(query: Query) -> list[str]:
    """The terms that may stand for those of `query`, sorted."""
    return sorted(frozenset[str]().union(*query.related.values()))


def hold_related(kin: Places, query: Query, terms: Held, words: Words, mask: Flags | None) -> Held:
    """The rows of `mask`, all where it is None, that hold what stands for a term and not the term, by that term.

    `kin` is where the `related_terms` stand, `terms` says which rows hold the terms of the query.
    """
    if not query.related:
        return Held((), _NONE, _NONE, np.zeros(0), _NONE)
    asked, names = sorted(query.related), related_terms(query)
    place = {name: number for number, name in enumerate(names)}
    stands_for = [[place[one] for one in query.related[term]] for term in asked]
    found = hold_terms(kin, names, words, mask)
    begins = np.searchsorted(found.numbers, np.arange(len(names) + 1))
    spans = [(number, slice(*begins[one : one + 2])) for number, members in enumerate(stands_for) for one in members]
    numbers = np.concatenate([found.numbers[:0], *(np.full(span.stop - span.start, n) for n, span in spans)])
    rows = np.concatenate([found.rows[:0], *(found.rows[span] for _, span in spans)])
    counts = np.concatenate([found.counts[:0], *(found.counts[span] for _, span in spans)])
    total = words.rows
    numbers, rows, counts = gather(numbers, rows, counts, total)
    number_of = {term: number for number, term in enumerate(asked)}
    own = np.array([number_of.get(str(term), len(asked)) for term in terms.keys], np.int64)[terms.numbers]
    lacking = ~np.isin(numbers * total + rows, own * total + terms.rows)
    numbers, rows, counts = numbers[lacking], rows[lacking], counts[lacking]
    return Held(asked, numbers, rows, counts, np.bincount(numbers, minlength=len(asked)))
