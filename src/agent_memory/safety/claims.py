"""Secrets that are recognised by what is said about them: `password = …`, `the API key is …`, headers, addresses.

Their forms are free, so each value is judged: what looks like a word, a name in code or a placeholder is none.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

_VALUE: Final = r"(?P<value>[!-~]{6,256})"
_QUOTE: Final = r"\\?[\"'`*“”‘’«»„「『]{0,3}"
_SECRET_WORD: Final = (
    r"pass(?:word|wort|wd|phrase|code|key|e)?s?|pwd|pw|kennwort|senha|contrase[nñ]as?|has[lł]o|парол[ьяюи]|密[码碼钥]|口令|"
    r"令牌|パスワード|暗証番号|トークン|비밀번호|secret(?:[\s_.-]?(?:access[\s_.-]?)?key)?s?|token|key|"
    r"cred(?:ential)?s?"
)
_OF_KEY: Final = re.compile(
    r"(?i)(?:api|access|auth|secret|private|encrypt(?:ion)?|sign(?:ing)?|shared|service|licen[cs]e|master|storage|account|"
    r"deploy|admin|app|application|client|session|webhook|ssh|hmac|cipher|crypto|integration|project|consumer)[\s_.-]?$"
)
_IN_ADDRESS: Final = re.compile(r"[?&#;][\w-]{0,24}$")

_ASSIGNED: Final = rf"(?i)(?:{_SECRET_WORD})[\"'`\]*_]{{0,3}}[ \t]{{0,4}}(?:=>|:=|=|:|：)[ \t]{{0,4}}{_QUOTE}{_VALUE}"
_TOLD: Final = (
    rf"(?i)(?:{_SECRET_WORD})(?:[ \t]+\(?[\w.@'/\\-]{{1,30}}\)?){{0,5}}?[ \t,]{{0,3}}"
    r"(?:\b(?:is|was|are|be|to|lautet|ist|heißt|war|est|era|es|é|è|это)\b(?:[ \t]+(?:now|still|set to|jetzt|just))?"
    rf"|是|为|為|は|：|:|=|->|→|[–—-])\s{{0,4}}{_QUOTE}{_VALUE}"
)
_USED: Final = rf"(?i)(?:{_SECRET_WORD})[ \t]{{1,3}}{_QUOTE}(?P<value>[!-~]{{8,256}})"
_IN_QUERY: Final = r"(?i)(?:token|key|secret|password|passwd|auth|signature|sid)=(?P<value>[\w.~+/%-]{12,2048})"
_LOGIN: Final = (
    r"(?i)(?:log(?:in|s|ged)?(?:[ -]?in)?|sign in|cred(?:ential)?s?)\b"
    r"(?:[ \t]+(?:is|are|as|with|for|[\w.-]{1,30})){0,4}?[: \t]{1,3}[\w.@+-]{2,64}[ \t]{0,2}(?:/|:|\band\b)[ \t]{0,2}"
    r"[\"'`]?(?P<value>[!-~]{6,128})"
)
_CURL: Final = r"(?i)curl\b[^\n]{0,200}?[ \t](?:-u|--user)[ =]?[\"']?[\w.@+-]{1,64}:(?P<value>[!-~]{6,128})"
_FLAG: Final = (
    r"(?i)--[a-z-]{0,20}(?:password|passphrase|passwd|pwd|pass|token|secret|api-?key|auth-?key|access-?key)[= \t]"
    rf"[\"'`]?{_VALUE}"
)
_SHORT_FLAG: Final = r"(?i)(?:sshpass[ \t]+-p[ \t]*|mysql(?:dump)?\b[^\n]{0,120}?[ \t]-p)[\"'`]?(?P<value>[!-~]{6,256})"
_HEADER: Final = (
    r"(?i)(?:authorization[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?(?:(?:bearer|basic|token|digest|apikey)\s{1,3})?|bearer\s{1,3}"
    r"|x-[a-z-]{0,24}(?:key|token|secret|auth)[\"'`]?\s{0,3}[:=,]\s{0,3}"
    r"|cookie[\"'`]?\s{0,3}[:=]\s{0,3}[^\n]{0,200}?(?:sess|sid|token|auth|jwt)[\w.-]{0,20}=)"
    r"[\"'`]?(?P<value>[\w.~+/%-]{12,4096}={0,2})"
)
_USERINFO: Final = r"://[^\s:/@\"'<>]{0,128}:(?P<value>[^\s/@\"'<>]{3,256})@[^\s/\"'<>)\]]"


class Claim(NamedTuple):
    """A way to say that something is a secret; `pattern` is tried where one of `marks` (lower case) stands.

    `before`: what the text in front of the mark must end with.
    """

    name: str
    marks: tuple[str, ...]
    pattern: str
    before: re.Pattern[str] | None = None


_WORDS: Final = ("pass", "pwd", "pw", "secret", "token", "cred", "kennwort", "senha", "contrase", "haslo")
_FOREIGN: Final = ("hasło", "парол", "密", "口令", "令牌", "パスワード", "暗証", "トークン", "비밀번호")
_EXPECTED: Final = ("token=", "key=", "secret=", "password=", "passwd=", "auth=", "signature=", "sid=")
CLAIMS: Final = (
    Claim("address_token", _EXPECTED, _IN_QUERY, _IN_ADDRESS),
    Claim("connection_url", ("://",), _USERINFO),
    Claim("authorization_header", ("authorization", "bearer", "x-", "cookie"), _HEADER),
    Claim("command_line_secret", ("--",), _FLAG),
    Claim("command_line_secret", ("sshpass", "mysql"), _SHORT_FLAG),
    Claim("login_pair", ("log", "sign in", "cred"), _LOGIN),
    Claim("curl_user", ("curl",), _CURL),
    Claim("assigned_secret", (*_WORDS, *_FOREIGN), _ASSIGNED),
    Claim("assigned_secret", ("key",), _ASSIGNED, _OF_KEY),
    Claim("told_secret", (*_WORDS, *_FOREIGN), _TOLD),
    Claim("told_secret", ("key",), _TOLD, _OF_KEY),
    Claim("used_secret", _WORDS, _USED),
    Claim("used_secret", ("key",), _USED, _OF_KEY),
)


def claimed(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Each secret that `text` claims: its kind, where the claim begins, and where the value stands."""
    folded = text.lower()
    if len(folded) != len(text):
        folded = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    for mark, claims in _ASCII_MARKS if text.isascii() else _ALL_MARKS:
        at = folded.find(mark)
        while at >= 0:
            for claim in claims:
                found = _value_at(claim, text, at)
                if found:
                    yield claim.name, at, *found
                    break
            at = folded.find(mark, at + len(mark))


