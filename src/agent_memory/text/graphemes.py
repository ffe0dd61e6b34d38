"""Where a text may be cut without breaking what a reader sees as one character."""

from unicodedata import category

_ZWJ, _ZWNJ = "\u200d", "\u200c"
_VISIBLE_CONTROLS = ("Cc", "Zl", "Zp")


def is_boundary(text: str, at: int, known: int = 0) -> bool:
    """Tell whether `text` may be cut before the code point `at`; `known` is a boundary before it, if one is known.

    Follows the extended grapheme clusters of Unicode (UAX 29) but for prefix signs and conjuncts, and keeps the two
    halves of a surrogate pair together.
    """
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if category(before) in _VISIBLE_CONTROLS:
        return True
    if _extends(after) or (before == _ZWJ and category(after) == "So" and not _is_flag_letter(after)):
        return False
    if _is_flag_letter(before) and _is_flag_letter(after):
        return _flag_letters_before(text, at, known) % 2 == 0
    return not (_is_surrogate_pair(before, after) or _is_one_syllable(before, after))


def floor(text: str, at: int, lowest: int = 0) -> int:
    """Give the last boundary at or before `at`, at least `lowest` (itself a boundary)."""
    while at > lowest and not is_boundary(text, at, lowest):
        at -= 1
    return at


def ceiling(text: str, at: int, known: int = 0) -> int:
    """Give the first boundary at or after `at`; `known` is a boundary before it, if one is known."""
    while not is_boundary(text, at, known):
        at += 1
    return at


def _extends(char: str) -> bool:
    if char < "\u0300":
        return False
    skin_or_tag = "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"
    return char in (_ZWJ, _ZWNJ) or skin_or_tag or category(char)[0] == "M" or char in "\u0e33\u0eb3\uff9e\uff9f"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_letters_before(text: str, at: int, known: int) -> int:
    start = at
    while start > known and _is_flag_letter(text[start - 1]):
        start -= 1
    return at - start


def _is_surrogate_pair(before: str, after: str) -> bool:
    return "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"


def _is_one_syllable(before: str, after: str) -> bool:
    """Hangul written in parts: a leading consonant, then vowels, then trailing consonants."""
    leading, vowel = "\u1100" <= before <= "\u115f", "\u1160" <= before <= "\u11a7"
    trailing, whole = "\u11a8" <= before <= "\u11ff", "\uac00" <= before <= "\ud7a3"
    open_whole = whole and (ord(before) - 0xAC00) % 28 == 0
    if "\u1100" <= after <= "\u115f" or "\uac00" <= after <= "\ud7a3":
        return leading
    if "\u1160" <= after <= "\u11a7":
        return leading or vowel or open_whole
    return "\u11a8" <= after <= "\u11ff" and (vowel or trailing or whole)
