"""A second look at the memories that stand first: whether they answer a question, or only ask one.

In a conversation the turn that shares most words with a question often asks the same; what was looked for is the reply
to it, which may share no word at all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from .alike import COMPARED, CORE, openness
from .code import is_code
from .context import day_named
from .document import Document
from .kinds import wanted
from .query import Query
from .recipes import Recipe

Parts = dict[str, float]

# How many of the first are looked at again: those that a reader may come to see.
LOOKED_AT: Final = 100
OWN: Final = ("words", "letters", "phrases", "related")
_TWO: Final = 2
_ASKS: Final = ("?", "？", "؟")
# A turn of more characters than this says more than it asks, also where it ends with a question.
_LONGEST_ASKING: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """How a place is looked up: its document, the parts of its score by the words, and the turns around it.

    `matches` tells whether it holds a term of the query, `asks` and `holds` are those of its document. `parts` must
    answer for every place that `before` and `after` name, also for one that holds no term of the query. `likeness` is
    that of `alike`, of the documents of places; None where they are no long texts.
    """

    document: Callable[[int], Document]
    parts: Callable[[int], Mapping[str, float]]
    before: Callable[[int], int | None]
    after: Callable[[int], int | None]
    matches: Callable[[int], bool]
    asks: Callable[[int], bool]
    holds: Callable[[int, str], bool]
    likeness: Callable[[Sequence[int], Sequence[float]], Sequence[float]] | None


def asks(document: Document) -> bool:
    """Whether a text is short and ends with a question, what is noted in brackets after it aside."""
    text = _without_note(document.content)
    return len(text) <= _LONGEST_ASKING and text.rstrip(" \"'”’)…!").endswith(_ASKS)


def _without_note(text: str) -> str:
    """`text` without what a client notes after the words of a turn: `[shared image: ...]`."""
    bare = text.rstrip()
    begin = bare.rfind("[") if bare.endswith("]") else -1
    return bare[:begin].rstrip() if begin >= 0 and bare.find("]", begin) == len(bare) - 1 else text


def refine(first: Sequence[int], talk: Talk, query: Query, share: float, recipe: Recipe) -> dict[int, Parts]:
    """What a second look at the places that stand `first`, and at the replies to those of them that ask, changes.

    A reply gains `recipe.reply` of what the question before it has of its own; one without a term of the query becomes
    a match when that is at least `recipe.asked`. A question that is followed by another turn loses `recipe.asking` of
    its own. A memory that holds the kind of answer that is wanted gains `recipe.kind`; one of the month that is named,
    said on the day that is named or just after, gains `recipe.day`. A long text gains up to `recipe.alike` by what it
    has in common with the very first, the more the less of the query's weight these hold, which is `share`.
    """
    kind = wanted(query.text)
    alike = _alike(first, talk, share, recipe)
    replies = [after for place in first if (after := talk.after(place)) is not None and not talk.matches(after)]
    refined: dict[int, Parts] = {}
    for place in (*first, *replies):
        before, matches = talk.before(place), talk.matches(place)
        asked = own(talk.parts(before)) if before is not None and _replies(place, before, talk) else 0.0
        if not matches and asked < recipe.asked:
            continue
        changes: Parts = {"reply": recipe.reply * asked} if asked else {}
        if talk.after(place) is not None and talk.asks(place):
            parts = talk.parts(place)
            changes |= {name: (1.0 - recipe.asking) * parts[name] for name in OWN if name in parts}
        if kind is not None and talk.holds(place, kind):
            changes["kind"] = recipe.kind
        if place in alike:
            changes["alike"] = alike[place]
        if day_named(talk.document(place), query) and (of_date := talk.parts(place).get("date", 0.0)):
            changes["date"] = of_date + recipe.day
        if changes or not matches:
            refined[place] = {**talk.parts(place), **changes}
    return refined


def own(parts: Mapping[str, float]) -> float:
    """What a memory has of the query itself."""
    return fsum(parts.get(name, 0.0) for name in OWN)


def _alike(first: Sequence[int], talk: Talk, share: float, recipe: Recipe) -> dict[int, float]:
    """What each of the first long texts gains; nothing among two, which could only be compared with each other."""
    places = first[:COMPARED]
    if talk.likeness is None or len(places) <= _TWO:
        return {}
    if any(is_code(talk.document(place).content) for place in places[:CORE]):
        return {}  # what is alike in code is the language
    sums = [fsum(talk.parts(place).values()) for place in places]
    most = recipe.alike * openness(sums, share)
    return {place: most * near for place, near in zip(places, talk.likeness(places, sums), strict=True) if most * near}


def _replies(place: int, before: int, talk: Talk) -> bool:
    """Whether one turn is a reply to the one `before`: that asks, and was not said by the same person."""
    if not talk.asks(before):
        return False
    speaker = talk.document(place).speaker
    return speaker is None or speaker != talk.document(before).speaker
