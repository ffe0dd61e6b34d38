"""Filling a token budget with the memories that are worth most, and accounting for each one that did not get in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .choosing import Priced, by_worth, choose, cost, least, next_room, pricing
from .forms import MARKDOWN, Form
from .render import Entry, visible
from .tokens import estimate


@dataclass(frozen=True, slots=True)
class Drop:
    """A memory that was left out, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Pack:
    """The text to give to a model, its estimated tokens, and the ids that are in it (in its order) and that are not.

    Of those in `cut` only a part is in it. `next_budget` is a `max_tokens` at which more would fit; None when all fit.
    """

    markdown: str
    used: tuple[str, ...]
    cut: frozenset[str]
    dropped: tuple[Drop, ...]
    tokens: int
    next_budget: int | None


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

    They get in by what they are worth a token, the best first in any case; of a long one an excerpt does, and what does
    not fit is passed over. They stand best first, in blocks of which the same is known, and there with neighbouring
    turns of a session together. With nothing in it the pack says why: `empty_reason` when `entries` is empty, the
    budget otherwise; where even that has no room, the text is empty.
    """
    opening, closing = form.opening(nonce, heading, query), form.closing(nonce)
    around = estimate(opening) + estimate(closing)
    price = pricing(entries, form, nonce)
    priced = [price(entry) for entry in entries]
    order = by_worth(priced)
    chosen = choose(priced, order, max_tokens - around, price)
    spent, known = cost(chosen.values()), {one.facts for one in chosen.values()}
    room = max(0, max_tokens - around - spent)
    needs = {place: least(one, known, room, price) for place, one in enumerate(priced) if place not in chosen}
    dropped = tuple(
        Drop(entries[place].id, f"does not fit: needs about {tokens} of the {room} tokens left")
        for place, tokens in needs.items()
    )
    rooms = (spent + tokens for tokens in needs.values())
    next_budget = around + next_room(priced, order, len(chosen), rooms, price) if needs else None
    blocks = _blocks(chosen)
    if not chosen:
        reason = visible(empty_reason) if next_budget is None else f"No memory fits into {max_tokens} tokens."
        hint = "" if next_budget is None else f" Ask for {next_budget}."
        markdown = _first_fitting(form.empty(heading, reason, hint), max_tokens)
    else:
        markdown = "".join((opening, *_render(blocks, form, nonce), closing))
    used = tuple(one.entry.id for block in blocks for one in block)
    cut = frozenset(one.entry.id for one in chosen.values() if one.entry.truncated)
    return Pack(markdown, used, cut, dropped, estimate(markdown), next_budget)


def _blocks(chosen: Mapping[int, Priced]) -> list[list[Priced]]:
    """`chosen` in blocks of the same facts, best first."""
    blocks: dict[str, list[Priced]] = {}
    for place in _in_turn({place: one.entry.turn for place, one in sorted(chosen.items())}):
        blocks.setdefault(chosen[place].facts, []).append(chosen[place])
    return list(blocks.values())


def _in_turn(turns: Mapping[int, tuple[int, int] | None]) -> list[int]:
    """The places of `turns`, best first, each followed and preceded by the turns beside it in its session."""
    by_turn = {turn: place for place, turn in reversed([*turns.items()]) if turn is not None}
    arranged: dict[int, None] = {}
    for place, turn in turns.items():
        if place in arranged:
            continue
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


def _render(blocks: Iterable[Sequence[Priced]], form: Form, nonce: str) -> Iterator[str]:
    first = 1
    for block in blocks:
        alone, last = len(block) == 1, first + len(block) - 1
        yield form.head(block[0].facts, first, last, nonce)
        yield form.between.join(form.entry(one.entry, None if alone else n) for n, one in enumerate(block, first))
        first = last + 1


def _first_fitting(texts: Sequence[str], max_tokens: int) -> str:
    return next((text for text in texts if estimate(text) <= max_tokens), "")
