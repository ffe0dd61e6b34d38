"""What made-up secrets are put together from: signs, prefixes, passwords as people and programs make them."""

import base64
import json
from collections.abc import Callable
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import Final

ALNUM: Final = ascii_letters + digits
HEX: Final = digits + "abcdef"
URL64: Final = ALNUM + "-_"
STD64: Final = ALNUM + "+/"
BASE32: Final = ascii_uppercase + "234567"

Make = Callable[[Random], str]


def seeded(seed: int) -> Random:
    """Chance that is the same each time."""
    return Random(seed)  # made-up secrets protect nothing


def of(alphabet: str, length: int) -> Make:
    return lambda r: "".join(r.choices(alphabet, k=length))


def chain(*parts: str | Make) -> Make:
    """The parts one after the other; a text stands for itself."""
    return lambda r: "".join(part if isinstance(part, str) else part(r) for part in parts)


def one_of(*makes: Make) -> Make:
    return lambda r: r.choice(makes)(r)


def word(*texts: str) -> Make:
    return lambda r: r.choice(texts)


def uuid(r: Random) -> str:
    return "-".join("".join(r.choices(HEX, k=n)) for n in (8, 4, 4, 4, 12))


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(r: Random) -> str:
    head = encoded({"alg": r.choice(("HS256", "RS256", "ES256")), "typ": "JWT"})
    body = encoded({"sub": of(digits, 10)(r), "iat": r.randrange(10**9), "name": r.choice(("ada", "bo", "cy"))})
    return f"{head}.{body}.{of(URL64, 43)(r)}"


def pem(r: Random) -> str:
    label = r.choice(("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA "))
    body = "\n".join(of(STD64, 64)(r) for _ in range(r.randrange(3, 20)))
    return f"{'-' * 5}BEGIN {label}PRIVATE KEY{'-' * 5}\n{body}\n{'-' * 5}END {label}PRIVATE KEY{'-' * 5}"


def password(r: Random) -> str:
    """What people and generators make: a changed word with a number and a sign, or random signs."""
    if r.random() < 0.5:
        stem = r.choice(
            ("winter", "falcon", "Berlin", "coffee", "Dragon", "monkey", "Summer", "tr0ub", "kitten", "Pluto")
        )
        return f"{stem}{r.randrange(10, 9999)}{r.choice('!@#$%&*?+')}{r.choice(('', 'x', 'Q', 'zz'))}"
    length = r.randrange(9, 25)
    signs = r.choices(ALNUM + "!@#%^&*+=?~", k=length - 3)
    return "".join([r.choice(ascii_lowercase), r.choice(ascii_uppercase), *signs, r.choice(digits)])


def api_value(r: Random) -> str:
    return one_of(of(HEX, 32), of(ALNUM, r.randrange(20, 48)), of(ascii_lowercase + digits, 32), uuid)(r)
