"""Web addresses in one spelling, so that two notes about the same page meet."""

import re
from urllib.parse import SplitResult, quote, urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_[ce]id"
    r"|_ga|_gl|_hs(?:enc|mi)|mkt_tok|vero_id|oly_(?:anon|enc)_id)",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))", re.IGNORECASE)  # localhost:8080 names no scheme
_BAD_IN_HOST = re.compile(r"[\x00-\x20\x7f<>\"\\^`{|}%,;!$&'()*+=~@/?#]|[\s\ufeff\u200b]")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f]")
_BLANK = re.compile("[\\s\ufeff\u200b]")
_BLANK_ENDS = re.compile("^[\\s\ufeff\u200b]+|[\\s\ufeff\u200b]+$")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_HOST = 253


def normalize(url: str) -> str:
    """Give `url` with one spelling; doing so twice changes nothing.

    Adds https when no scheme is given, lowers scheme and host (kept readable, not in punycode), removes the fragment,
    a trailing slash, the scheme's default port, `user:password@` and tracking parameters; the rest keeps its order.

    Raises:
        ValueError: `url` can be no http or https address; the text says why, without repeating a password.
    """
    given = _BLANK_ENDS.sub("", url)
    if not given:
        raise ValueError("it is empty")
    if _INVISIBLE.search(given) or _LONE_SURROGATE.search(given):
        raise ValueError("it holds a control character or a broken one")
    parts = _split(given)
    host = _host(parts)
    port = _port(parts)
    authority = host if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
    query = "&".join(pair for pair in parts.query.split("&") if pair and not _is_tracking(pair))
    tail = f"{parts.path.rstrip('/')}{'?' + query if query else ''}"
    return f"{parts.scheme}://{authority}{_BLANK.sub(lambda found: quote(found[0]), tail)}"


def site(url: str) -> str:
    """Give the host of a normalised `url` without a leading `www.` and without the port."""
    host = url.partition("://")[2]
    for mark in "/?#":
        host = host.partition(mark)[0]
    host = host if host.endswith("]") else re.sub(r":\d+$", "", host)
    return host.removeprefix("www.")


def _split(given: str) -> SplitResult:
    if given.startswith("//"):
        given = "https:" + given
    elif not (named := _SCHEME.match(given)):
        given = "https://" + given
    elif named[1].lower() not in _DEFAULT_PORTS:
        raise ValueError(f"{named[1].lower()[:40]}: is no web address; only http and https are")
    elif not given[named.end() :].startswith("//"):
        raise ValueError("the // after the scheme is missing")
    try:
        return urlsplit(given)
    except ValueError:
        raise ValueError("its host cannot be read") from None


def _host(parts: SplitResult) -> str:
    try:
        host = (parts.hostname or "").lower()
    except ValueError:
        raise ValueError("its host cannot be read") from None
    if ":" in host:
        return f"[{host}]"
    host = host.removesuffix(".")
    if not host:
        raise ValueError("it names no host")
    if len(host) > _LONGEST_HOST:
        raise ValueError(f"its host is longer than {_LONGEST_HOST} characters")
    if _BAD_IN_HOST.search(host):
        raise ValueError("its host holds a space or a sign that no host can have")
    if any(not label for label in host.split(".")):
        raise ValueError("its host has an empty part between dots")
    return host


def _port(parts: SplitResult) -> int | None:
    try:
        return parts.port
    except ValueError:
        raise ValueError("its port is no number from 0 to 65535") from None


def _is_tracking(pair: str) -> bool:
    return _TRACKING.fullmatch(pair.partition("=")[0]) is not None
