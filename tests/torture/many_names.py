"""Very many store ids, near each other, long and in every script: no two of them share a storage name."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import numpy as np

from agent_memory.store.names import storage_name

from .checks import Violation

LEGAL: Final = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
LONGEST: Final = 63
KINDS: Final = (
    ("", "0123456789"),
    ("", "ab"),
    ("acme~", "aAbB"),
    ("a" * 199, "-_ ~."),
    ("x", " \t\n\r"),
    ("", "项目案"),
    ("проект", "еeаaоo"),
    ("", "\u200b\u200d\u2060\ufeff"),
    ("ﬁle", "ﬁiıİI"),
    ("Å", "åøæ"),
    ("\U0001f600", "\U0001f468\U0001f469\U0001f467"),
    ("..", "/\\:*?"),
)
"""How ids are made: what all ids of a kind begin with, and the characters that count the rest."""


def spelt(number: int, alphabet: str) -> str:
    """`number` written with the characters of `alphabet`, another text for each number."""
    text = ""
    while True:
        number, place = divmod(number, len(alphabet))
        text += alphabet[place]
        if number == 0:
            return text
        number -= 1


def near_equal(count: int) -> Iterator[str]:
    """So many ids, no two of them the same text; those of a kind differ in a few look-alike characters at the end."""
    for number in range(count):
        index, kind = divmod(number, len(KINDS))
        prefix, alphabet = KINDS[kind]
        yield f"{prefix}{kind:x}{spelt(index, alphabet)}"


def names_apart(count: int) -> int:
    """Raise a Violation where two of `count` ids share a name, or a name is not legal; the number of names.

    Of each name 64 bits of a hash are kept, 8 bytes an id. Two different names share them with a probability of
    3 in a million at 10,000,000 ids, and would be reported.
    """
    prints = np.empty(count, dtype=np.uint64)
    for place, store_id in enumerate(near_equal(count)):
        name = storage_name(store_id)
        if len(name) > LONGEST or not LEGAL.fullmatch(name):
            raise Violation("I9", f"{store_id!r} has the name {name!r}")
        prints[place] = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())
    prints.sort()
    shared = int(np.count_nonzero(prints[1:] == prints[:-1]))
    if shared:
        raise Violation("I9", f"{shared} of {count} ids share a name with another one")
    return count


def different_texts(count: int) -> int:
    """How many different texts, in NFC, the first `count` ids are."""
    return len({unicodedata.normalize("NFC", store_id) for store_id in near_equal(count)})
