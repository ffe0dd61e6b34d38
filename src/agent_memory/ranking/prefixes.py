"""Words of Hebrew and Arabic letters without what is written in front of them, and in one spelling."""

import re
from typing import Final

_HEBREW: Final = re.compile("[והבל](?=[א-ת]{3})")
_ARABIC: Final = re.compile("(?:[وفبك]?ال|لل)(?=[^\\W\\d_]{3})")
_ONE_SPELLING: Final = str.maketrans("یک", "يك")


def one_spelling(word: str) -> str:
    """`word` with the letters of Persian as the Arabic ones that people type for them."""
    return word.translate(_ONE_SPELLING) if "\u0600" <= word[:1] <= "\u06ff" else word


def bare(word: str) -> str:
    """`word` without articles, prepositions and conjunctions that are written in one with it.

    Of Hebrew, every letter that mostly is one (and, the, in, to) goes while three are left: that takes some that belong
    to the word, but the same ones in each of its forms.
    """
    if "\u0590" <= word[:1] <= "\u05ff":
        while found := _HEBREW.match(word):
            word = word[found.end() :]
        return word
    if "\u0600" <= word[:1] <= "\u06ff":
        found = _ARABIC.match(word)
        return word[found.end() :] if found else word
    return word
