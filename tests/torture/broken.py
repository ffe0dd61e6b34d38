"""Stores that are known to be wrong: the checks must catch every one of them."""

import json
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from typing_extensions import override

from agent_memory.actions import forget, prune, restore, update
from agent_memory.actions.common import intake
from agent_memory.actions.common.writing import next_revision
from agent_memory.errors import StorageUnavailableError
from agent_memory.models.revision import Revision, from_body
from agent_memory.models.vocabulary import State
from agent_memory.store import loading, memory_store, purging, snapshot, upkeep
from agent_memory.store.codec import Stored, encode, encode_segment, parse_moved
from agent_memory.store.keys import MANIFEST, RevisionKey, segment_key, segment_time
from agent_memory.store.kv import KeyValue
from agent_memory.store.loading import unpack
from agent_memory.store.memory_store import MemoryStore
from agent_memory.store.resolve import Head, resolve
from agent_memory.store.snapshot import Snapshot, build

from .steps import STORE, MakeStore, our_store


@dataclass(frozen=True)
class Plant:
    """A fault planted into the store: another store, or ours with other parts."""

    name: str
    make_store: MakeStore = our_store
    patch: Callable[[pytest.MonkeyPatch], None] = lambda _: None

    @contextmanager
    def planted(self) -> Generator[None]:
        """While it is there."""
        with pytest.MonkeyPatch.context() as patch:
            self.patch(patch)
            yield


class MutableKeys(MemoryStore):
    """One record a memory, overwritten at each change and each read, and a shared list of ids that reads trust."""

    @override
    async def load(self, *, access: bool = True) -> Snapshot:
        records = [await self.kv.get(f"memory-{memory_id}") for memory_id in await self._ids()]
        return build([encode(from_body(json.loads(record))) for record in records if record])

    @override
    async def commit(self, snapshot: Snapshot, revisions: Sequence[Revision]) -> Snapshot:
        added = [encode(revision) for revision in revisions]
        for stored in added:
            await self.kv.set(f"memory-{stored.key.memory_id}", stored.line)
        ids = [*dict.fromkeys([*await self._ids(), *(stored.key.memory_id for stored in added)])]
        await self.kv.set(MANIFEST, json.dumps({"memoryIds": ids}).encode())
        changed = {stored.key.memory_id for stored in added}
        kept = [s for i, group in snapshot.revisions.items() if i not in changed for s in group]
        return build([*kept, *added])

    @override
    async def recheck(self, snapshot: Snapshot, memory_id: str) -> Snapshot:
        return await self.load()

    @override
    async def scrub(self, snapshot: Snapshot) -> Snapshot:
        return snapshot

    @override
    async def tidy(self, snapshot: Snapshot) -> None:
        """Nothing is ever in the way here."""

    @override
    async def touch(self, snapshot: Snapshot, memory_ids: Any) -> list[str]:
        for memory_id in memory_ids:
            for stored in snapshot.revisions[memory_id]:
                await self.kv.set(f"memory-{memory_id}", stored.line)
        return []

    async def _ids(self) -> list[str]:
        return json.loads(await self.kv.get(MANIFEST) or b'{"memoryIds": []}')["memoryIds"]


class TrustedManifest(MemoryStore):
    """Ours, but a memory that `__manifest` does not name is not there."""

    @override
    async def load(self, *, access: bool = True) -> Snapshot:
        whole = await super().load(access=access)
        named = json.loads(await self.kv.get(MANIFEST) or b"{}").get("memoryIds", [])
        hidden = [i for i, head in whole.heads.items() if head.state.hidden]
        shown = [s for i, group in whole.revisions.items() if i in (*named, *hidden) for s in group]
        return build(shown, damaged=whole.damaged, layout=whole.layout)


class NoRecheck(MemoryStore):
    """Ours, but a writer does not look again after its write."""

    @override
    async def recheck(self, snapshot: Snapshot, memory_id: str) -> Snapshot:
        return snapshot


class NoTombstone(MemoryStore):
    """Ours, but a purge only deletes."""

    @override
    async def commit(self, snapshot: Snapshot, revisions: Sequence[Revision]) -> Snapshot:
        purged = [revision for revision in revisions if revision.state is State.PURGED]
        for revision in purged:
            for stored in snapshot.revisions[revision.memory.id]:
                await self.kv.delete(str(stored.key))
        return await super().commit(snapshot, [r for r in revisions if r not in purged])


