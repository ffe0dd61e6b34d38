"""Which words of a text are its own: those that fewest other memories hold."""

from collections.abc import Mapping
from typing import Final

from .query import Query, parse_query

_READ: Final = 2_000


def own_query(content: str) -> Query:
    """The beginning of `content`, taken apart as a query."""
    return parse_query(content[:_READ])


def rarest(query: Query, containing: Mapping[str, int], most: int) -> tuple[str, ...]:
    """The `most` words of `query` that fewest memories hold, as typed and in the order in which they stand there.

    `containing` tells how many memories hold a term. A word counts as its first term, which is its whole form; among
    equals the first words of the text, which say what it is about.
    """
    by_rarity = sorted(range(len(query.words)), key=lambda place: containing.get(query.words[place].terms[0], 0))
    return tuple(query.words[place].typed for place in sorted(by_rarity[:most]))
