"""Text to terms: words of every script, identifiers whole and split, stems, bigrams where no spaces are written."""

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

import Stemmer

from .forms import FORMS
from .prefixes import bare, one_spelling
from .stopwords import COMMON_BY_SCRIPT, DEFAULT_LANGUAGE, STOPWORDS, guess_language

_JOINERS: Final = r"._\-/:@\\'"


def _words_of(letters: str) -> re.Pattern[str]:
    """What counts as one word when `letters` (the inside of a character class) are its letters.

    Of most words the next character tells that they end there, which is quicker than to try what may follow.
    """
    return re.compile(rf"[{letters}]+(?:(?![{_JOINERS}+#])|(?:[{_JOINERS}]{{1,3}}[{letters}]+)*(?:\+\+|#)?)")


_PLAIN: Final = _words_of(r"\w")
_SCRIPTS_WITH_MARKS: Final = "\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u20d0-\u20ff\ua66f-\uabff\U00010a00-\U0001e94a"
_NEEDS_MARKS: Final = re.compile(f"[{_SCRIPTS_WITH_MARKS}]")
_JOINING: Final = "\u200c\u200d"
# All that may be in a word beside letters where marks are needed.
_MARKED: Final = re.compile(f"[{_SCRIPTS_WITH_MARKS}{_JOINING}\ufe20-\ufe2f]")
_JOINED: Final = re.compile(rf"[{_JOINERS}]")
_SEGMENTS: Final = re.compile(r"[/\\:@]+")
_PIECES: Final = re.compile(r"[._\-']+")
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^0-9A-Z]+|[0-9]+")
_HAS_HUMPS: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[0-9][^\W0-9_]|[^\W0-9_][0-9]")
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS: Final = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED: Final = re.compile(f"[{_UNSPACED}]")
_CLITIC: Final = re.compile(r"'(?:s|re|ve|ll|d|m)\Z", re.IGNORECASE)
_VERSION: Final = re.compile(r"v[0-9]+[.][0-9.]+")
# Typographic forms that NFKC leaves as they are, and invisible characters that stand inside words. The blessing that is
# one character becomes its usual short form: NFKC writes 18 letters for it, which join the name before it.
_QUOTES: Final = str.maketrans(
    {"’": "'", "ʼ": "'", "‐": "-", "‑": "-", "\xad": None, "\u200b": None, "\ufdfa": " صلعم "}
)
_QUOTED: Final = re.compile("[’ʼ‐‑\xad\u200b\ufdfa]")
_FOLDED: Final = str.maketrans({"ı": "i", "ё": "е", "ø": "o", "ł": "l", "đ": "d"})
# Scripts whose language has a Snowball stemmer; Latin text is stemmed by the language that the caller guessed.
_SCRIPTS: Final = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
_KEEPS_MARKS: Final = ("russian", "hindi", "tamil", "armenian")
_LONGEST_STEMMED: Final = 40
_LONGEST_WHOLE: Final = 128
_GUESSED_FROM: Final = 200
_NO_FORMS: Final[dict[str, str]] = {}


def split_words(text: str) -> list[str]:
    """The words of `text` as written (compatibility forms and typographic quotes made plain), case kept.

    What is joined by `.`, `_`, `-`, `/`, `:`, `@`, a backslash or an apostrophe is one word: `src/api/auth.py:42`.
    """
    return _find_words(plain_form(text))


def split_pieces(text: str) -> list[str]:
    """`text` in pieces, in order, whose words (`words_of_piece`) are those of `split_words`.

    They are what stands between spaces, far quicker found than words, so that each of them is taken apart only once;
    of a text with marks the words themselves.
    """
    plain = plain_form(text)
    return plain.split() if plain.isascii() or not _MARKED.search(plain) else _find_words(plain)


def words_of_piece(piece: str) -> list[str]:
    """The words of one of `split_pieces`."""
    return _PLAIN.findall(piece) if piece.isascii() or not _MARKED.search(piece) else [piece]


