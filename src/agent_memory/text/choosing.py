"""Which memories get into a pack: those that are worth most a token, a long one by the lines that say most."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from .excerpt import GAP, excerpts
from .forms import Form
from .render import SUPERSEDED, Entry
from .titles import begins
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
# A memory of so many tokens, or half of the room that is left, is shown whole where it fits; of others a part is.
_WHOLE: Final = 500
# A part has so many tokens at least, or half of what the whole takes; of the very first, which answers best, a few say
# more than none.
_LEAST_PART: Final = 200
_LEAST_OF_BEST: Final = 20
# In how many steps a part's share of the room grows where no line fits; how many budgets are tried before all is asked
# for.
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Priced:
    """An entry with the facts of its block, the tokens of the line over that, and its own, never too few.

    A part of it has `least` tokens; `excerpt` gives what its content says most in about so many. The `best` of all is
    shown in part rather than not at all.
    """

    entry: Entry
    facts: str
    head: int
    tokens: int
    least: int
    best: bool
    excerpt: Callable[[int], str]


Price = Callable[[Entry], Priced]


def pricing(entries: Sequence[Entry], form: Form, nonce: str) -> Price:
    """What prices any of `entries`, with as long numbers as one of them may get."""
    most = len(entries)

    @cache
    def head(facts: str) -> int:
        return estimate(form.head(facts, most - 1, most, nonce))

    def price(entry: Entry) -> Priced:
        facts = form.facts(entry)
        tokens = estimate(f"{form.between}{form.entry(entry, most)}")
        best = entry.id == entries[0].id
        least = min(_LEAST_OF_BEST if best else _LEAST_PART, tokens // 2)
        return Priced(entry, facts, head(facts), tokens, least, best, excerpts(entry.content, entry.needles))

    return price


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


def choose(priced: Sequence[Priced], order: Sequence[int], room: int, price: Price) -> dict[int, Priced]:
    """What gets into `room` tokens, in this order, by place: all, if all fit; else what does not fit is passed over.

    Of a long one a part gets in; what is left in the end makes the parts longer, the first ones first.
    """
    chosen = _pick(priced, order, room, price)
    room -= cost(chosen.values())
    blocks = {one.facts for one in chosen.values()}
    for place, part in chosen.items():
        if part.entry.truncated:
            room += part.head + part.tokens
            whole = priced[place]
            longer = whole if need(whole, blocks) <= room else _in_part(whole, room, room, price) or part
            chosen[place] = longer
            room -= need(longer, blocks - {part.facts})
            blocks.add(longer.facts)
    for place in order:
        if place not in chosen and (tokens := need(priced[place], blocks)) <= room:
            chosen[place] = priced[place]
            room -= tokens
            blocks.add(priced[place].facts)
    return chosen


def _pick(priced: Sequence[Priced], order: Iterable[int], room: int, price: Price) -> dict[int, Priced]:
    if cost(priced) <= room:
        return dict(enumerate(priced))
    chosen: dict[int, Priced] = {}
    blocks: set[str] = set()
    for place in order:
        whole, half = priced[place], room // 2
        tokens = need(whole, blocks)
        part = None if tokens <= min(room, max(_WHOLE, half)) else _in_part(whole, half, room, price)
        if shown := part or (whole if tokens <= room else None):
            chosen[place] = shown
            room -= need(shown, blocks)
            blocks.add(shown.facts)
    return chosen


def _in_part(whole: Priced, share: int, room: int, price: Price) -> Priced | None:
    """An excerpt of `whole` in a `share` of the room, or more where that is too little; None where `room` is, too.

    Of the best a title that was made of the beginning gives way where no line fits beside it.
    """
    if room < whole.head + whole.least:
        return None
    derived = begins(whole.entry.content, whole.entry.title)
    untitled = [replace(whole, entry=replace(whole.entry, title=""))] if derived and whole.best else []
    for one in (whole, *untitled):
        frame = _frame(one, price)
        first = max(share, frame + one.least)
        tries = range(first, room + 1, max(1, (room - first) // _TRIES))
        if part := next((part for most in tries if (part := _excerpt(one, most, frame, price, derived=derived))), None):
            return part
    return None


def _excerpt(whole: Priced, most: int, frame: int, price: Price, *, derived: bool) -> Priced | None:
    """An excerpt of `whole` that takes `most` tokens with its `frame`; None where no line of it fits into these.

    Its title, where that is `derived` from the beginning, says nothing beside it.
    """
    tokens = most - frame
    while tokens > 0 and (content := whole.excerpt(tokens)):
        title = "" if derived and not content.startswith(GAP) else whole.entry.title
        part = price(replace(whole.entry, title=title, content=content, truncated=True))
        over = part.head + part.tokens - most
        if over <= 0:
            return part
        tokens -= over
    return None


def _frame(whole: Priced, price: Price) -> int:
    """The tokens of a part of `whole` beside its text."""
    empty = price(replace(whole.entry, content="", truncated=True))
    return empty.head + empty.tokens


def need(one: Priced, blocks: Iterable[str]) -> int:
    """The tokens that `one` takes beside `blocks`."""
    return one.tokens + (0 if one.facts in blocks else one.head)


def least(one: Priced, blocks: Iterable[str], room: int, price: Price) -> int:
    """About the tokens in which `one`, which had no place in `room`, may get in beside `blocks`, whole or in part."""
    whole = need(one, blocks)
    bare = one.best and begins(one.entry.content, one.entry.title)
    part = _frame(replace(one, entry=replace(one.entry, title="")) if bare else one, price) + one.least
    while part <= room:  # its lines are longer than a part must be
        part *= 2
    return min(whole, part)


def next_room(priced: Sequence[Priced], order: Sequence[int], used: int, rooms: Iterable[int], price: Price) -> int:
    """The least of the first `rooms` or of twice these in which more than `used` get in; else enough for all."""
    tried = sorted(rooms)[:_TRIES]
    more = (room for room in (*tried, *(2 * room for room in tried)) if len(_pick(priced, order, room, price)) > used)
    return next(more, cost(priced))
