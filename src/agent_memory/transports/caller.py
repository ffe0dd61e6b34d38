"""Who asks, and what they may do; light, so that a server can refuse before it has loaded anything."""

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, Self

from ..errors import ForbiddenError
from ..models.vocabulary import Channel

ALL_STORES: Final = "*"


class Right(IntEnum):
    """What a caller may do in a store; each right holds those before it."""

    READ = 1
    WRITE = 2
    APPROVE = 3

    @classmethod
    def of(cls, word: str) -> Self:
        """The right called `word`: read, write or approve."""
        return cls[word.upper()]


@dataclass(frozen=True, kw_only=True)
class Caller:
    """One who asks: `name` signs what they write, `channel` is the way in.

    `stores` are patterns of memory store ids in which `*` stands for any characters.
    """

    name: str
    channel: Channel
    right: Right = Right.WRITE
    stores: tuple[str, ...] = (ALL_STORES,)

    @property
    def everywhere(self) -> bool:
        """Whether no store is closed to this caller."""
        return ALL_STORES in self.stores

    def require(self, store_id: str, right: Right) -> None:
        """Let the caller through to the store `store_id`, whether there is one or not.

        Raises:
            ForbiddenError: the caller lacks the right, or the store is not theirs.
        """
        if not self._reach.fullmatch(unicodedata.normalize("NFC", store_id)):
            raise ForbiddenError(
                f"The token {self.name} does not reach this memoryStoreId. Nothing was read or changed. "
                "Use a store that the token was made for, or another token.",
                field="memoryStoreId",
            )
        if right > self.right:
            raise ForbiddenError(
                f"The token {self.name} may {self.right.name.lower()}, and this takes the right to "
                f"{right.name.lower()}. Nothing was read or changed.",
                right=right.name.lower(),
            )

    def require_everywhere(self, what: str) -> None:
        """Let the caller do `what`, which reaches beyond one store.

        Raises:
            ForbiddenError: the caller is confined to some stores.
        """
        if not self.everywhere:
            raise ForbiddenError(
                f"{what} reaches beyond one memory store, so it takes a token for all stores (*); "
                f"the token {self.name} is for some. Nothing was read or changed."
            )

    @cached_property
    def _reach(self) -> re.Pattern[str]:
        parts = (
            ".*".join(re.escape(part) for part in unicodedata.normalize("NFC", store).split("*"))
            for store in self.stores
        )
        return re.compile("|".join(f"(?:{part})" for part in parts), re.DOTALL)
