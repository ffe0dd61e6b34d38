"""The evidence for every memory of an index, by kind."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import fsum

import numpy as np

from ..context import date_named, speaker_named
from ..document import Document
from ..query import Query
from ..recipes import Recipe
from ..refine import Parts, Talk, refine
from .arms import around, damp, relative, score, session_scores
from .columns import Flags, Floats, Ints, distinct
from .held import Held, Places, find_places, hold_grams, hold_pairs, hold_terms, terms_of
from .index import Index, Kinds
from .sessions import Talks


@dataclass(frozen=True, slots=True)
class Lexical:
    """What `ranking.search` knows of every document that holds a term of the query, for all rows at once.

    `parts` are those of the evidence in the order in which they are added up to `sums`; they mean something for the
    rows in `matched` and those beside them in their session. `terms` says which rows hold each term of the query.
    `refined` has the parts of those that were looked at again.
    """

    parts: Mapping[str, Floats]
    sums: Floats
    matched: Ints
    terms: Held
    places: Places
    talks: Talks
    refined: Mapping[int, Parts] = field(default_factory=dict[int, Parts])

    def containing(self) -> dict[str, int]:
        """How many rows hold each term of the query, as far as any does."""
        return {str(t): int(n) for t, n in zip(self.terms.keys, self.terms.sizes(), strict=True) if n}

    def parts_of(self, rows: Iterable[int]) -> dict[int, Parts]:
        """The parts of each of `rows`, which are among the matched ones or beside one in its session."""
        asked = [*rows]
        names, columns = [*self.parts], [values[asked].tolist() for values in self.parts.values()]
        first = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
        return {row: self.refined.get(row, parts) for row, parts in zip(asked, first, strict=True)}

    def terms_of(self, row: int) -> dict[str, float]:
        """The terms of the query that `row` holds, and how often."""
        found: dict[str, float] = {}
        for number, term in enumerate(self.terms.keys):
            begin, end = (int(place) for place in self.terms.starts[number : number + 2])
            at = begin + int(np.searchsorted(self.terms.rows[begin:end], row))
            if at < end and self.terms.rows[at] == row:
                found[str(term)] = float(self.terms.counts[at])
        return found


def find_lexical(index: Index, query: Query, mask: Flags, recipe: Recipe) -> Lexical:
    """The evidence for `query` in the rows of `mask`."""
    total = int(np.count_nonzero(mask))
    language, blocks = index.language(query.language), index.blocks()
    lengths, gram_lengths = language.lengths.values, language.gram_lengths.values
    mean = float(lengths[mask].sum()) / total if total else 0.0
    b = recipe.b_long if mean >= recipe.long_terms else recipe.b_short
    damped = damp(lengths, mask, recipe.k1, b)

    names = terms_of(query)
    places = find_places(names, language, blocks)
    terms = hold_terms(places, names, index.words, mask)
    pairs = hold_pairs(places, query, index.words, language, mask)
    grams = hold_grams(sorted(query.grams), index.words, blocks, language, mask)
    words = relative(score(terms, damped, total, recipe.k1))
    letters = relative(score(grams, damp(gram_lengths, mask, recipe.k1, b), total, recipe.k1))
    phrases = relative(score(pairs, damped, total, recipe.k1))

    talks = index.sessions.among(mask)
    own = words + recipe.grams * letters + recipe.pairs * phrases
    parts: dict[str, Floats] = {
        "words": words,
        "letters": recipe.grams * letters,
        "phrases": recipe.pairs * phrases,
        "neighbours": around(own, talks, recipe),
        "session": recipe.session * session_scores(terms, lengths, talks, recipe),
        "speaker": recipe.speaker * _by_kind(index, index.speakers, query, speaker_named),
        "date": recipe.date * _by_kind(index, index.months, query, date_named),
    }
    sums = np.zeros(len(mask))
    for values in parts.values():
        sums += values
    return Lexical(parts, sums, distinct(len(mask), terms.rows), terms, places, talks)


def look_again(lexical: Lexical, index: Index, first: Iterable[int], query: Query, recipe: Recipe) -> Lexical:
    """`lexical` after `refine` has looked at the rows `first`, among which are all that stand first."""
    rows = [*first]
    before, after = _beside(lexical.talks, rows, len(lexical.sums))
    parts = lexical.parts_of({*rows, *before, *after})
    talk = Talk(document=index.documents.__getitem__, parts=parts.__getitem__, before=before.get, after=after.get)
    refined = refine({row: parts[row] for row in rows}, talk, query, recipe)
    sums = lexical.sums.copy()
    for row, found in refined.items():
        sums[row] = fsum(found.values())
    matched = distinct(len(sums), lexical.matched, np.array([*refined], np.int64))
    return replace(lexical, sums=sums, matched=matched, refined=refined)


def _beside(talks: Talks, rows: list[int], total: int) -> tuple[dict[int, int], dict[int, int]]:
    """The turn before and the turn after each of `rows` and each of the turns right beside them."""
    place = np.full(total, -1, np.int64)
    place[talks.rows] = np.arange(len(talks.rows))
    at = place[rows]
    near = np.unique((at[at >= 0, None] + np.arange(-2, 2)).ravel())  # the first of each of the pairs to look at
    near = near[(near >= 0) & (near + 1 < len(talks.rows))]
    near = near[talks.session[near] == talks.session[near + 1]]
    earlier, later = talks.rows[near].tolist(), talks.rows[near + 1].tolist()
    return dict(zip(later, earlier, strict=True)), dict(zip(earlier, later, strict=True))


def _by_kind(index: Index, kinds: Kinds, query: Query, named: Callable[[Document, Query], float]) -> Floats:
    """What `named` says of each row, asked once for each kind of rows."""
    said = np.array([float(named(index.documents[row], query)) for row in kinds.examples])
    return said[kinds.of_row.values] if said.any() else np.zeros(len(index.documents))
