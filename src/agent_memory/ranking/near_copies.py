"""Near-copies: memories that say the same in almost the same words. Differing facts are never folded.

Two texts are near-copies when they are equal but for case, spaces and punctuation, or when one has all words of the
other and few more (`SAME_SHARE`), none of which is a fact: a number, date, version, identifier, name or negation.
A replaced word is taken for a changed fact. Candidates are found by prefix filtering (Bayardo, Ma, Srikant:
Scaling Up All Pairs Similarity Search, 2007), so that the work does not grow with the square of the texts.
"""

import re
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Final

from .tokenize import is_unspaced, split_words

SAME_SHARE: Final = 0.9
_NOT_WORD: Final = re.compile(r"[\W_]+")
_SIGN: Final = re.compile(r"[-+<>=!~^%#$€£¥*/]+(?=\s*\d)|(?<=\d)\s*[%+°]|[<>=!]=|\+\+|#(?=\s|$)")
_FACTS: Final = frozenset(
    """
    no not never none nor without cannot neither nothing nobody nowhere kein keine keinen nicht nie ohne pas jamais sans
    rien ni sin nunca non mai senza não nunca sem niet geen zonder не нет ни без никогда
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday today tomorrow yesterday one two three four five six seven eight nine ten eleven
    twelve twenty thirty hundred thousand million first second third once twice half double before after until since
    only all every always on off up down if unless except longer former formerly ex stop stopped deprecated disabled
    """.split()
)


def fold(texts: Sequence[str]) -> list[int]:
    """For each of `texts`, best first, the place of the text that it is folded into: its own when it is kept."""
    normal = [_NOT_WORD.sub("", text.casefold()) + "|" + " ".join(_SIGN.findall(text)) for text in texts]
    words = [_words(text) for text in texts]
    rarity = _spread(found for found, _ in words)
    same: dict[str, int] = {}
    kept: dict[tuple[frozenset[str], str], list[int]] = {}
    places: list[int] = []
    for place, (key, (found, facts)) in enumerate(zip(normal, words, strict=True)):
        into = same.get(key)
        if into is None:
            prefix = _prefix(found, rarity)
            into = _copy_of(found, [kept.get((facts, word), []) for word in prefix], words)
            if into is None:
                into = place
                for word in prefix:
                    kept.setdefault((facts, word), []).append(place)
            same[key] = into
        places.append(into)
    return places


def _words(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """All words of `text`, folded, and those of them that are facts; none where no spaces are written."""
    if is_unspaced(text):
        return frozenset(), frozenset()
    raw = split_words(text)
    return frozenset(map(str.casefold, raw)), frozenset(word.casefold() for word in raw if _is_fact(word))


def _is_fact(word: str) -> bool:
    return not word.isalpha() or not (word.islower() or word.istitle()) or word.casefold() in _FACTS


def _spread(found: Iterable[frozenset[str]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for words in found:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return counts


def _prefix(words: frozenset[str], rarity: dict[str, int]) -> list[str]:
    """The rarest words, so many that a near-copy must share one of them."""
    size = len(words) - ceil(SAME_SHARE * len(words)) + 1
    return sorted(words, key=lambda word: (rarity[word], word))[: size if words else 0]


def _copy_of(
    words: frozenset[str], candidates: Iterable[Sequence[int]], known: Sequence[tuple[frozenset[str], frozenset[str]]]
) -> int | None:
    for place in (place for places in candidates for place in places):
        other = known[place][0]
        small, large = sorted((words, other), key=len)
        if len(small) >= SAME_SHARE * len(large) and small <= large:
            return place
    return None
