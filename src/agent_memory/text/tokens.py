"""How many tokens a language model would count in a text, without a tokenizer and its megabytes of vocabulary."""

from collections.abc import Callable
from math import ceil

# The first byte of a UTF-8 sequence tells the script; one letter stands for each class, `.` for the rest of ASCII.
_CLASSES: tuple[tuple[bytes, int, int], ...] = (
    (b"\n", 0x09, 0x0D),
    (b" ", 0x20, 0x20),
    (b"0", 0x30, 0x39),
    (b"A", 0x41, 0x5A),
    (b"a", 0x61, 0x7A),
    (b"l", 0xC2, 0xCD),  # accented Latin, combining marks
    (b"g", 0xCE, 0xCF),  # Greek
    (b"c", 0xD0, 0xD3),  # Cyrillic
    (b"g", 0xD4, 0xD7),  # Armenian, Hebrew
    (b"r", 0xD8, 0xDF),  # Arabic
    (b"i", 0xE0, 0xE0),  # the scripts of India, Thai, Lao
    (b"x", 0xE1, 0xE1),  # Georgian, Ethiopic, Khmer
    (b"s", 0xE2, 0xE2),  # typographic punctuation, symbols
    (b"k", 0xE3, 0xE3),  # kana, CJK punctuation
    (b"h", 0xE4, 0xE9),  # Han
    (b"H", 0xEA, 0xED),  # Hangul, surrogates
    (b"f", 0xEE, 0xEF),  # full-width forms, variation selectors
    (b"e", 0xF0, 0xF4),  # emoji, rare Han
)
# What tokenizers take together weighs less than its characters do: runs of punctuation, of capitals and of line ends.
# No pair takes off more than its last character adds, so that a longer text never weighs less.
_SHAPE_WEIGHTS = (
    *((b"A", 0.27), (b"0", 0.65), (b".", 0.63), (b"\n", 0.86), (b"aA", 0.99), (b"  ", 0.1), (b"a" * 12, 1.18)),
    *((b"AA", -0.25), (b"..", -0.5), (b"\n\n", -0.5)),
)
_START_WEIGHTS = ((b" a", 0.76), (b" 0", 1.08), (b"0a", 0.76))
_LETTER_WEIGHT = 0.09
# Spaces weigh least, 0.1 a pair: a longer text than this many characters a token is over its limit, uncounted.
MOST_CHARACTERS_A_TOKEN = 20
_SCRIPT_WEIGHTS = (
    *((b"l", 4.5), (b"g", 1.2), (b"c", 0.5), (b"r", 0.95), (b"i", 1.35), (b"x", 2.3)),
    *((b"s", 1.0), (b"k", 1.1), (b"h", 1.38), (b"H", 1.1), (b"f", 1.3), (b"e", 3.5)),
)


def _class_table() -> bytes:
    table = bytearray(b"." * 256)
    for name, low, high in _CLASSES:
        table[low : high + 1] = name * (high - low + 1)
    return bytes(table)


_CLASS_OF_BYTE = _class_table()
_CONTINUATION = bytes(range(0x80, 0xC0))
_NOT_LOWER = bytes(set(_CLASS_OF_BYTE) - set(b"a"))
_WORDS_ONLY = bytes.maketrans(b"A.\n", b"a  ")


def estimate(text: str) -> int:
    """Estimate the tokens of `text`: 0 when empty, never 0 when not blank, and never less after appending.

    A weighted count of letters, word starts, digits, punctuation and script bytes. The weights were fitted to stay
    slightly above the larger of the cl100k and o200k counts (English, German, Chinese, code: 1.02 to 1.15 times it).
    """
    return ceil(weigh(text))


def weigh(text: str) -> float:
    """Estimate as `estimate` does, before it rounds up: for what is one line of many."""
    shape = b" " + text.encode("utf-8", "surrogatepass").translate(_CLASS_OF_BYTE, _CONTINUATION)
    total = _LETTER_WEIGHT * len(shape.translate(None, _NOT_LOWER))
    total += _count(shape.count, _SHAPE_WEIGHTS) + _count(shape.translate(_WORDS_ONLY).count, _START_WEIGHTS)
    if not text.isascii():
        total += _count(shape.count, _SCRIPT_WEIGHTS)
    return total


def _count(count: Callable[[bytes], int], weights: tuple[tuple[bytes, float], ...]) -> float:
    return sum([count(pattern) * weight for pattern, weight in weights])
