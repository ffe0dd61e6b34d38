"""Secrets that are recognised by what is said about them: `password = …`, `the API key is …`, headers, addresses.

Their forms are free, so each value is judged: what looks like a word, a name in code or a placeholder is none.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, TypeAlias

from .belief import believable, trim
from .structures import STRUCTURES, columns
from .words import FOREIGN, OF_KEY, QUOTE, SECRET_WORD, VALUE, WORDS, Claim

_IN_ADDRESS: Final = re.compile(r"[?&#;][\w-]{0,24}$")

_ASSIGNED: Final = rf"(?i)(?:{SECRET_WORD})[\"'`\]*_]{{0,3}}[ \t]{{0,4}}(?:=>|:=|=|:|：)[ \t]{{0,4}}{QUOTE}{VALUE}"
_TOLD: Final = (
    rf"(?i)(?:{SECRET_WORD})(?:[ \t]+\(?[\w.@'/\\-]{{1,30}}\)?){{0,5}}?[ \t,]{{0,3}}"
    r"(?:\b(?:is|was|are|be|to|lautet|ist|heißt|war|est|era|es|é|è|это)\b(?:[ \t]+(?:now|still|set to|jetzt|just))?"
    rf"|是|为|為|は|는|은|：|:|=|->|→|[–—-])\s{{0,4}}{QUOTE}{VALUE}"
)
_USED: Final = (
    rf"(?i)(?:{SECRET_WORD})[ \t,]{{1,3}}(?:(?:then|please|just)[ \t]+)?(?:(?:type|enter|use|try)[ \t]+)?"
    rf"{QUOTE}(?P<value>[!-~]{{8,256}})"
)
_IN_QUERY: Final = r"(?i)(?:token|key|secret|password|passwd|auth|signature|sid)=(?P<value>[\w.~+/%-]{12,2048})"
_LOGIN: Final = (
    r"(?i)(?:log(?:in|s|ged)?(?:[ -]?in)?|sign in|cred(?:ential)?s?)\b"
    r"(?:[ \t]+(?:is|are|as|with|for|[\w.-]{1,30})){0,4}?[: \t]{1,3}[\w.@+-]{2,64}[ \t]{0,2}(?:/|:|\band\b)[ \t]{0,2}"
    r"[\"'`]?(?P<value>[!-~]{6,128})"
)
_CURL: Final = r"(?i)curl\b[^\n]{0,200}?[ \t](?:-u|--user)[ =]?[\"']?[\w.@+-]{1,64}:(?P<value>[!-~]{6,128})"
_FLAG: Final = (
    r"(?i)--[a-z-]{0,20}(?:password|passphrase|passwd|pwd|pass|token|secret|api-?key|auth-?key|access-?key)[= \t]"
    rf"[\"'`]?{VALUE}"
)
_SHORT_FLAG: Final = (
    r"(?i)(?:sshpass[ \t]+-p[ \t]*|mysql(?:dump)?\b[^\n]{0,120}?[ \t]-p"
    r"|(?:docker|podman)[ \t]login\b[^\n]{0,120}?[ \t]-p[ \t])[\"'`]?(?P<value>[!-~]{6,256})"
)
_HEADER: Final = (
    r"(?i)(?:authorization[\"'`]?\s{0,3}[:=,]\s{0,3}[\"'`]?(?:(?:bearer|basic|token|digest|apikey)\s{1,3})?|bearer\s{1,3}"
    r"|x-[a-z-]{0,24}(?:key|token|secret|auth)[\"'`]?\s{0,3}[:=,]\s{0,3}"
    r"|cookie[\"'`]?\s{0,3}[:=]\s{0,3}[^\n]{0,200}?(?:sess|sid|token|auth|jwt)[\w.-]{0,20}=)"
    r"[\"'`]?(?P<value>[\w.~+/%-]{12,4096}={0,2})"
)
_USERINFO: Final = r"://[^\s:/@\"'<>]{0,128}:(?P<value>[^\s/@\"'<>]{3,256})@[^\s/\"'<>)\]]"

_CODE: Final = rf"(?i)codes?[ \t]{{0,4}}(?:=|:|is|are)[ \t]{{0,4}}{QUOTE}{VALUE}"
_OF_CODE: Final = re.compile(r"(?i)(?:recovery|backup|emergency|unlock|scratch)[\s_-]?$")
_EXPECTED: Final = ("token=", "key=", "secret=", "password=", "passwd=", "auth=", "signature=", "sid=")
CLAIMS: Final = (
    Claim("address_token", _EXPECTED, _IN_QUERY, _IN_ADDRESS),
    Claim("connection_url", ("://",), _USERINFO),
    Claim("authorization_header", ("authorization", "bearer", "x-", "cookie"), _HEADER),
    Claim("command_line_secret", ("--",), _FLAG),
    Claim("command_line_secret", ("sshpass", "mysql", "docker", "podman"), _SHORT_FLAG),
    Claim("login_pair", ("log", "sign in", "cred"), _LOGIN),
    Claim("curl_user", ("curl",), _CURL),
    Claim("assigned_secret", (*WORDS, *FOREIGN), _ASSIGNED),
    Claim("assigned_secret", ("key",), _ASSIGNED, OF_KEY),
    Claim("told_secret", (*WORDS, *FOREIGN), _TOLD),
    Claim("told_secret", ("key",), _TOLD, OF_KEY),
    Claim("recovery_code", ("code",), _CODE, _OF_CODE),
    Claim("used_secret", WORDS, _USED),
    Claim("used_secret", ("key",), _USED, OF_KEY),
    *STRUCTURES,
)


def claimed(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Each secret that `text` claims: its kind, where the claim begins, and where the value stands."""
    folded = text.lower()
    if len(folded) != len(text):
        folded = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    telling = False
    for mark, groups in _ASCII_MARKS if text.isascii() else _ALL_MARKS:
        at = folded.find(mark)
        telling = telling or (at >= 0 and mark in _TELLING)
        while at >= 0:
            yield from _at(groups, text, at)
            at = folded.find(mark, at + len(mark))
    if telling and "\n" in text:
        yield from columns(text)


