"""From the id of a memory store, in any script, to a legal and unique storage name."""

import hashlib
import re
import unicodedata
from base64 import b32encode
from typing import Final

_SLUG_LENGTH: Final = 20
_DIGEST_LENGTH: Final = 26


def store_digest(store_id: str) -> str:
    """26 base32 characters (130 bits) of the SHA-256 of `store_id` in NFC, lower case."""
    digest = hashlib.sha256(unicodedata.normalize("NFC", store_id).encode("utf-8", "surrogatepass")).digest()
    return b32encode(digest).decode("ascii").lower()[:_DIGEST_LENGTH]


def slug(store_id: str) -> str:
    """At most 20 characters of `store_id` that a person recognises: a-z, 0-9 and single hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", store_id).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:_SLUG_LENGTH].strip("-")


def storage_name(store_id: str) -> str:
    """`mem-<slug>-<digest>`: at most 51 characters, legal on the platform and on every file system."""
    return "-".join(part for part in ("mem", slug(store_id), store_digest(store_id)) if part)
