"""Words of scripts that put no spaces between them, taken apart as far as that goes without a dictionary."""

import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple

from .tokenize import is_unspaced

# What asks or joins, and names nothing: Chinese, Japanese, Korean, Thai. Single characters that stand in many other
# words count only at the edge of what is written in another way, or behind two others.
_FUNCTION: Final = (
    "是?什么时候|是?什麼時候|是什么|是什麼|为什么|為什麼|怎么样|怎麼樣|有没有|什么|什麼|怎么|怎麼|如何|哪里|哪裡|哪裏|在哪|哪儿"
    "|哪个|哪些|是?多少|几个|是谁|是誰|为何|是否|可以|我们|你们|他们|请问|告诉|我?想知道|(?<=..)的(?=..)|(?<=..)[吗嗎呢吧]$"
    "|[0-9]{1,4}[年月日号]"
    "|何時|何処|何人|何|誰|教えて|でしょうか|でしょう|でした|です|ました|ません|ますか|ます|している|していた|しています"
    "|しました|します|したい|してもいい|してもよい|して|した|する|ください|について|とは|から|まで|より|さん|いつ|どこ|だれ|どう|なぜ"
    "|いくら|どれ|どの|なに|(?<=[^ぁ-ゖ])[はがをにでともへやかの](?=[^ぁ-ゖ]|$)|(?<=.)[はがをにのかね](?=[^ぁ-ゖ]|$)"
    "|(?<=[^ぁ-ゖ])[はがをにのか](?=いつ|どこ|だれ|どう|なぜ|なに)"
    "|어디(?:에서?)?|언제|무엇|누구|어떻게|얼마|입니까|습니까|인가요|있나요|있습니[다까]|있는|있다|있어|[합됩]니[다까]"
    "|뭐예요|뭐야|뭔가요|뭔지|알려줘|알려주세요|예요|이에요|입니다|(?<=..)(?:에서|으로|까지|부터)$"
    "|(?<=..)[은는이가을를에의도로와과]$"
    "|อะไร|ที่ไหน|เมื่อไหร่|เมื่อไร|อย่างไร|ทำไม|ใคร|เท่าไหร่|เท่าไร|และ|คือ|เป็น|ของ|หรือ|ไหม"
)
_SHORTEST: Final = 2
_CROSSING: Final = 0.4
_EDGE: Final = 0.2
_JOINT: Final = 0.1


class Pair(NamedTuple):
    """A term of a run, and what share (0-1) of the weight of a word it has in a verdict.

    `stretch` is the same for those that are parts of one word, as far as one can tell; None where it names nothing.
    """

    term: str
    share: float
    stretch: int | None


def take_apart(typed: str, terms: Sequence[str], known: Container[str]) -> list[Pair]:
    """The `terms` of a run, pairs of neighbouring characters, in order; the store holds those that are `known`.

    An unknown pair beside a known one mostly is the end of one word and the beginning of the next. One whose
    characters are in no known pair is a word that no memory holds, or a part of it.
    """
    function = _function(typed)
    places = [*_places(typed, terms)]
    naming = [not any(function[start:end]) for _, start, end in places]
    sure = [names and term in known for names, (term, _, _) in zip(naming, places, strict=True)]
    found: list[Pair] = []
    stretch = 0
    for number, (term, start, end) in enumerate(places):
        share = 1.0
        if not naming[number]:
            share = _JOINT if all(function[start:end]) else _EDGE
        elif not sure[number] and any(sure[max(0, number - 1) : number + 2]):
            share = _CROSSING
        stretch += share < 1.0
        found.append(Pair(term, share, stretch if share == 1.0 else None))
    return found


def words_in(typed: str, terms: Sequence[str], held: Container[str], *, lacking: bool = False) -> list[str]:
    """The parts of a run that its `held` terms make up, function words left out; with `lacking` the other parts."""
    function, covered = _function(typed), bytearray(len(typed))
    for term, start, end in _places(typed, terms):
        if term in held:
            covered[start:end] = b"\1" * (end - start)
    wanted = [not own and bool(mark) is not lacking for own, mark in zip(function, covered, strict=True)]
    groups = groupby(range(len(typed)), key=wanted.__getitem__)
    found = ["".join(typed[at] for at in places) for is_wanted, places in groups if is_wanted]
    return [word for word in found if len(word) >= min(_SHORTEST, len(typed))]


def shown_of(typed: str, terms: Sequence[str], held: Container[str]) -> list[str]:
    """What to show of a run of which a memory has the `held` terms: words, else what they are of function words."""
    words = words_in(typed, terms, held)
    return words or [term for term, _, _ in _places(typed, terms) if term in held]


@cache
def _function_words() -> re.Pattern[str]:
    return re.compile(_FUNCTION)  # which takes a while, and most queries have no run


def _function(typed: str) -> bytearray:
    """Which characters are of function words: 1, else 0."""
    marks = bytearray(len(typed))
    for match in _function_words().finditer(typed):
        marks[match.start() : match.end()] = b"\1" * len(match[0])
    return marks


def _places(typed: str, terms: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    start = 0
    for term in terms:
        at = typed.find(term, start)
        if at >= 0:
            start, end = at, at + len(term)
            while not is_unspaced(term) and end < len(typed) and not is_unspaced(typed[end]):
                end += 1  # what the stemmer took away
            yield term, at, end
