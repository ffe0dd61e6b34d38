"""The grammar of our keys.

memory-<id>.<number>.<dedupe>.<hash>   one revision; written once
segment-<milliseconds><random>         many revisions; written once. More may follow, see segment_key
access-<0..1>                          when memories were last read; lossy
store-<digest>                         whose store this is
__manifest                             for people; never read for an answer
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..models.vocabulary import State

REVISION_PREFIX: Final = "memory-"
SEGMENT_PREFIX: Final = "segment-"
ACCESS_PREFIX: Final = "access-"
STORE_PREFIX: Final = "store-"
MANIFEST: Final = "__manifest"
ACCESS_SHARDS: Final = 2
KEY_LENGTH: Final = 128

_STATES: Final = frozenset(state.value for state in State if state is not State.ACTIVE)
_REVISION = re.compile(
    r"memory-(?P<id>[A-Za-z0-9_-]{1,64})\.(?P<number>[0-9]{1,9})\.(?P<dedupe>[a-z0-9]+)\.(?P<hash>[0-9a-f]{20})"
)
_OWNER = re.compile(rf"{STORE_PREFIX}[a-z2-7]{{26}}")
_ACCESS = re.compile(rf"{ACCESS_PREFIX}[0-7]")
_SEGMENT = re.compile(
    r"segment-(?P<milliseconds>[0-9a-f]{12})(?P<random>[0-9a-f]{16})"
    r"(?:\.(?P<beside>[0-9a-f]{16}))?(?P<instead>(?:-[0-9a-f]{16})*)"
)


@dataclass(frozen=True, slots=True)
class RevisionKey:
    """A revision's key, taken apart. `dedupe` is a digest of what makes two memories duplicates, or the state."""

    memory_id: str
    number: int
    dedupe: str
    hash: str

    def __str__(self) -> str:
        """The key as stored."""
        return f"{REVISION_PREFIX}{self.memory_id}.{self.number}.{self.dedupe}.{self.hash}"

    @property
    def state(self) -> State:
        """The state that this revision gives its memory."""
        return State(self.dedupe) if self.dedupe in _STATES else State.ACTIVE


def parse_revision_key(key: str) -> RevisionKey | None:
    """`key` taken apart, None when it is not the key of a revision."""
    match = _REVISION.fullmatch(key)
    return RevisionKey(match["id"], int(match["number"]), match["dedupe"], match["hash"]) if match else None


def is_ours(key: str) -> bool:
    """Whether `key` follows the grammar above."""
    derived = key == MANIFEST or is_access(key) or is_owner(key)
    return derived or parse_revision_key(key) is not None or segment_time(key) is not None


def is_owner(key: str) -> bool:
    """Whether `key` names whose store this is."""
    return _OWNER.fullmatch(key) is not None


def is_access(key: str) -> bool:
    """Whether `key` is a shard of access times."""
    return _ACCESS.fullmatch(key) is not None


def segment_key(
    milliseconds: int, random_hex: str, *, instead_of: Sequence[str] = (), beside: str | None = None
) -> str:
    """The key of a segment written at `milliseconds` of the epoch; `random_hex` has at least 16 digits.

    It says that all rows of the segments `instead_of` stand in this one, or in this one and the one `beside` it; it
    says so of as many of them as fit into a key.
    """
    own = f"{SEGMENT_PREFIX}{milliseconds:012x}{random_hex[:16]}{f'.{_random(beside)}' if beside else ''}"
    room = (KEY_LENGTH - len(own)) // len(f"-{random_hex[:16]}")
    return own + "".join(f"-{_random(name)}" for name in instead_of[:room])


def segment_time(key: str) -> int | None:
    """When the segment was written, in milliseconds of the epoch; None when `key` is no segment's."""
    match = _SEGMENT.fullmatch(key)
    return int(match["milliseconds"], 16) if match else None


def passed_over(keys: Iterable[str]) -> frozenset[str]:
    """The segments that need not be read, since others among `keys` say that all of their rows stand in those."""
    segments = {match["random"]: match for key in keys if (match := _SEGMENT.fullmatch(key))}
    named = {
        random
        for match in segments.values()
        if match["beside"] is None or match["beside"] in segments
        for random in match["instead"].split("-")[1:]
    }
    return frozenset(match[0] for random, match in segments.items() if random in named)


def _random(segment: str) -> str:
    match = _SEGMENT.fullmatch(segment)
    return match["random"] if match else ""
