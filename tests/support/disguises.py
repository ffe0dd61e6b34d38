"""The disguises of a secret: what mails, editors, pages, shells and hasty people do to a text."""

import base64
from collections.abc import Callable
from html.entities import html5
from itertools import pairwise
from random import Random
from string import ascii_letters, digits
from typing import Final

ALNUM: Final = ascii_letters + digits
NAMED: Final = {char: name for name, char in html5.items() if len(char) == 1 and name.endswith(";")}


def zero_width(secret: str, r: Random) -> str:
    """Characters that nobody sees, at random places."""
    hidden = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad")
    chars = list(secret)
    for _ in range(r.randrange(1, 6)):
        chars.insert(r.randrange(len(chars) + 1), r.choice(hidden))
    return "".join(chars)


def full_width(secret: str, _: Random) -> str:
    """The full-width form of each ASCII sign."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in secret)


def in_base64(secret: str, r: Random) -> str:
    """The whole of it in base64."""
    encode = r.choice((base64.b64encode, base64.urlsafe_b64encode))
    return encode(secret.encode()).decode().rstrip(r.choice(("", "=")))


def url_encoded(secret: str, r: Random) -> str:
    """Every byte, or all but letters and digits and some of those, as %XX."""
    every = r.random() < 0.5
    return "".join(
        chr(byte) if not every and chr(byte).isalnum() and byte < 128 and r.random() < 0.7 else f"%{byte:02X}"
        for byte in secret.encode()
    )


def split_lines(secret: str, r: Random) -> str:
    """Broken over two or three lines, as terminals, mails and editors do."""
    body = secret.rstrip()
    cuts = sorted(r.sample(range(3, len(body) - 2), k=r.choice((1, 2)))) if len(body) > 12 else [len(body) // 2]
    edges = [0, *cuts, len(body)]
    pieces = [body[a:b] for a, b in pairwise(edges)]
    return r.choice(("\n", "\r\n", "\n  ", " \\\n", "\n> ")).join(pieces)


def quoted(secret: str, r: Random) -> str:
    """In quotes or backticks, or as two literals put together."""
    mark = r.choice("\"'`")
    if r.random() < 0.5 or len(secret) < 12 or mark in secret:
        return f"{mark}{secret}{mark}"
    cut = r.randrange(4, len(secret) - 4)
    joint = r.choice((" + ", " ", "+", " . ", " +\n  "))
    return f"{mark}{secret[:cut]}{mark}{joint}{mark}{secret[cut:]}{mark}"


def entities(secret: str, r: Random) -> str:
    """HTML: all signs, or some, as numbers or by name."""
    every = r.random() < 0.3

    def shown(char: str) -> str:
        if not every and char.isalnum() and r.random() < 0.8:
            return char
        named = f"&{NAMED[char]}" if char in NAMED else f"&#{ord(char)};"
        return r.choice((named, f"&#{ord(char)};", f"&#x{ord(char):x};", f"&#0{ord(char)};", f"&#X{ord(char):04X};"))

    return "".join(map(shown, secret))


def markdown(secret: str, r: Random) -> str:
    """What an editor does to signs that mean something in Markdown."""
    signs = r.choice(("_*", "_*-.", "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"))
    return "".join(f"\\{char}" if char in signs else char for char in secret)


def code_escapes(secret: str, r: Random) -> str:
    """As a literal of a program: some or all signs by their numbers."""
    share = r.choice((0.15, 0.5, 1.0))
    form = r.choice(("\\u{:04x}", "\\x{:02x}", "\\u{{{:x}}}", "\\u{:04X}"))
    return "".join(form.format(ord(char)) if ord(char) < 256 and r.random() < share else char for char in secret)


def odd_breaks(secret: str, r: Random) -> str:
    """Broken by what shows as a line end, or as nothing, in some programs only."""
    at = sorted(r.sample(range(3, len(secret) - 2), k=r.choice((1, 2))))
    edges = [0, *at, len(secret)]
    sign = r.choice(("\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "<wbr>", "<wbr/>", "&shy;", "&#8203;", "<br>"))
    return sign.join(secret[a:b] for a, b in pairwise(edges))


def utf16_base64(secret: str, r: Random) -> str:
    """Base64 as PowerShell takes it for an encoded command."""
    return base64.b64encode(secret.encode(r.choice(("utf-16-le", "utf-16-le", "utf-16-be", "utf-16")))).decode()


def twice_url_encoded(secret: str, r: Random) -> str:
    """As %XX, and that again, once or twice."""
    once = url_encoded(secret, r)
    return once.replace("%", "%25") if r.random() < 0.7 else once.replace("%", "%2525")


DISGUISES: Final[dict[str, Callable[[str, Random], str]]] = {
    "none": lambda secret, _: secret,
    "zero-width": zero_width,
    "full-width": full_width,
    "base64": in_base64,
    "url-encoded": url_encoded,
    "split lines": split_lines,
    "quotes": quoted,
    "entities": entities,
    "markdown": markdown,
    "code escapes": code_escapes,
    "odd breaks": odd_breaks,
    "utf-16 base64": utf16_base64,
    "twice url-encoded": twice_url_encoded,
}
