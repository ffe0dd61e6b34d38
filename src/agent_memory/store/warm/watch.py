"""Which keys of a storage are new, gone or overwritten since one looked last."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from ..kv import KeyValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one look found.

    `there` are all keys, or those that something happened to; `gone` are known keys that are not there. `touched` are
    keys that may have been overwritten, None when that cannot be told. `another`: the storage itself was replaced, so
    that what was known of it is void.
    """

    there: AbstractSet[str]
    gone: AbstractSet[str]
    touched: AbstractSet[str] | None
    another: bool = False


class Watch(Protocol):
    """Looks at the keys of one storage."""

    exact: bool
    """Whether a key that it calls gone is gone, and not only late in a listing."""

    def quiet(self) -> bool:
        """Whether nothing can have happened since the last look; false when in doubt."""
        ...

    async def look(self, known: AbstractSet[str], *, whole: bool) -> Seen:
        """What has happened since the last look; `whole` to look at everything again."""
        ...

    def wrote(self, key: str) -> None:
        """Take note that this process has just put `key`: that is no news."""
        ...

    def close(self) -> None:
        """Stop watching."""
        ...


@dataclass(slots=True)
class ListingWatch:
    """Lists all keys at every look."""

    kv: KeyValue
    exact: bool = False

    def quiet(self) -> bool:
        """Never known without looking."""
        return False

    async def look(self, known: AbstractSet[str], *, whole: bool) -> Seen:  # noqa: ARG002  # every look is whole
        """One listing."""
        there = {key async for key in self.kv.list_keys()}
        return Seen(there=there, gone=known - there, touched=None)

    def wrote(self, key: str) -> None:
        """Of no use to a listing."""

    def close(self) -> None:
        """Nothing was opened."""
