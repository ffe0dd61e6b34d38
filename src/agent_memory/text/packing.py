"""Filling a token budget with memories, best first, and accounting for each one that did not get in."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    """The text to give to a model, its estimated tokens, and the ids that are in it and that are not.

    `next_budget` is a `max_tokens` at which the smallest memory left out would fit beside these; None when all fit.
    """

    markdown: str
    used: tuple[str, ...]
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

    What does not fit is passed over and smaller ones after it still get in. With nothing in it the pack says why:
    `empty_reason` when `entries` is empty, the budget otherwise; where even that has no room, the text is empty.
    """
    opening, closing = form.opening(nonce, heading, query), form.closing(nonce)
    frame = estimate(opening) + estimate(closing)
    blocks: list[str] = []
    used: list[str] = []
    dropped: list[Drop] = []
    spent, smallest = frame, None
    for entry in entries:
        block = form.entry(entry, len(used) + 1, nonce)
        cost = estimate(block)
        if spent + cost <= max_tokens:
            blocks.append(block)
            used.append(entry.id)
            spent += cost
        else:
            left = max(0, max_tokens - spent)
            dropped.append(Drop(entry.id, f"does not fit: needs {cost} of the {left} tokens left"))
            smallest = cost if smallest is None else min(smallest, cost)
    next_budget = None if smallest is None else spent + smallest
    if not used:
        reason = visible(empty_reason) if next_budget is None else f"No memory fits into {max_tokens} tokens."
        hint = "" if next_budget is None else f" Ask for {next_budget}."
        markdown = _first_fitting(form.empty(heading, reason, hint), max_tokens)
    else:
        markdown = "".join((opening, *blocks, closing))
    return Pack(markdown, tuple(used), tuple(dropped), estimate(markdown), next_budget)


def _first_fitting(texts: Sequence[str], max_tokens: int) -> str:
    return next((text for text in texts if estimate(text) <= max_tokens), "")