def _at(groups: Iterable["_Group"], text: str, at: int) -> Iterator[tuple[str, int, int, int]]:
    """The first claim that holds where a mark stands."""
    for before, claims in groups:
        if before is None or before.search(text, max(0, at - _REACH), at):
            for claim in claims:
                found = _value_at(claim, text, at)
                if found:
                    yield claim.name, at, *found
                    return


def _value_at(claim: Claim, text: str, at: int) -> tuple[int, int] | None:
    match = _compiled(claim.pattern).match(text, at)
    if match is None:
        return None
    start = match.start("value")
    value = trim(match["value"])
    name = match.groupdict().get("name") or text[at:start]
    return (start, start + len(value)) if believable(claim.name, name, value) else None


def _by_mark(claims: Iterable[Claim]) -> tuple[tuple[str, tuple["_Group", ...]], ...]:
    """Claims by mark, and of each mark those together that ask for the same text before it."""
    table: dict[str, dict[re.Pattern[str] | None, list[Claim]]] = {}
    for claim in claims:
        for mark in claim.marks:
            table.setdefault(mark, {}).setdefault(claim.before, []).append(claim)
    return tuple((mark, tuple((b, tuple(group)) for b, group in by.items())) for mark, by in table.items())


_Group: TypeAlias = tuple[re.Pattern[str] | None, tuple[Claim, ...]]
_REACH: Final = 25
_TELLING: Final = frozenset((*WORDS, *FOREIGN, "key"))
_ALL_MARKS: Final = _by_mark(CLAIMS)
_ASCII_MARKS: Final = tuple((mark, groups) for mark, groups in _ALL_MARKS if mark.isascii())
_compiled = cache(re.compile)
