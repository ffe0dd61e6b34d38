"""The two blocks of a brief as Markdown, every stored line marked as such."""

from collections.abc import Sequence
from dataclasses import dataclass

from .render import OPENING, close_fence, open_fence, visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One memory in a block: what is known of it, in our words, and its text."""

    facts: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block: its heading, how its notes are to be taken, how many there are in all, and how to get the rest."""

    heading: str
    meaning: str
    more: str
    lines: Sequence[Line]
    total: int
    opening: str = OPENING


def render_brief(blocks: Sequence[Block], nonce: str, nothing: str) -> str:
    """Give `blocks` as Markdown; `nothing` says why when there is no block with anything in it."""
    filled = [block for block in blocks if block.total]
    if not filled:
        return visible(nothing) + "\n"
    return "\n".join(_render(block, nonce) for block in filled)


def _render(block: Block, nonce: str) -> str:
    shown = len(block.lines)
    more = f" {block.more}" if shown < block.total else ""
    head = f"{block.heading} ({shown} of {block.total})\n{block.meaning}{more}\n\n"
    notes = "".join(_note(line, number, nonce) for number, line in enumerate(block.lines, 1))
    return f"{head}{open_fence(nonce, opening=block.opening)}{notes}{close_fence(nonce)}"


def _note(line: Line, number: int, nonce: str) -> str:
    stored = "".join(f"| {visible(text)}\n" for text in line.text.split("\n"))
    return f"[{nonce} #{number}] {visible(line.facts)}\n{stored}"