class SwallowsErrors(MemoryStore):
    """Ours, but a write that failed is taken for done."""

    @override
    async def commit(self, snapshot: Snapshot, revisions: Sequence[Revision]) -> Snapshot:
        try:
            return await super().commit(snapshot, revisions)
        except StorageUnavailableError:
            return snapshot


class SilentAboutDamage(MemoryStore):
    """Ours, but what cannot be read is passed over in silence."""

    @override
    async def load(self, *, access: bool = True) -> Snapshot:
        return replace(await super().load(access=access), damaged=())


def _store(kind: type[MemoryStore]) -> MakeStore:
    return lambda kv, now, new_id: kind(store_id=STORE, kv=kv, now=now, new_id=new_id)


def _won_by(order: Callable[[Stored], Any]) -> Callable[[Sequence[Stored]], Head]:
    """A way to resolve in which the greatest by `order` wins, and all that nobody has seen is a conflict."""

    def resolved(revisions: Sequence[Stored]) -> Head:
        winner = max(revisions, key=order)
        seen = {parent for stored in revisions for parent in stored.revision.parents} | {winner.key.hash}
        rivals = tuple(sorted(stored.key.hash for stored in revisions if stored.key.hash not in seen))
        return replace(resolve([winner]), conflicts=rivals)

    return resolved