def _value_at(claim: Claim, text: str, at: int) -> tuple[int, int] | None:
    if claim.before and not claim.before.search(text[max(0, at - _REACH) : at]):
        return None
    match = _compiled(claim.pattern).match(text, at)
    if match is None:
        return None
    start = match.start("value")
    value = trim(match["value"])
    return (start, start + len(value)) if believable(claim.name, text[at:start], value) else None


def _by_mark(claims: Iterable[Claim]) -> tuple[tuple[str, tuple[Claim, ...]], ...]:
    table: dict[str, list[Claim]] = {}
    for claim in claims:
        for mark in claim.marks:
            table.setdefault(mark, []).append(claim)
    return tuple((mark, tuple(group)) for mark, group in table.items())


_REACH: Final = 25
_ALL_MARKS: Final = _by_mark(CLAIMS)
_ASCII_MARKS: Final = tuple((mark, claims) for mark, claims in _ALL_MARKS if mark.isascii())
_compiled = cache(re.compile)

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


def believable(kind: str, name: str, value: str) -> bool:  # noqa: PLR0911  # a list of rules
    """Whether `value`, said to be a secret by text that reads `name`, may be one."""
    value = value[:_JUDGED]
    if len(value) < _SHORTEST or _PLACEHOLDER.search(value) or len(set(value)) < _FEW_SIGNS:
        return False
    if kind == "connection_url":
        return not re.fullmatch(r"(?i)pass(?:word|wd)?|pwd|secret|user(?:name)?|pw|token|\d+", value)
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    signs = len(value) - digits - letters
    cased = value not in (value.lower(), value.upper())
    if not letters or _DATE.fullmatch(value) or _ALGORITHM.fullmatch(value) or _RATIO.fullmatch(value):
        return False
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
    return bool(digits) or (odd and cased)


def _code_like(value: str) -> bool:
    """Whether `value` is an expression of a programming language."""
    return any(sign in value for sign in ("(", "[", "{", "::", "->", "=>", "==", "&&", "||", "</", "//")) or (
        "." in value and _NAME.fullmatch(value) is not None and not any(map(str.isdigit, value))
    )


def _word_like(value: str) -> bool:
    """Whether `value` is made of words, parted by signs or capitals, with at most a number behind each."""
    pieces = [piece for piece in _PARTED.split(value) if piece]
    if len(pieces) < 2 or len(value) < _WORD_LENGTH * len(pieces):  # noqa: PLR2004  # one piece is judged elsewhere
        return False
    return all(_PIECE.fullmatch(piece) for piece in pieces)


_PARTED: Final = re.compile(r"[-_./:,]|(?<=[a-z])(?=[A-Z])")
_PIECE: Final = re.compile(r"[A-Za-z]+\d{0,3}|\d{1,2}[A-Za-z]?")
_WORD_LENGTH: Final = 4.5
_JUDGED: Final = 64
_SHORTEST: Final = 6
_FEW_SIGNS: Final = 5
_SHORTEST_KEY: Final = 8
_LONG_KEY: Final = 24
