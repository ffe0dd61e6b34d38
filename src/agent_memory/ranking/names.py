"""Names in a query that mean one thing only: a ticket, a file, a function, an address."""

import re
from typing import Final

from .query import Word

# A letter first: "2nd", "10am" and "30s" are no names.
_WITH_NUMBER: Final = re.compile(r"[^\W\d_].*\d", re.DOTALL)
_JOINED: Final = re.compile(r"[_.:@\\]|/.*/", re.DOTALL)
_PIECES: Final = re.compile(r"[._\-']")
_SCHEMES: Final = frozenset(("http", "https", "www"))
_SHORTEST: Final = 2


def named_by(word: Word) -> tuple[str, ...]:
    """The terms a memory must hold, all of them, to say what `word` names in another form; none where it is no name.

    Names are what has a number behind a letter (`SHOP-1234`), a path, what is joined by `_`, `.`, `:` or `@`, and what
    capitals divide. Words that a hyphen, an apostrophe or one slash joins are words.
    """
    if word.unspaced or len(word.terms) < _SHORTEST:
        return ()
    # Where only capitals divide it, nothing joins its parts; `typed` has lost the capitals.
    plain = word.typed.isalpha()
    if not (plain or _WITH_NUMBER.match(word.typed) or _JOINED.search(word.typed)):
        return ()
    parts = [term for term in word.terms[1:] if term not in _SCHEMES and not _PIECES.search(term)]
    leaves = tuple(one for one in parts if not any(one != other and one.startswith(other) for other in parts))
    return leaves if any(len(leaf) >= _SHORTEST for leaf in leaves) else ()