def _resolving(resolved: Callable[[Sequence[Stored]], Head]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(snapshot, "resolve", resolved)


def _precedence(stored: Stored) -> tuple[int, str, str]:
    return stored.revision.number, stored.revision.at, stored.key.hash


def _tombstone_loses_ties(stored: Stored) -> tuple[int, bool, str, str]:
    revision = stored.revision
    return revision.number, not revision.state.hidden, revision.at, stored.key.hash


def _later_by_the_clock(stored: Stored) -> tuple[str, str]:
    return stored.revision.at, stored.key.hash


def _last_to_arrive(revisions: Sequence[Stored]) -> Head:
    return resolve(revisions[-1:])


def _no_parents(patch: pytest.MonkeyPatch) -> None:
    def orphan(*args: Any) -> Revision:
        return replace(next_revision(*args), parents=())

    for module in (forget, prune, restore, update, intake):
        patch.setattr(module, "next_revision", orphan)


def _covered_goes_at_once(patch: pytest.MonkeyPatch) -> None:
    pack = upkeep.pack

    async def pack_and_delete(kv: KeyValue, before: Snapshot, *args: Any) -> Snapshot:
        after = await pack(kv, before, *args)
        for key in sorted(before.layout.loose - after.layout.loose):
            await kv.delete(key)
        return after

    patch.setattr(memory_store, "pack", pack_and_delete)


def _segments_in_place(patch: pytest.MonkeyPatch) -> None:
    name = segment_key(0, "0" * 16)

    async def append(kv: KeyValue, stored: Sequence[Stored], *_: Any) -> dict[str, tuple[str, ...]]:
        there = unpack({name: held} if (held := await kv.get(name)) else {}).stored
        value = encode_segment([*there.values(), *(s for s in stored if str(s.key) not in there)])
        await kv.set(name, value)
        return {name: tuple(unpack({name: value}).segments[name])}

    patch.setattr(memory_store, "write_segments", append)
    patch.setattr(upkeep, "write_segments", append)


def _random_ids_for_keys(patch: pytest.MonkeyPatch) -> None:
    new_id: Any = intake.Intake._new_id  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # what is broken here

    def random_id(self: intake.Intake, _: str | None) -> str:
        return new_id(self, None)

    patch.setattr(intake.Intake, "_new_id", random_id)


def _damage_believed(patch: pytest.MonkeyPatch) -> None:
    def believe(key: RevisionKey, line: bytes) -> Stored:
        return Stored(key, from_body(json.loads(line)), line)

    patch.setattr(loading, "decode", believe)


def _segment_goes_whole(patch: pytest.MonkeyPatch) -> None:
    def nothing(*_: Any) -> None:
        """What is left of any segment."""

    patch.setattr(purging, "without_memories", nothing)


def _loser_not_named(patch: pytest.MonkeyPatch) -> None:
    def forgetful(revisions: Sequence[Stored]) -> Head:
        return replace(resolve(revisions), conflicts=())

    patch.setattr(snapshot, "resolve", forgetful)


def _purge_is_a_forget(revisions: Sequence[Stored]) -> Head:
    """A purge hides like a forget, so that a restore brings back what has not been removed yet."""
    seen = [s if s.revision.state is not State.PURGED else _as_forget(s) for s in revisions]
    return resolve(seen)


def _as_forget(stored: Stored) -> Stored:
    return replace(stored, revision=replace(stored.revision, state=State.FORGOTTEN))


def _restore_has_seen_nothing(patch: pytest.MonkeyPatch) -> None:
    def blind(head: Head, *args: Any) -> Revision:
        return replace(next_revision(head, *args), parents=())

    patch.setattr(restore, "next_revision", blind)


def _all_copies_go(patch: pytest.MonkeyPatch) -> None:
    async def sweep(kv: KeyValue, before: Snapshot, *_: Any) -> None:
        segments = before.layout.segments
        for name, rows in segments.items():
            if set(rows) <= {key for other, held in segments.items() if other != name for key in held}:
                await kv.delete(name)

    patch.setattr(memory_store, "sweep", sweep)


def _purged_stays_in_segments(patch: pytest.MonkeyPatch) -> None:
    def untouched(segment: bytes, _: Any) -> bytes:
        return segment

    patch.setattr(purging, "without_memories", untouched)


def _moved_is_not_followed(patch: pytest.MonkeyPatch) -> None:
    def nowhere(value: bytes) -> tuple[list[str], int] | None:
        note = parse_moved(value)
        return ([], note[1]) if note else None

    patch.setattr(loading, "parse_moved", nowhere)


def _only_the_newest_segment_is_read(patch: pytest.MonkeyPatch) -> None:
    def all_but_the_newest(keys: Iterable[str]) -> frozenset[str]:
        return frozenset(sorted(key for key in keys if segment_time(key) is not None)[:-1])

    patch.setattr(loading, "passed_over", all_but_the_newest)


def _unread_is_swept(patch: pytest.MonkeyPatch) -> None:
    async def careless(kv: KeyValue, before: Snapshot, now: upkeep.Clock) -> int:
        return await upkeep.sweep(kv, replace(before, layout=replace(before.layout, impaired=frozenset[str]())), now)

    patch.setattr(memory_store, "sweep", careless)


def _spare_copies_are_never_looked_at(patch: pytest.MonkeyPatch) -> None:
    async def as_it_is(_: KeyValue, before: Snapshot) -> Snapshot:
        return before

    patch.setattr(memory_store, "in_full", as_it_is)


PLANTS: Final = (
    Plant("one mutable key a memory and a shared list", _store(MutableKeys)),
    Plant("a tombstone that loses ties", patch=_resolving(_won_by(_tombstone_loses_ties))),
    Plant("a manifest that reads trust", _store(TrustedManifest)),
    Plant("a forget that does not absorb", patch=_resolving(_won_by(_precedence))),
    Plant("the later clock wins", patch=_resolving(_won_by(_later_by_the_clock))),
    Plant("the last to arrive wins", patch=_resolving(_last_to_arrive)),
    Plant("parents are not recorded", patch=_no_parents),
    Plant("a covered key is deleted at once", patch=_covered_goes_at_once),
    Plant("segments are rewritten in place", patch=_segments_in_place),
    Plant("an idempotency key gets a random id", patch=_random_ids_for_keys),
    Plant("no look after a write", _store(NoRecheck)),
    Plant("a purge without a tombstone", _store(NoTombstone)),
    Plant("a purge drops the whole segment", patch=_segment_goes_whole),
    Plant("a failed write is acknowledged", _store(SwallowsErrors)),
    Plant("damage is believed", patch=_damage_believed),
    Plant("what cannot be read is swept", patch=_unread_is_swept),
    Plant("damage is passed over in silence", _store(SilentAboutDamage)),
    Plant("purged content stays in segments", patch=_purged_stays_in_segments),
    Plant("the loser of a race is not named", patch=_loser_not_named),
    Plant("a purge counts as a forget", patch=_resolving(_purge_is_a_forget)),
    Plant("a restore has not seen the forget", patch=_restore_has_seen_nothing),
    Plant("a segment that has moved is not followed", patch=_moved_is_not_followed),
    Plant("of two copies both are swept", patch=_all_copies_go),
    Plant("a newer segment is taken to hold what older ones do", patch=_only_the_newest_segment_is_read),
    Plant("a purge passes over spare copies", patch=_spare_copies_are_never_looked_at),
)
