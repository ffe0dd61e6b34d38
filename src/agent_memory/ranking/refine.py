"""A second look at the memories that stand first: whether they answer a question, or only ask one.

In a conversation the turn that shares most words with a question often asks the same; what was looked for is the reply
to it, which may share no word at all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Final

from .document import Document
from .kinds import wanted
from .query import Query
from .recipes import Recipe

Parts = dict[str, float]

# How many of the first are looked at again: those that a reader may come to see.
LOOKED_AT: Final = 100
OWN: Final = ("words", "letters", "phrases")
_ASKS: Final = ("?", "？", "؟")


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """How a place is looked up: its document, the parts of its score by the words, and the turns around it.

    `parts` must answer for every place that `before` and `after` name, also for one that holds no term of the query.
    """

    document: Callable[[int], Document]
    parts: Callable[[int], Mapping[str, float]]
    before: Callable[[int], int | None]
    after: Callable[[int], int | None]


def asks(document: Document) -> bool:
    """Whether the text ends with a question, what is noted in brackets after it aside."""
    return _without_note(document.content).rstrip(" \"'”’)…!").endswith(_ASKS)


def _without_note(text: str) -> str:
    """`text` without what a client notes after the words of a turn: `[shared image: ...]`."""
    bare = text.rstrip()
    begin = bare.rfind("[") if bare.endswith("]") else -1
    return bare[:begin].rstrip() if begin >= 0 and bare.find("]", begin) == len(bare) - 1 else text


def refine(lexical: Mapping[int, Mapping[str, float]], talk: Talk, query: Query, recipe: Recipe) -> dict[int, Parts]:
    """`lexical` with the first of it looked at again, and with the replies to those of them that ask.

    A reply gains `recipe.reply` of what the question before it has of its own; one without a term of the query becomes
    a match when that is at least `recipe.asked`. A question that is followed by another turn loses `recipe.asking` of
    its own. A memory that holds the kind of answer that is wanted gains `recipe.kind`.
    """
    holds = wanted(query.text)
    first = sorted(lexical, key=lambda place: (-fsum(lexical[place].values()), talk.document(place).id))[:LOOKED_AT]
    refined = {place: dict(parts) for place, parts in lexical.items()}
    replies = [after for place in first if (after := talk.after(place)) is not None and after not in lexical]
    for place in (*first, *replies):
        document, before = talk.document(place), talk.before(place)
        parts = dict(lexical[place]) if place in lexical else dict(talk.parts(place))
        if before is not None and _replies(document, talk.document(before)):
            asked = own(talk.parts(before))
            parts["reply"] = recipe.reply * asked
        else:
            asked = 0.0
        if place not in lexical and asked < recipe.asked:
            continue
        if talk.after(place) is not None and asks(document):
            parts |= {name: (1.0 - recipe.asking) * parts[name] for name in OWN if name in parts}
        if holds is not None and holds(document.content):
            parts["kind"] = recipe.kind
        refined[place] = parts
    return refined


def own(parts: Mapping[str, float]) -> float:
    """What a memory has of the query itself."""
    return fsum(parts.get(name, 0.0) for name in OWN)


def _replies(document: Document, before: Document) -> bool:
    """Whether `document` is a reply to `before`: that asks, and was not said by the same person."""
    return (document.speaker is None or document.speaker != before.speaker) and asks(before)
