"""What must hold of a store at any moment, whoever has stopped where; the numbers are those of docs/store.md."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored
from agent_memory.store.resolve import Head
from agent_memory.store.snapshot import Snapshot

from .loop import finish
from .scenes import CANARY, KEY, Scene
from .steps import NOW, Ask, Calm, Ids, MakeStore, carry_out, our_store

RETRYABLE = ("not_found", "conflict")
GARBAGE = b"\x00not what was written"


class Violation(AssertionError):  # noqa: N818  # it is what is found, not what goes wrong
    """An invariant does not hold; `invariant` is its number."""

    def __init__(self, invariant: str, what: str) -> None:
        super().__init__(f"{invariant}: {what}")
        self.invariant = invariant


@dataclass(frozen=True)
class Acted:
    """What is known of one action from outside: what it was asked, what it has tried to commit, and its answer."""

    ask: Ask
    committed: Sequence[Stored]
    body: dict[str, Any] | None

    @property
    def acknowledged(self) -> bool:
        """Whether its caller was told that it worked."""
        return self.body is not None and self.body["ok"]


def snapshot_of(
    held: dict[str, bytes],
    make_store: MakeStore = our_store,
    order: Callable[[Iterable[str]], Iterable[str]] = sorted,
) -> Snapshot:
    """What a new reader sees."""
    ids = Ids("reader", NOW)
    return finish(make_store(Calm(held, order), ids.now, ids.new_id).load())


def faces(snapshot: Snapshot) -> dict[str, tuple[Any, ...]]:
    """All that an answer could depend on, by memory; what was purged has left only its id."""
    return {i: _face(head) for i, head in snapshot.heads.items()}


def _face(head: Head) -> tuple[Any, ...]:
    if head.state is State.PURGED:
        return (State.PURGED,)
    return head.memory, head.state, head.hash, head.conflicts, head.origin


def check(
    held: dict[str, bytes],
    scene: Scene,
    acted: Sequence[Acted],
    make_store: MakeStore = our_store,
    *,
    thorough: bool = True,
) -> None:
    """Raise a Violation unless all invariants hold of `held`, which the actions of `acted` have worked on.

    An action without an answer counts as one that has crashed. Only a thorough check reads the store in another order
    and without its derived keys, and runs the next actions on a copy; it takes five times as long.
    """
    snapshot = _whole(held, scene, acted, make_store)
    if not thorough:
        return
    _one_set_one_state(held, snapshot, make_store)
    _derived_keys_do_not_matter(held, snapshot, make_store)
    _the_next_run_goes_on(held, scene, snapshot, acted, make_store)
    _history_stays(snapshot, [*scene.committed, *(s for a in acted if a.acknowledged for s in a.committed)])


def _whole(held: dict[str, bytes], scene: Scene, acted: Sequence[Acted], make_store: MakeStore) -> Snapshot:
    snapshot = _readable(held, make_store)
    known = {str(s.key): s for s in (*scene.committed, *(s for a in acted for s in a.committed))}
    _nothing_invented(snapshot, known)
    _nothing_lost(snapshot, scene.committed, known, "before")
    for one in acted:
        if one.acknowledged:
            _nothing_back(snapshot, one, known)
            _nothing_lost(snapshot, one.committed, known, one.ask.name)
    _one_memory_a_key(snapshot, acted)
    _one_settlement_a_review(snapshot, acted)
    return snapshot


def _readable(held: dict[str, bytes], make_store: MakeStore) -> Snapshot:
    try:
        snapshot = snapshot_of(held, make_store)
    except Exception as error:
        raise Violation("I7", f"the store cannot be read: {error!r}") from error
    if snapshot.damaged:
        raise Violation("I7", f"damaged without a fault: {snapshot.damaged}")
    return snapshot


def _nothing_invented(snapshot: Snapshot, known: dict[str, Stored]) -> None:
    for group in snapshot.revisions.values():
        for stored in group:
            if known.get(str(stored.key)) != stored:
                raise Violation("I3", f"{stored.key} was not written by any operation")
    for memory_id, head in snapshot.heads.items():
        whole = [s.revision.memory for s in known.values() if s.key.memory_id == memory_id]
        if head.memory not in whole:
            raise Violation("I3", f"{memory_id} is a mixture: {head.memory}")


def _nothing_lost(snapshot: Snapshot, written: Iterable[Stored], known: dict[str, Stored], who: str) -> None:
    purged = {s.key.memory_id for s in known.values() if s.revision.state is State.PURGED}
    for stored in written:
        head = snapshot.heads.get(stored.key.memory_id)
        if stored.key.memory_id in purged:
            continue
        if head is None:
            raise Violation("I1", f"{stored.key} ({who}) is gone with its memory")
        surfaced = {head.hash, *head.conflicts}
        seen = surfaced | ancestors(surfaced, known)
        if stored.key.hash not in seen and not _absorbed(stored, snapshot, known):
            raise Violation("I1", f"{stored.key} ({who}) is neither visible nor superseded nor surfaced")


def _history_stays(snapshot: Snapshot, written: Iterable[Stored]) -> None:
    for stored in written:
        group = snapshot.revisions.get(stored.key.memory_id, ())
        purged = any(s.revision.state is State.PURGED for s in group)
        if stored not in group and not purged:
            raise Violation("I1", f"{stored.key} cannot be restored any more")


def _absorbed(stored: Stored, snapshot: Snapshot, known: dict[str, Stored]) -> bool:
    """Whether a stored forget that `stored` had not seen hides it."""
    seen = ancestors({stored.key.hash}, known) | {stored.key.hash}
    group = snapshot.revisions[stored.key.memory_id]
    return any(s.revision.state is State.FORGOTTEN and s.key.hash not in seen for s in group)


def ancestors(hashes: set[str], known: dict[str, Stored]) -> set[str]:
    """All that the revisions of these hashes have seen."""
    parents = {s.key.hash: s.revision.parents for s in known.values()}
    found: set[str] = set()
    waiting = [p for h in hashes for p in parents.get(h, ())]
    while waiting:
        parent = waiting.pop()
        if parent not in found:
            found.add(parent)
            waiting += parents.get(parent, ())
    return found


def _nothing_back(snapshot: Snapshot, one: Acted, known: dict[str, Stored]) -> None:
    for stored in one.committed:
        state, head = stored.revision.state, snapshot.heads.get(stored.key.memory_id)
        if state is State.PURGED and head is not None and head.state is not State.PURGED:
            raise Violation("I2", f"{stored.key.memory_id} is {head.state} after a purge was acknowledged")
        if state is State.FORGOTTEN and (head is None or not head.state.hidden):
            surfaced = {head.hash, *head.conflicts} if head else set[str]()
            if stored.key.hash not in ancestors(surfaced, known):
                raise Violation("I2", f"{stored.key.memory_id} is shown after a forget was acknowledged")


def _one_memory_a_key(snapshot: Snapshot, acted: Sequence[Acted]) -> None:
    keyed = [i for i, head in snapshot.heads.items() if KEY in head.origin.keys]
    asked = [a for a in acted if KEY in str(a.ask.fields) and a.acknowledged]
    if len(keyed) > 1 or (asked and not keyed):
        raise Violation("I5", f"{len(keyed)} memories of one idempotency key")


def _one_settlement_a_review(snapshot: Snapshot, acted: Sequence[Acted]) -> None:
    made: dict[str, set[str]] = {}
    for stored in snapshot.stored():
        if stored.revision.settlement:
            made.setdefault(stored.key.memory_id, set()).add(stored.revision.settlement.resolution.value)
    for review_id, resolutions in made.items():
        if len(resolutions) > 1:
            raise Violation("I12", f"{review_id} was settled in two ways: {resolutions}")
    told = {a.body["resolution"] for a in acted if a.acknowledged and a.ask.action == "resolve" and a.body}
    if len(told) > 1:
        raise Violation("I12", f"two people were told that they settled one review: {told}")


def _one_set_one_state(held: dict[str, bytes], snapshot: Snapshot, make_store: MakeStore) -> None:
    def backwards(keys: Iterable[str]) -> Iterable[str]:
        return sorted(keys, reverse=True)

    again = snapshot_of(dict(reversed(held.items())), make_store, backwards)
    if faces(again) != faces(snapshot) or list(again.heads) != list(snapshot.heads):
        raise Violation("I4", "the state depends on the order in which keys are listed")


def _derived_keys_do_not_matter(held: dict[str, bytes], snapshot: Snapshot, make_store: MakeStore) -> None:
    derived = {key for key in held if key.startswith(("__manifest", "access-", "store-"))}
    doubled = {key for key in held if key in snapshot.layout.covered} | set(snapshot.layout.moved)
    doubled |= snapshot.layout.passed_over
    damaged = {key: GARBAGE if key.startswith(("__manifest", "access-")) else value for key, value in held.items()}
    for less in ({k: v for k, v in held.items() if k not in derived | doubled}, damaged):
        if faces(snapshot_of(less, make_store)) != faces(snapshot):
            raise Violation("I6", "an answer depends on a derived key")


def _the_next_run_goes_on(
    held: dict[str, bytes], scene: Scene, snapshot: Snapshot, acted: Sequence[Acted], make_store: MakeStore
) -> None:
    values, made = dict(held), list[Stored]()
    later = [Ask("next", "remember", {"content": "After all that."}), Ask("upkeep", "prune", {})]
    for days, ask in enumerate(later, start=2):
        _asked(ask, days, values, made, make_store)
    after = faces(_whole(values, scene, [*acted, Acted(later[0], made, {"ok": True})], make_store))
    if {i: face for i, face in after.items() if i in snapshot.heads} != faces(snapshot):
        raise Violation("I7", "the next write and the next prune changed what others had written")
    purged = any(a.acknowledged and a.ask.name == "purge" for a in acted)
    if purged and (left := [key for key, value in values.items() if CANARY.encode() in value]):
        raise Violation("I11", f"purged content is left in {left}")
    if crashed := [a for a in acted if a.body is None]:
        again, repeated = dict(held), list[Acted]()
        for days, one in enumerate(crashed, start=2):
            written: list[Stored] = []
            body = _asked(one.ask, days, again, written, make_store)
            repeated.append(Acted(one.ask, written, body))
        _whole(again, scene, [*acted, *repeated], make_store)


def _asked(ask: Ask, days: int, values: dict[str, bytes], made: list[Stored], make_store: MakeStore) -> dict[str, Any]:
    ids = Ids(f"later {ask.name} {days}", NOW + timedelta(days=days))
    try:
        body = finish(carry_out(ask, Calm(values), ids, make_store, made))
    except Exception as error:
        raise Violation("I7", f"{ask.name} afterwards failed: {error!r}") from error
    if not body["ok"] and (ask.name in ("next", "upkeep") or body["error"]["code"] not in RETRYABLE):
        raise Violation("I7", f"{ask.name} afterwards answered {body['error']}")
    return body
