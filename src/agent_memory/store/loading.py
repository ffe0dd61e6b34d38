"""Reading a whole store: a listing, then every segment that no other one replaces, then what stands in none."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from sys import intern
from typing import Final

from ..errors import ConflictError, IncompleteError
from ..models.memory import NOTHING
from .access import read_access
from .codec import STUB, DamagedError, NewerError, Stored, decode, decode_segment, parse_moved
from .keys import is_owner, parse_revision_key, passed_over, segment_time
from .kv import KeyValue
from .snapshot import Layout, Snapshot, build

LISTINGS: Final = 5
CHANGING: Final = 20
"""How many listings are tried while each one shows that somebody has swept more meanwhile."""
_SEGMENTS_AT_ONCE: Final = 4


@dataclass(slots=True)
class Contents:
    """What values hold: readable revisions by key, what is damaged, and which keys stand in which segment.

    `newer` is what newer versions wrote that cannot be understood; it is among `damaged` too. `moved` are segments
    whose rows stand elsewhere (the names, and since when), `stubs` single keys of purged content, `impaired` segments
    of which something could not be read.
    """

    stored: dict[str, Stored] = field(default_factory=dict[str, Stored])
    damaged: list[str] = field(default_factory=list[str])
    newer: list[str] = field(default_factory=list[str])
    segments: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    moved: dict[str, tuple[list[str], int]] = field(default_factory=dict[str, tuple[list[str], int]])
    stubs: list[str] = field(default_factory=list[str])
    impaired: set[str] = field(default_factory=set[str])

    def add(self, other: "Contents") -> None:
        """Take in what other keys hold."""
        for key, stored in other.stored.items():
            self.stored.setdefault(key, stored)
        self.damaged += other.damaged
        self.newer += other.newer
        self.segments |= other.segments
        self.moved |= other.moved
        self.stubs += other.stubs
        self.impaired |= other.impaired

    def leave_out(self, error: DamagedError) -> None:
        """Note what cannot be read."""
        self.damaged.append(str(error))
        if isinstance(error, NewerError):
            self.newer.append(str(error))

    def refuse_newer(self) -> None:
        """Raise ConflictError where a newer version has written what this one does not understand.

        Left out, it would make answers shorter than the truth, and older revisions would pass for the present.
        """
        if self.newer:
            message = (
                f"The store was written by a newer version of Agent Memory: {self.newer[0]}. "
                "Nothing was read or changed. Use the newer version."
            )
            raise ConflictError(message)


def never() -> int:
    """Of nothing every listing tells for sure."""
    return 0


async def load(kv: KeyValue, *, access: bool, settled: Callable[[], int] = never) -> Snapshot:
    """Everything that `kv` holds. `settled` says up to when, in milliseconds, every listing tells of what was written.

    What a note from before then points to is listed, or was swept since newer segments hold it: it is not asked for.

    Raises:
        ConflictError: a newer version has written what this one does not understand.
        IncompleteError: keys kept vanishing while they were read; a shorter answer would be wrong.
    """
    read: dict[str, Contents | None] = {}
    values: dict[str, bytes | None] = {}
    before = set[str]()
    for listing in range(CHANGING):
        keys = {key async for key in kv.list_keys()}
        if listing >= LISTINGS and keys == before:
            break
        before = keys
        spared = passed_over(keys)
        names = await read_segments(kv, keys - spared, read, settled=settled)
        if spared and not all((part := read[name]) and not part.impaired for name in names):
            spared = frozenset[str]()  # what cannot be read there may be read here
            names = await read_segments(kv, keys, read, settled=settled)
        contents = Contents()
        for name in names:
            contents.add(read[name] or unpack({name: None}))
        loose = sorted(key for key in keys if parse_revision_key(key) and key not in contents.stored)
        values |= await kv.get_many([key for key in loose if values.get(key) is None])
        singles = {key: values[key] for key in loose}
        missing = {name for name in names if read[name] is None} | {key for key in loose if singles[key] is None}
        if missing and not missing <= {key async for key in kv.list_keys()}:
            continue
        take_singles(singles, contents)
        contents.refuse_newer()
        layout = Layout(
            loose=frozenset(loose),
            covered=frozenset(key for rows in contents.segments.values() for key in rows if key in keys),
            segments={name: tuple(rows) for name, rows in contents.segments.items()},
            moved={name: at for name, (_, at) in contents.moved.items()},
            stubs=frozenset(contents.stubs),
            impaired=frozenset(contents.impaired),
            owners=frozenset(key for key in keys if is_owner(key)),
            passed_over=spared,
        )
        times = await read_access(kv, keys) if access else {}
        return build(contents.stored.values(), damaged=contents.damaged, access=times, layout=layout)
    message = "The list of stored keys kept changing while it was read. Nothing changed. Try again."
    raise IncompleteError(message)


async def in_full(kv: KeyValue, snapshot: Snapshot) -> Snapshot:
    """`snapshot` with what was passed over, for whoever tidies up: it adds no revision unless something is wrong.

    A segment that has vanished meanwhile was swept by somebody.
    """
    layout = snapshot.layout
    if not layout.passed_over:
        return snapshot
    known = {str(stored.key): stored for stored in snapshot.stored()}
    read: dict[str, Contents | None] = {}
    contents = Contents()
    for name in await read_segments(kv, layout.passed_over, read, known):
        if part := read[name]:
            contents.add(part)
    added = [stored for key, stored in contents.stored.items() if key not in known]
    layout = replace(
        layout,
        segments={**layout.segments, **{name: tuple(rows) for name, rows in contents.segments.items()}},
        moved={**layout.moved, **{name: at for name, (_, at) in contents.moved.items()}},
        impaired=layout.impaired | contents.impaired,
        passed_over=frozenset[str](),
    )
    return snapshot.plus(added, layout, contents.damaged)


async def read_segments(
    kv: KeyValue,
    keys: Iterable[str],
    read: dict[str, Contents | None],
    known: Mapping[str, Stored] = NOTHING,
    *,
    settled: Callable[[], int] = never,
) -> list[str]:
    """Read into `read` all segments among `keys` and those that their rows have moved to since `settled`; their names.

    Rows that are `known` are not decoded again. Values are written once, so what was read stays true. A few are read at
    a time, since the bytes of all of them take as much memory as what they hold.
    """
    found = set[str]()
    known = dict(known)
    wanted = {key for key in keys if segment_time(key) is not None}
    while wanted:
        unread = sorted(name for name in wanted if read.get(name) is None)
        for start in range(0, len(unread), _SEGMENTS_AT_ONCE):
            values = await kv.get_many(unread[start : start + _SEGMENTS_AT_ONCE])
            for name, value in values.items():
                read[name] = part = None if value is None else unpack({name: value}, known)
                known |= part.stored if part else {}
        found |= wanted
        parts = [part for name in wanted if (part := read[name])]
        wanted = {name for part in parts for to, at in part.moved.values() if at > settled() for name in to} - found
    return sorted(found)


def unpack(segments: Mapping[str, bytes | None], known: Mapping[str, Stored] = NOTHING) -> Contents:
    """What the values of `segments` hold; rows that are `known` already are compared and not decoded again."""
    contents = Contents()
    for name, value in segments.items():
        if note := parse_moved(value or b""):
            contents.moved[name] = note
            continue
        rows = contents.segments.setdefault(name, [])
        for key, line in decode_segment(value or b""):
            if key is None:
                contents.damaged.append(f"{name}: a part of this segment cannot be read")
                contents.impaired.add(name)
                continue
            held = intern(str(key))  # a row may stand in several segments
            try:
                same = known.get(held)
                contents.stored.setdefault(held, same if same and same.line == line else decode(key, line))
                rows.append(held)
            except DamagedError as error:
                contents.leave_out(error)
                contents.impaired.add(name)
    return contents


def take_singles(singles: Mapping[str, bytes | None], contents: Contents) -> None:
    """Add the values of single keys to `contents`."""
    for name, value in singles.items():
        key = parse_revision_key(name)
        try:
            if value == STUB:
                contents.stubs.append(name)
            elif key is None or value is None:
                contents.damaged.append(f"{name}: cannot be read")
            else:
                contents.stored[name] = decode(key, value)
        except DamagedError as error:
            contents.leave_out(error)