def plain_form(text: str) -> str:
    """`text` with compatibility forms and typographic quotes made plain."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_QUOTES) if _QUOTED.search(text) else text)


def _find_words(plain: str) -> list[str]:
    marked = not plain.isascii() and _NEEDS_MARKS.search(plain)
    return (_with_marks() if marked else _PLAIN).findall(plain)


def terms(text: str, language: str | None = None) -> list[str]:
    """The terms of `text` in reading order, the whole form of an identifier before its parts, common words dropped.

    Latin text is stemmed by `language` (a Snowball name), which is guessed from the common words when not given.
    """
    words = split_words(text)
    known = language or guess_language(word.casefold() for word in words[:_GUESSED_FROM])
    return list(chain.from_iterable(word_terms(word, known) for word in words))


@lru_cache(maxsize=100_000)
def word_terms(word: str, language: str = DEFAULT_LANGUAGE) -> tuple[str, ...]:
    """The distinct terms of one word of `split_words`; none for a common word of `language`."""
    if word.isascii():
        return _spaced_terms(word, language)
    if not _IS_UNSPACED.search(word):
        return _spaced_terms(word, language)
    found: list[str] = []
    for run in _RUNS.findall(word):
        found += _bigrams(run) if _IS_UNSPACED.match(run) else _spaced_terms(run.strip("._-/:@\\'"), language)
    return tuple(found)


plain_terms: Final = word_terms.__wrapped__
"""`word_terms` without its cache, which serves queries: for who meets each word once."""


def _spaced_terms(word: str, language: str) -> tuple[str, ...]:
    stops = STOPWORDS.get(language, frozenset[str]())
    joined = _JOINED.search(word)
    if joined:
        if word.casefold() in stops:
            return ()
        word = without_clitic(word.strip("_"))
        joined = _JOINED.search(word)
    if not joined and not _HAS_HUMPS.search(word):
        folded = word.casefold()
        stemmed = "" if _is_common(folded, stops) else stem(folded, language)
        return (stemmed,) if stemmed else ()
    return tuple(dict.fromkeys(_identifier_terms(word, stops, language)))


def without_clitic(word: str) -> str:
    """`word` without the `'s` of an owner, or what is left of a verb (`'ve`) at its end."""
    return _CLITIC.sub("", word)


def _identifier_terms(word: str, stops: frozenset[str], language: str) -> list[str]:
    whole = fold_marks(word.casefold())
    found = [whole] if len(whole) <= _LONGEST_WHOLE else []
    if _VERSION.fullmatch(whole):
        return [whole, whole[1:]]
    for segment in _SEGMENTS.split(word):
        found += [fold_marks(segment.casefold())] if len(segment) <= _LONGEST_WHOLE else []
        for piece in _PIECES.split(segment):
            small = piece.casefold()
            if small.isdecimal():
                found += [small] if len(small) > 1 else []
                continue
            found.append("" if _is_common(small, stops) else stem(small, language))
            if _HAS_HUMPS.search(piece):
                humps = (hump.casefold() for hump in _HUMPS.findall(piece))
                found += [stem(hump, language) for hump in humps if len(hump) > 1 and hump not in stops]
    return [term for term in found if term]


def _is_common(folded: str, stops: Container[str]) -> bool:
    return folded in stops or (folded[:1] > "\u036f" and one_spelling(folded) in COMMON_BY_SCRIPT)


def stem(word: str, language: str = DEFAULT_LANGUAGE) -> str:
    """The stem of a case-folded `word`, or of the word it is a form of, accents folded; none where it has a digit."""
    first = word[:1]
    if first > "\u036f":
        word = bare(one_spelling(word)) if len(word) <= _LONGEST_STEMMED else word
        language = next((name for low, high, name in _SCRIPTS if low <= first <= high), "")
    stemmed = word = FORMS.get(language, _NO_FORMS).get(word, word)
    if language and len(word) <= _LONGEST_STEMMED and not any(map(str.isdigit, word)):
        stemmed = _stemmer(language).stemWord(word)
    return stemmed if language in _KEEPS_MARKS and first > "\u036f" and first != "ё" else fold_marks(stemmed)


def fold_marks(word: str) -> str:
    """`word` without the accents and points that people leave out when they type."""
    if word.isascii():
        return word
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", plain).translate(_FOLDED)


def is_unspaced(text: str) -> bool:
    """Whether `text` has letters of a script that puts no spaces between words."""
    return not text.isascii() and _IS_UNSPACED.search(text) is not None


def _bigrams(run: str) -> list[str]:
    """Pairs of neighbouring characters, each with its marks; the character itself when it stands alone."""
    clusters = _clusters().findall(run) if _NEEDS_MARKS.search(run) else run
    return [one + two for one, two in pairwise(clusters)] or list(clusters)


@lru_cache(maxsize=1)
def _marks() -> str:
    ranges = (range(0x300, 0x2100), range(0xA66F, 0xAC00), range(0xFE20, 0xFE30), range(0x11000, 0x12000))
    return "".join(c for c in map(chr, chain(*ranges)) if unicodedata.category(c)[0] == "M")


@lru_cache(maxsize=1)
def _with_marks() -> re.Pattern[str]:
    return _words_of(r"\w" + re.escape(_marks()) + _JOINING)


@lru_cache(maxsize=1)
def _clusters() -> re.Pattern[str]:
    return re.compile(f".[{re.escape(_marks())}]*", re.DOTALL)


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 0)
