"""Filling a token budget with the memories that are worth most, and accounting for each one that did not get in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .forms import MARKDOWN, Form
from .render import Entry, visible
from .tokens import estimate

# Worth falls faster than the score: of the first hits most answer, of the last hardly any.
_STEEP: Final = 2.0
# A token counts less than in full, since a short memory may be short for want of an answer.
_THRIFT: Final = 0.5
# What better ones have said already is worth little, but what repeats it may still hold the answer.
_NOVELTY: Final = 0.3
_LEAST_NEW: Final = 0.05
# How many budgets are tried before all is asked for.
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Drop:
    """A memory that was left out, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pack:
    """The text to give to a model, its estimated tokens, and the ids that are in it (in its order) and that are not.

    `next_budget` is a `max_tokens` at which one more would fit; None when all fit.
    """

    markdown: str
    used: tuple[str, ...]
    dropped: tuple[Drop, ...]
    tokens: int
    next_budget: int | None


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands around the memories, its tokens, and those of each memory, as far as known."""

    nonce: str
    form: Form
    opening: str
    closing: str
    tokens: int
    costs: dict[int, int]


def pack(  # noqa: PLR0913 - the budget and five texts; a parameter object would only rename them
    entries: Sequence[Entry],
    max_tokens: int,
    nonce: str,
    heading: str,
    empty_reason: str = "Nothing matched.",
    query: str | None = None,
    form: Form = MARKDOWN,
) -> Pack:
    """Pack `entries`, given best first, into at most `max_tokens` estimated tokens, counted on the rendered text.

    They get in by what they are worth a token, the best first in any case; what does not fit is passed over. They stand
    best first, with neighbouring turns of a session together. With nothing in it the pack says why: `empty_reason`
    when `entries` is empty, the budget otherwise; where even that has no room, the text is empty.
    """
    around = form.opening(nonce, heading, query), form.closing(nonce)
    frame = _Frame(nonce, form, *around, sum(map(estimate, around)), {})
    order = _by_worth(entries, frame)
    chosen = _choose(entries, order, max_tokens, frame)
    left_out = [place for place in range(len(entries)) if place not in chosen]
    spent = _cost(entries, chosen, frame)
    needs = {place: _cost(entries, [*chosen, place], frame) - spent for place in left_out}
    room = max(0, max_tokens - spent)
    dropped = tuple(
        Drop(entries[place].id, f"does not fit: needs {needs[place]} of the {room} tokens left") for place in left_out
    )
    next_budget = (
        _next_budget(entries, order, len(chosen), sorted(spent + cost for cost in needs.values()), frame)
        if needs
        else None
    )
    if not chosen:
        reason = visible(empty_reason) if next_budget is None else f"No memory fits into {max_tokens} tokens."
        hint = "" if next_budget is None else f" Ask for {next_budget}."
        markdown = _first_fitting(form.empty(heading, reason, hint), max_tokens)
    else:
        markdown = "".join((frame.opening, *_blocks(entries, chosen, frame), frame.closing))
    used = tuple(entries[place].id for place in _arranged(entries, chosen)) if chosen else ()
    return Pack(markdown, used, dropped, estimate(markdown), next_budget)


def _by_worth(entries: Sequence[Entry], frame: _Frame) -> list[int]:
    """The places of `entries` by worth a token, the very first first."""
    seen: set[str] = set()
    worth: list[float] = []
    for place, entry in enumerate(entries):
        words = set(entry.content.casefold().split())
        new = max(_LEAST_NEW, len(words - seen) / len(words)) if words else _LEAST_NEW
        seen |= words
        worth.append(entry.score**_STEEP * new**_NOVELTY / _cost_of(entries, place, frame) ** _THRIFT)
    return sorted(range(len(entries)), key=lambda place: (place > 0, -worth[place], place))


def _choose(entries: Sequence[Entry], order: Iterable[int], max_tokens: int, frame: _Frame) -> list[int]:
    chosen: list[int] = []
    for place in order:
        if _cost(entries, [*chosen, place], frame) <= max_tokens:
            chosen.append(place)
    return chosen


def _next_budget(
    entries: Sequence[Entry], order: Sequence[int], used: int, budgets: Sequence[int], frame: _Frame
) -> int:
    """The least of the first `budgets` at which more than `used` get in, whichever these are; else enough for all."""
    more = (budget for budget in budgets[:_TRIES] if len(_choose(entries, order, budget, frame)) > used)
    return next(more, _cost(entries, order, frame))


def _arranged(entries: Sequence[Entry], chosen: Iterable[int]) -> list[int]:
    """`chosen` best first, each followed and preceded by the turns beside it in its session."""
    places = sorted(chosen)
    by_turn = {turn: place for place in reversed(places) if (turn := entries[place].turn) is not None}
    arranged: dict[int, None] = {}
    for place in places:
        if place in arranged:
            continue
        turn = entries[place].turn
        if turn is None or by_turn[turn] != place:
            arranged[place] = None
            continue
        session, at = turn
        while (session, at - 1) in by_turn:
            at -= 1
        while (session, at) in by_turn:
            arranged[by_turn[session, at]] = None
            at += 1
    return list(arranged)


def _blocks(entries: Sequence[Entry], chosen: Iterable[int], frame: _Frame) -> list[str]:
    arranged = _arranged(entries, chosen)
    return [frame.form.entry(entries[place], number, frame.nonce) for number, place in enumerate(arranged, 1)]


def _cost(entries: Sequence[Entry], chosen: Iterable[int], frame: _Frame) -> int:
    """The tokens of a pack of `chosen`, never fewer than its text has."""
    return frame.tokens + sum(_cost_of(entries, place, frame) for place in chosen)


def _cost_of(entries: Sequence[Entry], place: int, frame: _Frame) -> int:
    """The tokens of one memory, with as long a number as any may get."""
    known = frame.costs.get(place)
    if known is None:
        known = frame.costs[place] = estimate(frame.form.entry(entries[place], len(entries), frame.nonce))
    return known


def _first_fitting(texts: Sequence[str], max_tokens: int) -> str:
    return next((text for text in texts if estimate(text) <= max_tokens), "")
