"""How sure an answer is: how much of the query's weight the best memories hold."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .bm25 import idf
from .dates import is_date
from .generic import GENERIC
from .hits import Verdict
from .names import named_by
from .query import Query, Word
from .recipes import Recipe
from .runs import take_apart

# The share of its weight that a generic word has.
_GENERIC_SHARE: Final = 0.4
# Beyond this many words' worth, a query is a text of its own: no memory is expected to hold all of it.
_ENOUGH: Final = 8.0
# A word of more than this share of the weight of an unknown one is telling; one of everyday talk has no more.
_TELLING: Final = 0.4
_SEVERAL: Final = 2
_DATE: Final = (-1, 0)
_NAMED: Final = 3
_LONGEST_NAMED: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What counts as one thing asked for: a word, or a pair of characters where no spaces are written.

    `terms` are those that some memory holds, `whole` the weight of all that would have to be held. Of a name, `first`
    is its whole form and `named` the parts that say the same in another form. `word` is the same for the parts of a
    word that was taken apart.
    """

    typed: str
    first: str
    named: tuple[str, ...]
    terms: Mapping[str, float]
    weight: float
    whole: float
    known: bool
    word: tuple[int, int]


def units(query: Query, containing: Mapping[str, int], total: int) -> list[Unit]:
    """The units of `query`; `containing` tells how many of `total` memories hold a term."""
    found: list[Unit] = []
    dated = sum(word.typed in query.dated for word in query.words)
    for place, word in enumerate(query.words):
        for group, share, part in _groups(word, containing, dated if word.typed in query.dated else 0):
            known = {term: idf(containing[term], total) for term in group if term in containing}
            missing = sum(term not in known for term in _parts(word.typed, group))
            weight = max(known.values(), default=idf(0, total))
            if missing:
                weight = max(weight, idf(0, total))
            whole = sum(known.values()) + missing * idf(0, total)
            found.append(
                Unit(
                    typed=word.typed,
                    first=group[0],
                    named=named_by(word),
                    terms=known,
                    weight=weight * share,
                    whole=whole,
                    known=bool(known),
                    word=_DATE if word.typed in query.dated else (place, part),
                )
            )
    return found


def _groups(word: Word, containing: Mapping[str, int], dated: int) -> Iterator[tuple[Sequence[str], float, int]]:
    """The terms of each unit of a word, the share of its weight that it has, and which part of the word it is of.

    What names a date are so many `dated` words, which count as one.
    """
    if dated:
        yield word.terms[:1] if is_date(word.typed) else word.terms, 1 / dated, 0
        return
    if not word.unspaced:
        yield word.terms, _GENERIC_SHARE if word.typed in GENERIC else 1.0, 0
        return
    pairs = take_apart(word.typed, word.terms, containing)
    for number, pair in enumerate(pairs):
        yield (pair.term,), pair.share, -number - 1 if pair.stretch is None else pair.stretch
    for term in {*word.terms} - {pair.term for pair in pairs}:
        yield (term,), 1.0, -1


def _parts(typed: str, terms: Sequence[str]) -> Sequence[str]:
    """Which of the `terms` of one word a memory must hold to hold all of it.

    An identifier in another form has the same parts (`getUserById`, `get_user_by_id`); one with another part is
    another. A file or an address that only shares folders is another one too.
    """
    return terms if "/" in typed else terms[1:]


Terms = tuple[Mapping[str, object], Container[str]]
"""The terms of the query that a memory holds, and those for which it holds a related one only."""


def coverage(wanted: Sequence[Unit], terms: Terms, total: int, related: float) -> float:
    """The share, 0-1, of the weight of `wanted` that a memory with `terms` has; what is related counts `related`."""
    held, standing_in = terms
    whole = sum(unit.weight for unit in wanted)
    enough = min(whole, _ENOUGH * idf(0, total))
    got = sum(
        unit.weight * related
        if unit.first in standing_in
        else unit.weight * sum(w for term, w in unit.terms.items() if term in held) / unit.whole
        for unit in wanted
        if unit.known or unit.first in standing_in
    )
    return min(1.0, got / enough) if enough else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How much the best memories hold: the `share` (0-1) of the query's weight, and whether that is `firm`.

    It is firm where a memory holds a strong share in two or more of the query's telling words, or in its only one: a
    single word says little of what is asked about it. It is `worded` where a memory holds that share in the query's own
    words. And it holds at least half of what the query names: another ticket, file or function is not the one asked
    about. `unheld` are the names, as typed, that none of the best holds.
    """

    share: float
    firm: bool
    worded: bool = True
    unheld: tuple[str, ...] = ()


def strongest(wanted: Sequence[Unit], best: Sequence[Terms], total: int, recipe: Recipe) -> Strength:
    """How much the memories that hold the terms `best` hold of `wanted`; the store has `total` memories."""
    shares = [coverage(wanted, terms, total, recipe.related) for terms in best]
    worded = [held for held, _ in best if coverage(wanted, (held, ()), total, 0.0) >= recipe.strong]
    unheld = (unit.typed for unit in wanted if unit.named and not any(_holds(held, unit) for held, _ in best))
    return Strength(
        share=max(shares, default=0.0),
        firm=any(_is_firm(wanted, held, total) for held in worded),
        worded=bool(worded),
        unheld=tuple(dict.fromkeys(unheld)),
    )


def _holds(held: Container[str], name: Unit) -> bool:
    return name.first in held or all(part in held for part in name.named)


def _is_firm(wanted: Sequence[Unit], held: Mapping[str, object], total: int) -> bool:
    held_by: dict[tuple[int, int], list[bool]] = {}
    for unit in wanted:
        if unit.weight > _TELLING * idf(0, total):
            held_by.setdefault(unit.word, []).append(any(term in held for term in unit.terms))
    found = sum(2 * sum(parts) > len(parts) for parts in held_by.values())
    names = [unit for unit in wanted if unit.named]
    return found >= min(_SEVERAL, len(held_by)) and 2 * sum(_holds(held, name) for name in names) >= len(names)


def judge(strength: Strength, unmatched: Sequence[str], recipe: Recipe, *, telling: bool) -> tuple[Verdict, str]:
    """The verdict on the best memories' `strength`; `telling` is false when only very common words matched."""
    missing = f" Not found in any memory: {_listed(unmatched)}." if unmatched else ""
    share = f"{round(100 * strength.share)}% of what the query asks for"
    if strength.share < recipe.weak:
        return "none", f"No memory answers this: the nearest holds {share}.{missing}"
    if not telling:
        return "weak", f"Only words that very many memories contain matched.{missing}"
    if strength.share < recipe.strong:
        return "weak", f"The best memories hold {share}.{missing}"
    if not strength.firm:
        if strength.unheld:
            but = f"not {_listed(strength.unheld)}"
        else:
            but = "only one of its telling words" if strength.worded else "partly in other words"
        return "weak", f"The best memories hold {share}, but {but}.{missing}"
    return "strong", f"The best memories hold {share}.{missing}"


def _listed(words: Iterable[str]) -> str:
    found = [word if len(word) <= _LONGEST_NAMED else word[: _LONGEST_NAMED - 1] + "…" for word in words]
    more = len(found) - _NAMED
    return ", ".join(found[:_NAMED]) + (f" and {more} more" if more > 0 else "")
