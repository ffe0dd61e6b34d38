"""From the id of a memory store, in any script, to a legal and unique storage name."""

import hashlib
import re
import unicodedata
from base64 import b32encode
from functools import lru_cache
from typing import Final

_SLUG_LENGTH: Final = 20
_DIGEST_LENGTH: Final = 26
_NAME: Final = re.compile(rf"mem-(?:(?P<slug>[a-z0-9-]+)-)?[a-z2-7]{{{_DIGEST_LENGTH}}}")


def store_digest(store_id: str) -> str:
    """26 base32 characters (130 bits) of the SHA-256 of `store_id` in NFC, lower case."""
    digest = hashlib.sha256(unicodedata.normalize("NFC", store_id).encode("utf-8", "surrogatepass")).digest()
    return b32encode(digest).decode("ascii").lower()[:_DIGEST_LENGTH]


def slug(store_id: str) -> str:
    """At most 20 characters of `store_id` that a person recognises: a-z, 0-9 and single hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", store_id).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:_SLUG_LENGTH].strip("-")


@lru_cache(maxsize=256)
def storage_name(store_id: str) -> str:
    """`mem-<slug>-<digest>`: at most 51 characters, legal on the platform and on every file system."""
    return "-".join(part for part in ("mem", slug(store_id), store_digest(store_id)) if part)


def digest_in(name: str) -> str:
    """The digest that the storage name `name` ends in."""
    return name[-_DIGEST_LENGTH:]


def names_alike(one: str, other: str) -> bool:
    """Whether two storage names may belong to ids that differ only by case or spaces, as far as slugs tell."""
    left, right = _slug_in(one), _slug_in(other)
    if left is None or right is None:
        return False
    short, long = sorted((left.replace("-", ""), right.replace("-", "")), key=len)
    cut = max(len(left), len(right)) >= _SLUG_LENGTH - 1
    return short == long or (cut and bool(short) and long.startswith(short))


def same_but_for_case_and_spaces(one: str, other: str) -> bool:
    """Whether two different ids become the same without regard to case and white space."""
    return _folded(one) == _folded(other)


def _folded(store_id: str) -> str:
    return "".join(unicodedata.normalize("NFC", store_id).casefold().split())


def _slug_in(name: str) -> str | None:
    match = _NAME.fullmatch(name)
    return match["slug"] or "" if match else None
