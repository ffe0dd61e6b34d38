"""Whether a value that a text calls a secret may be one, or is a word, a name in code, a date or a placeholder."""

import re
from typing import Final

_PLACEHOLDER: Final = re.compile(
    r"(?i)\.\.\.|\*\*\*|xxxx|0000000|1234567890|…|<|\$\{|\{\{|%\(|\$\(|#\{|example|placeholder|redacted|your[_-]|^your|"
    r"^my[_-]|dummy|sample|changeme|change[_-]me|insert|replace|todo|process\.env|os\.environ|getenv|env\.|secrets\.|"
    r"vault:|^\$[A-Za-z_]|^%[A-Za-z_]+%|^@\w+$|^\[redacted|^test[_-]?(?:key|token|secret|password)|^fake"
)
_ALGORITHM: Final = re.compile(
    r"(?i)(?:sha|md|aes|rsa|hs|rs|es|ps|utf|base|oauth|argon|pbkdf|bcrypt|http|ed|x|ipv|v|p|s|k8s|ec|ecdsa|iso|rfc|"
    r"python|py|node|java|go|php|win|mp|log4j|web|tls|ssl|scrypt|pkcs|pem|type|step|part|level|version|line|page|tier|"
    r"day|week|phase|stage|issue|ticket|bug|pr|jira|option|field|column|key|item|user|index|arg|param|var|str|int|"
    r"float|uint|char|vec)[-_./#]?\d[\d.x_-]*(?:[-_][a-z]{1,12})?"
)
_NAME: Final = re.compile(r"[a-z_$][\w$]*(?:(?:\.|::|->)[a-z_$][\w$]*)*", re.IGNORECASE)
_NAME_OF_ONE: Final = re.compile(
    r"(?i)[a-z_.-]*(?:pass(?:word|wd|phrase)?|token|secret|key|pwd|login|user)[\d_.-]{0,4}"
)
_ENDS: Final = "\"'`.,;:!?)]}>*”’»“„」』"
_DATE: Final = re.compile(r"[\dTZ:./+-]+")
_RATIO: Final = re.compile(r"(?i)\d+(?:[-.]\d+)*[-_]?[a-z%]{1,12}(?:[-/][a-z]+)*")
_PATH: Final = re.compile(r"(?:[\w.~-]*/){1,}[\w.-]*|[a-z]+://.*|[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,5})", re.IGNORECASE)
_UUID: Final = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64}")
_TOKEN_WORDS: Final = re.compile(r"(?i)token|key|secret|cred|密钥|令牌|トークン")


def trim(value: str) -> str:
    """`value` without what closes it: the first quote behind it, and the punctuation of its sentence."""
    for mark in "\"'`,;":
        value = value.partition(mark)[0]
    if "\\n" in value:
        value = value.partition("\\n")[0]
    return value.rstrip(_ENDS)


def believable(kind: str, name: str, value: str) -> bool:
    """Whether `value`, said to be a secret by text that reads `name`, may be one."""
    if kind in _OF_DIGITS:
        return _counts(kind, value)
    value = value[:_JUDGED]
    if len(value) < _SHORTEST or _PLACEHOLDER.search(value) or len(set(value)) < _FEW_SIGNS:
        return False
    if kind == "structured_secret" and (len(value) < _SHORTEST_KEY or _NAME_OF_ONE.fullmatch(value)):
        return False
    if kind == "connection_url":
        return not re.fullmatch(r"(?i)pass(?:word|wd)?|pwd|secret|user(?:name)?|pw|token|\d+", value)
    return not _is_another_thing(value) and _fits(kind, name, value)


def _counts(kind: str, value: str) -> bool:
    """Whether digits may be a secret: not counted up, not all the same, no day."""
    if kind == "numeric_secret":
        return len(set(value)) > _FEW_DIGITS and value not in _COUNTED
    return sum(map(str.isdigit, value)) >= _CODE_DIGITS and not _DAY.fullmatch(value) and value not in _COUNTED


def _is_another_thing(value: str) -> bool:
    return (
        not any(map(str.isalpha, value))
        or _DATE.fullmatch(value) is not None
        or _ALGORITHM.fullmatch(value) is not None
        or _RATIO.fullmatch(value) is not None
    )


def _fits(kind: str, name: str, value: str) -> bool:  # noqa: PLR0911  # a list of rules
    """Whether `value` looks as what is claimed so: the weaker the words around it, the odder it must be."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    signs = len(value) - digits - letters
    cased = value not in (value.lower(), value.upper())
    if kind in ("authorization_header", "address_token", "command_line_secret"):
        return bool(digits or cased) and not _code_like(value.rstrip("=")) and not _word_like(value)
    if kind == "curl_user":
        return bool(digits or cased) and not _code_like(value)
    if _code_like(value.rstrip("=")) or _PATH.fullmatch(value) or _word_like(value):
        return False
    if kind == "used_secret":
        return bool(digits) and bool(signs or cased) and not _UUID.fullmatch(value)
    if kind == "login_pair":
        return bool(digits)
    if _TOKEN_WORDS.search(name):
        return len(value) >= _SHORTEST_KEY and (digits > 1 or (cased and len(value) >= _LONG_KEY))
    odd = any(sign in value.strip("-_.") for sign in "!@#$%^&*+=?~|")
    return bool(digits) or (odd and cased) or _scrambled(value)


def _code_like(value: str) -> bool:
    """Whether `value` is an expression of a programming language."""
    return any(sign in value for sign in ("(", "[", "{", "::", "->", "=>", "==", "&&", "||", "</", "//")) or (
        "." in value and _NAME.fullmatch(value) is not None and not any(map(str.isdigit, value))
    )


def _scrambled(value: str) -> bool:
    """Whether `value` is a run of letters whose capitals stand where no words begin."""
    pieces = [piece for piece in _PARTED.split(value) if piece]
    return value.isalpha() and len(value) >= _LONG_LETTERS and len(value) < _SHORT_PIECES * len(pieces)


def _word_like(value: str) -> bool:
    """Whether `value` is made of words, parted by signs or capitals, with at most a number behind each."""
    pieces = [piece for piece in _PARTED.split(value) if piece]
    if not pieces[1:] or len(value) < _WORD_LENGTH * len(pieces):
        return False
    return all(_PIECE.fullmatch(piece) for piece in pieces)


_PARTED: Final = re.compile(r"[-_./:,]|(?<=[a-z])(?=[A-Z])")
_PIECE: Final = re.compile(r"[A-Za-z]+\d{0,3}|\d{1,2}[A-Za-z]?")
_WORD_LENGTH: Final = 4.5
_LONG_LETTERS: Final = 12
_SHORT_PIECES: Final = 3.0
_JUDGED: Final = 64
_SHORTEST: Final = 6
_FEW_SIGNS: Final = 5
_FEW_DIGITS: Final = 2
_OF_DIGITS: Final = ("numeric_secret", "recovery_code")
_CODE_DIGITS: Final = 3
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_COUNTED: Final = "01234567890123456789"
_SHORTEST_KEY: Final = 8
_LONG_KEY: Final = 24
