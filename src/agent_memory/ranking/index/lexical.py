"""The evidence for every memory of an index, by kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import fsum

import numpy as np

from ..alike import is_spaced
from ..context import date_named, of_date, speaker_named, tells
from ..document import Document
from ..emphasis import emphasis
from ..kinds import wanted
from ..query import Query
from ..recipes import Recipe
from ..refine import LOOKED_AT, Parts, Talk, refine
from ..scoring import EXACT
from .alike import likeness_of
from .arms import around, relative, score, session_scores, weight
from .columns import Flags, Floats, Ints, distinct, greatest
from .held import Held, hold_grams, hold_terms
from .index import Index, Kinds
from .measures import Measures
from .pairs import hold_pairs
from .places import Places, find_places, surfaces, terms_of
from .related import Said, hold_related, related_terms
from .sessions import Talks


@dataclass(frozen=True, slots=True)
class Evidence:
    """What there is for every row, matched or not.

    `own` is the sum of the four before it. `session` is by session, `speaker` and `date` are by kind of rows. The texts
    of the rows that are `telling` name a day that the query names, which gives `told`.
    """

    index: Index
    recipe: Recipe
    talks: Talks
    words: Floats
    letters: Floats
    phrases: Floats
    related: Floats
    own: Floats
    session: Floats
    speaker: Floats
    date: Floats
    telling: Flags
    told: float

    def parts(self, rows: Ints) -> dict[str, Floats]:
        """The parts of `rows` before a second look, in the order in which they are added up; none that all lack."""
        talks = self.talks
        parts = {"words": self.words[rows], "letters": self.letters[rows], "phrases": self.phrases[rows]}
        if self.related.any():
            parts["related"] = self.related[rows]
        if talks.sessions:
            parts["neighbours"] = around(self.own, rows, talks, self.recipe)
            parts["session"] = self.session[talks.session_of[rows]]
        if self.speaker.any():
            parts["speaker"] = self.speaker[self.index.speakers.of_row.values[rows]]
        if self.date.any() or self.telling.any():
            date = self.date[self.index.days.of_row.values[rows]] if len(self.date) else 0.0
            parts["date"] = np.where(self.telling[rows], self.told, date)
        return parts


@dataclass(frozen=True, slots=True)
class Lexical:
    """What `ranking.search` knows of every document that holds a term of the query, for all rows at once.

    `matched` are these rows, ascending, and `sums` the sum of the parts of each; `first` are those that stand first,
    in order. `terms` says which rows hold each term of the query, `related` which lack one and hold a related one,
    `kin` where these stand. `refined` has the parts of the rows that a second
    look has changed.
    """

    index: Index
    evidence: Evidence
    measures: Measures
    places: Places
    terms: Held
    kin: Places
    related: Held
    matched: Ints
    sums: Floats
    first: list[int]
    refined: Mapping[int, Parts] = field(default_factory=dict[int, Parts])

    def containing(self) -> dict[str, int]:
        """How many rows hold each term of the query, as far as any does."""
        return {str(term): size for term, size in zip(self.terms.keys, self.terms.sizes.tolist(), strict=True) if size}

    def parts_of(self, rows: Iterable[int]) -> dict[int, Parts]:
        """The parts of each of `rows`."""
        asked = [*rows]
        found = self.evidence.parts(np.array(asked, np.int64))
        each = zip(*(values.tolist() for values in found.values()), strict=True)
        return {
            row: self.refined.get(row) or dict(zip(found, parts, strict=True))
            for row, parts in zip(asked, each, strict=True)
        }

    def said(self, query: Query, rows: Sequence[int]) -> list[Said]:
        """What each of `rows` holds of `query`."""
        words = self.index.words
        own = surfaces(self.places, terms_of(query), words, rows)
        if not query.related:
            return [Said(held, {}) for held in own]
        return [*map(Said, own, surfaces(self.kin, related_terms(query), words, rows))]

    def of_date(self, query: Query) -> Ints:
        """The rows that may be looked at and are of the time that the query names."""
        if not self.evidence.date.any():
            return np.empty(0, np.int64)
        index = self.evidence.index
        named = _by_kind(index, index.days, query, of_date)[index.days.of_row.values].astype(bool)
        return np.flatnonzero(named & self.measures.mask)

    def matches(self, rows: Ints) -> Flags:
        """Which of `rows` are matched."""
        if not len(self.matched):
            return np.zeros(len(rows), bool)
        return self.matched[np.minimum(np.searchsorted(self.matched, rows), len(self.matched) - 1)] == rows

    def with_parts(self, refined: Mapping[int, Parts]) -> "Lexical":
        """The same with other parts for some rows, which match from now on."""
        if not refined:
            return self
        rows = np.array([*refined], np.int64)
        matched = distinct(len(self.evidence.words), self.matched, rows)
        sums = np.zeros(len(matched))
        sums[np.searchsorted(matched, self.matched)] = self.sums
        sums[np.searchsorted(matched, rows)] = [fsum(parts.values()) for parts in refined.values()]
        return replace(self, matched=matched, sums=sums, refined=refined)


def find_lexical(index: Index, query: Query, mask: Flags, recipe: Recipe) -> Lexical:
    """The evidence for `query` in the rows of `mask`."""
    language, blocks = index.language(query.language), index.blocks()
    measures = index.measured.of(mask, language, recipe, index.sessions)
    limits, total = measures.limits, measures.total
    names = terms_of(query)
    places = find_places(names, language, blocks)
    terms = hold_terms(places, names, index.words, limits)
    pairs = hold_pairs(places, query, index.words, language, limits)
    kin = find_places(related_terms(query), language, blocks, index.words.may_stand_for)
    related = hold_related(kin, query, terms, index.words, limits)
    once, often = hold_grams(sorted(query.grams), index.words, blocks, language, limits)
    stress = emphasis(query, recipe)
    by_words = score(terms, measures.damped, total, recipe.k1, stress.terms)
    words = relative(by_words)
    by_related = score(related, measures.damped, total, recipe.k1, stress.terms)
    by_related = recipe.related * relative(by_related, float(by_words.max(initial=0.0)))
    single = weight(once, len(mask), total, stress.grams) * measures.gram_once
    several = score(often, measures.gram_damped, total, recipe.k1, stress.grams)
    letters = recipe.letters(query.language) * relative(single + several)
    phrases = recipe.pairs * relative(score(pairs, measures.damped, total, recipe.k1, {}))
    days = index.days if query.months or query.years or query.span else Kinds()
    evidence = Evidence(
        index=index,
        recipe=recipe,
        talks=measures.talks,
        words=words,
        letters=letters,
        phrases=phrases,
        related=by_related,
        own=words + letters + phrases + by_related,
        session=recipe.session * session_scores(terms, measures.talk_damped, measures.talks, recipe),
        speaker=recipe.speaker * _by_kind(index, index.speakers, query, speaker_named),
        date=recipe.date * _by_kind(index, days, query, date_named),
        telling=_telling(index, query, mask),
        told=recipe.told(day=bool(query.days)),
    )
    # A term that is held gives something.
    matched = np.flatnonzero((words + by_related > 0.0) | evidence.telling)
    parts, sums = evidence.parts(matched), np.zeros(len(matched))
    for values in parts.values():
        sums += values
    first = greatest(sums, LOOKED_AT)
    rows: list[int] = matched[first].tolist()
    each = zip(*(values.take(first).tolist() for values in parts.values()), strict=True)
    ordered = sorted(
        [(-round(fsum(own), EXACT), index.documents[row].id, row) for row, own in zip(rows, each, strict=True)]
    )
    standing = [row for _, _, row in ordered[:LOOKED_AT]]
    return Lexical(index, evidence, measures, places, terms, kin, related, matched, sums, standing)


def look_again(lexical: Lexical, query: Query, share: float) -> Lexical:
    """`lexical` after `refine` has looked at the rows that stand first, which hold `share` of the query's weight."""
    index, talks, rows = lexical.index, lexical.evidence.talks, np.array(lexical.first, np.int64)
    by_likeness = lexical.measures.long and is_spaced(query)
    if not (talks.sessions or by_likeness or query.days or wanted(query.text)):
        return lexical  # no row has turns around it, and any kind of answer of any day will do
    near = np.concatenate((rows, [*_beside(talks, rows, 1).values()])).astype(np.int64)
    before, after = _beside(talks, near, -1), _beside(talks, near, 1)
    matched = {*near[lexical.matches(near)].tolist()}
    around = [*dict.fromkeys((*near.tolist(), *before.values()))]
    place_of = {row: place for place, row in enumerate(around)}

    @cache
    def columns() -> dict[str, list[float]]:
        return {name: values.tolist() for name, values in lexical.evidence.parts(np.array(around, np.int64)).items()}

    def parts(row: int) -> Parts:
        return {name: values[place_of[row]] for name, values in columns().items()}

    def near_first(some: Sequence[int], sums: Sequence[float]) -> list[float]:
        return likeness_of(np.array(some, np.int64), sums, index.words, index.language(query.language))

    talk = Talk(
        document=index.documents.__getitem__,
        parts=parts,
        before=before.get,
        after=after.get,
        matches=matched.__contains__,
        asks=index.asks.values.__getitem__,
        holds=index.answers.hold,
        likeness=near_first if by_likeness else None,
    )
    return lexical.with_parts(refine(lexical.first, talk, query, share, lexical.evidence.recipe))


def _beside(talks: Talks, rows: Ints, step: int) -> dict[int, int]:
    """The turn that is `step` after each of `rows` which has one."""
    at = talks.place_of[rows]
    there = at + step
    same = talks.session_at[there] == talks.session_at[at]
    return dict(zip(rows[same].tolist(), talks.row_at[there[same]].tolist(), strict=True))


def _telling(index: Index, query: Query, mask: Flags) -> Flags:
    """The rows of `mask` whose texts name a day that the query names."""
    found = np.zeros(len(mask), bool)
    if query.months or query.span:
        for day in [day for day in index.told if tells((day,), query)]:
            found[index.told[day]] = True
    return found & mask


def _by_kind(index: Index, kinds: Kinds, query: Query, named: Callable[[Document, Query], float]) -> Floats:
    """What `named` says of each kind of rows."""
    return np.array([float(named(index.documents[row], query)) for row in kinds.examples])
