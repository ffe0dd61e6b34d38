"""How sure an answer is: how much of the query's weight the best memories hold."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .bm25 import idf
from .generic import GENERIC
from .hits import Verdict
from .names import named_by
from .query import Query
from .recipes import Recipe

# The share of its weight that a generic word has; also that of an unknown pair of characters, which mostly is the end
# of one word and the beginning of the next.
_GENERIC_SHARE: Final = 0.4
# Beyond this many words' worth, a query is a text of its own: no memory is expected to hold all of it.
_ENOUGH: Final = 8.0
# A word of more than this share of the weight of an unknown one is telling; one of everyday talk has no more.
_TELLING: Final = 0.4
_SEVERAL: Final = 2
_NAMED: Final = 3
_LONGEST_NAMED: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What counts as one thing asked for: a word, or a pair of characters where no spaces are written.

    `terms` are those that some memory holds, `whole` the weight of all that would have to be held. Of a name, `first`
    is its whole form and `named` the parts that say the same in another form.
    """

    typed: str
    first: str
    named: tuple[str, ...]
    terms: Mapping[str, float]
    weight: float
    whole: float
    known: bool


def units(query: Query, containing: Mapping[str, int], total: int) -> list[Unit]:
    """The units of `query`; `containing` tells how many of `total` memories hold a term."""
    found: list[Unit] = []
    for word in query.words:
        groups = [(term,) for term in word.terms] if word.unspaced else [word.terms]
        for group in groups:
            known = {term: idf(containing[term], total) for term in group if term in containing}
            missing = sum(term not in known for term in _parts(word.typed, group))
            weight = max(known.values(), default=idf(0, total))
            if missing:
                weight = max(weight, idf(0, total))
            if word.typed in GENERIC or (word.unspaced and not known):
                weight *= _GENERIC_SHARE
            whole = sum(known.values()) + missing * idf(0, total)
            found.append(
                Unit(
                    typed=word.typed,
                    first=group[0],
                    named=named_by(word),
                    terms=known,
                    weight=weight,
                    whole=whole,
                    known=bool(known),
                )
            )
    return found


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
    telling = [unit for unit in wanted if unit.weight > _TELLING * idf(0, total)]
    found = sum(any(term in held for term in unit.terms) for unit in telling)
    names = [unit for unit in wanted if unit.named]
    return found >= min(_SEVERAL, len(telling)) and 2 * sum(_holds(held, name) for name in names) >= len(names)


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
