"""Near-copies: memories that say the same in almost the same words. Differing facts are never folded.

Two texts are near-copies when they have the same words in the same order, whatever their case, spaces and
punctuation, or when one is the other with few words more (at most 1 - `SAME_SHARE`), none of which is a fact: a number,
date, version, identifier, name or negation. A replaced word is taken for a changed fact. Candidates are found by prefix
filtering (Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, 2007): the work does not grow with the square.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, TypeVar
from unicodedata import normalize

from .listed import listed
from .tokenize import is_unspaced, split_words

Word = TypeVar("Word", str, int)

SAME_SHARE: Final = 0.9
# Signs that change what is said (`-5`, `>=`, `!ready`, `a * b`, `../b`, `%`, a tick or a cross), unlike punctuation; so
# does the case of a unit (`5M`, `5m`) and of a name that is a common word else.
_SIGN: Final = re.compile(
    r"""[^\w\s.,;:!?'"()\[\]{}\-_`*#|/\\~\u2010-\u2027\u3000-\u303f\uff00-\uff20]|-(?=\d)|\+\+|\#(?!\S)
    |(?<!\w)!(?=[\w=(])|(?<=\S[ ])[*/](?=[ ])|(?<![\w./~])(?:\.\.?|~)?/|/\*
    |(?<=\d)[A-Za-z]{1,3}(?!\w)|(?<!\w)(?:US|IT|WHO)(?!\w)""",
    re.VERBOSE,
)
_DIGITS: Final = re.compile(r"\d+")
_FACTS: Final = listed("""
    no not never none nor without cannot neither nothing nobody nowhere kein keine keinen nicht nie ohne pas jamais sans
    rien ni sin nunca non mai senza não nunca sem niet geen zonder не нет ни без никогда
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday today tomorrow yesterday one two three four five six seven eight nine ten eleven
    twelve twenty thirty hundred thousand million first second third once twice half double before after until since
    only all every always on off up down if unless except longer former formerly ex stop stopped deprecated disabled
    rarely seldom barely hardly scarcely mostly almost nearly sometimes usually previously originally unlikely allegedly
    avoid avoids refuse refuses reject rejects fail fails failed failing instead rather fewer less more least most minus
    wrong wrongly false falsely true kaum selten fast meist meistens früher statt weniger mehr falsch rarement presque
    moins plus faux plutôt raramente casi menos más falso
""")


@dataclass(frozen=True, slots=True)
class _Text:
    """A text's words in order (folded), the set of them, and its facts in order."""

    key: tuple[str, ...]
    words: tuple[str, ...]
    distinct: frozenset[str]
    facts: tuple[str, ...]


def fold(texts: Sequence[str]) -> list[int]:
    """For each of `texts`, best first, the place of the text that it is folded into: its own when it is kept."""
    places = list(range(len(texts)))
    for alike in _of_same_digits(texts):
        for place, into in zip(alike, _fold([_read(texts[place]) for place in alike]), strict=True):
            places[place] = alike[into]
    return places


def _of_same_digits(texts: Sequence[str]) -> list[list[int]]:
    """The places of texts with the same digits, where there are several: no others can be near-copies."""
    groups: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        plain = text if text.isascii() else normalize("NFKC", text)
        groups.setdefault("".join(_DIGITS.findall(plain)), []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def _fold(known: Sequence[_Text]) -> list[int]:
    rarity = _spread(text.distinct for text in known)
    same: dict[tuple[str, ...], int] = {}
    kept: dict[tuple[tuple[str, ...], str], list[int]] = {}
    places: list[int] = []
    for place, text in enumerate(known):
        into = same.get(text.key)
        if into is None:
            prefix = sorted(text.distinct, key=lambda word: (rarity[word], word))[: telling(len(text.words))]
            candidates = {other for word in prefix for other in kept.get((text.facts, word), ())}
            into = min((other for other in candidates if _are_copies(text, known[other])), default=place)
            same[text.key] = into
            for word in prefix if into == place else ():
                kept.setdefault((text.facts, word), []).append(place)
        places.append(into)
    return places


def _are_copies(one: _Text, other: _Text) -> bool:
    within = one.distinct <= other.distinct or one.distinct >= other.distinct
    return within and is_copy(one.words, other.words)


def _read(text: str) -> _Text:
    raw = split_words(text)
    words = tuple(map(str.casefold, raw))
    signs = signs_of(text)
    key = (*words, "", *signs) if words else (text,)
    if is_unspaced(text):
        return _Text(key, (), frozenset(), ())
    return _Text(key, words, frozenset(words), (*filter(is_fact, raw), *signs))


def signs_of(text: str) -> tuple[str, ...]:
    """The signs in `text` that change what is said."""
    return tuple(_SIGN.findall(text))


def is_fact(word: str) -> bool:
    """Whether `word` is more than a common word; where letters have no case, all are facts."""
    return not (word.isalpha() and word.islower()) or word in _FACTS


def _spread(found: Iterable[frozenset[str]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for words in found:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return counts


def telling(size: int) -> int:
    """How many of the rarest words of a text of `size` words a near-copy must share one of."""
    return size - ceil(SAME_SHARE * size) + 1


def is_copy(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether the longer of two texts is the other with few words more; the facts are compared apart from this."""
    short, long = sorted((one, other), key=len)
    if len(short) < SAME_SHARE * len(long):
        return False
    rest = iter(long)
    return all(word in rest for word in short)
