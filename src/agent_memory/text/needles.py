"""What to look for in a text, so that neither many words nor long texts make that slow."""

from collections.abc import Iterable
from typing import Final

# Far over what usual texts and questions come to: so many are looked for in any text, or more while their number times
# the characters of the text stays below so many.
_ALWAYS: Final = 32
_LOOKS: Final = 4_000_000


def chosen(needles: Iterable[str], length: int) -> list[str]:
    """The `needles`, once in any case; the longest of them where there are too many for a text of this `length`."""
    distinct = {needle.casefold(): needle for needle in needles if needle.strip()}
    longest = sorted(distinct, key=lambda needle: (-len(needle), needle))[: max(_ALWAYS, _LOOKS // max(1, length))]
    return [distinct[needle] for needle in longest]
