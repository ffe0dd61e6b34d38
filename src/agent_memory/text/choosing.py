"""Which memories get into a pack: those that are worth most a token."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .forms import Form
from .render import SUPERSEDED, Entry
from .tokens import estimate

# Of the first hits most answer, of the last hardly any: worth falls with the fourth power of the score. Beside that it
# counts a little how much a memory says that better ones have not, for what repeats them may still hold the answer, and
# less how short it is, for it may be short for want of one. Chosen on every other question of two sets.
_STEEP: Final = 4.0
_NOVELTY: Final = 0.3
_THRIFT: Final = 0.2
_LEAST_NEW: Final = 0.05
# What was superseded counts as if it answered half as well: it is no use without what stands in its place.
_SUPERSEDED: Final = 0.5
# How many budgets are tried before all is asked for.
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Priced:
    """An entry with the facts of its block, the tokens of the line over that, and its own, never too few."""

    entry: Entry
    facts: str
    head: int
    tokens: int


def price(entries: Sequence[Entry], form: Form, nonce: str) -> list[Priced]:
    """Price `entries` with as long numbers as any of them may get."""
    most = len(entries)
    facts = [form.facts(entry) for entry in entries]
    heads = {its: estimate(form.head(its, most - 1, most, nonce)) for its in set(facts)}
    return [
        Priced(entry, its, heads[its], estimate(f"{form.between}{form.entry(entry, most)}"))
        for entry, its in zip(entries, facts, strict=True)
    ]


def by_worth(priced: Sequence[Priced]) -> list[int]:
    """The places of `priced`, given best first, by worth a token, the very first first."""
    seen: set[str] = set()
    worth: list[float] = []
    for one in priced:
        words = set(one.entry.content.casefold().split())
        new = max(_LEAST_NEW, len(words - seen) / len(words)) if words else _LEAST_NEW
        seen |= words
        answers = one.entry.score * (_SUPERSEDED if one.entry.outdated == SUPERSEDED else 1.0)
        worth.append(answers**_STEEP * new**_NOVELTY / one.tokens**_THRIFT)
    return sorted(range(len(priced)), key=lambda place: (place > 0, -worth[place], place))


def cost(chosen: Iterable[Priced]) -> int:
    """The tokens of `chosen` and of the lines over their blocks."""
    heads: dict[str, int] = {}
    tokens = 0
    for one in chosen:
        heads[one.facts] = one.head
        tokens += one.tokens
    return tokens + sum(heads.values())


def choose(priced: Sequence[Priced], order: Iterable[int], room: int) -> dict[int, Priced]:
    """What gets into `room` tokens, in this order, by place; what does not fit is passed over."""
    chosen: dict[int, Priced] = {}
    blocks: set[str] = set()
    for place in order:
        one = priced[place]
        tokens = need(one, blocks)
        if tokens <= room:
            chosen[place] = one
            blocks.add(one.facts)
            room -= tokens
    return chosen


def need(one: Priced, blocks: Iterable[str]) -> int:
    """The tokens that `one` takes beside `blocks`."""
    return one.tokens + (0 if one.facts in blocks else one.head)


def next_room(priced: Sequence[Priced], order: Sequence[int], used: int, rooms: Iterable[int]) -> int:
    """The least of the first `rooms` in which more than `used` get in, whichever these are; else enough for all."""
    more = (room for room in sorted(rooms)[:_TRIES] if len(choose(priced, order, room)) > used)
    return next(more, cost(priced))
