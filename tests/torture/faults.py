"""One fault at a chosen operation of an action, and what may come of it."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from agent_memory.errors import StorageUnavailableError
from agent_memory.store.codec import Stored
from agent_memory.store.kv import get_each

from .checks import Acted, Violation, check, snapshot_of
from .loop import finish
from .scenes import Scene
from .steps import NOW, Ask, Calm, Ids, MakeStore, carry_out, our_store

FAULTS: Final = ("fail", "fail for good", "lost answer", "late", "stale list", "damage", "empty", "crash")
"""What can go wrong with one operation.

fail: nothing happened, and the caller is told (an error, 429, no answer). fail for good: from then on all do.
lost answer: it happened, and the caller is told that it failed. late: the same, but it happens after the caller has
ended. stale list: the newest revisions and segments are not listed yet. damage, empty: other bytes are read than
are stored. crash: the process dies instead.
"""
_STALE: Final = 2
SAID: Final = ("storage_unavailable", "incomplete")
"""The codes of errors that say that the storage is why."""


class Crash(BaseException):
    """The process is gone; no handler sees this."""


@dataclass
class Faulty:
    """A storage over `held` that does `fault` at each operation whose number is in `at`."""

    held: dict[str, bytes]
    fault: str = ""
    at: frozenset[int] = frozenset()
    operations: list[str] = field(default_factory=list[str])
    late: list[tuple[str, bytes | None]] = field(default_factory=list[tuple[str, bytes | None]])

    async def get(self, key: str) -> bytes | None:
        hit = self._step(f"get {key}", "damage", "empty")
        value = self.held.get(key)
        if value is None or not hit:
            return value
        return b"" if self.fault == "empty" else value[: len(value) // 2] + b"#" + value[len(value) // 2 + 1 :]

    async def get_many(self, keys: Iterable[str]) -> dict[str, bytes | None]:
        return await get_each(self.get, keys)

    async def set(self, key: str, value: bytes) -> None:
        self._write("set", key, value)

    async def delete(self, key: str) -> None:
        self._write("delete", key, None)

    async def list_keys(self, prefix: str = "") -> AsyncIterator[str]:
        hit = self._step(f"list {prefix}", "stale list")
        newest = [key for key in self.held if key.startswith(("memory-", "segment-"))][-_STALE:]
        for key in sorted(self.held):
            if key.startswith(prefix) and not (hit and key in newest):
                yield key

    def land(self) -> None:
        """Let happen what was late."""
        for key, value in self.late:
            self._apply(key, value)
        self.late.clear()

    def _write(self, verb: str, key: str, value: bytes | None) -> None:
        hit = self._step(f"{verb} {key}", "lost answer", "late")
        if hit and self.fault == "late":
            self.late.append((key, value))
        else:
            self._apply(key, value)
        if hit:
            raise StorageUnavailableError(f"The storage did not answer for {key}. Try again.")

    def _apply(self, key: str, value: bytes | None) -> None:
        if value is None:
            self.held.pop(key, None)
        else:
            self.held[key] = value

    def _step(self, what: str, *own: str) -> bool:
        """Whether the fault is one of `own` and due now; raises those that any operation can meet."""
        place = len(self.operations)
        self.operations.append(what)
        due = place in self.at or (self.fault == "fail for good" and place > min(self.at))
        if due and self.fault == "crash":
            raise Crash
        if due and self.fault.startswith("fail"):
            raise StorageUnavailableError(f"The storage did not answer ({what}). Try again.")
        return due and self.fault in own


def struck(
    scene: Scene, ask: Ask, fault: str, at: Sequence[int], make_store: MakeStore = our_store
) -> tuple[Faulty, Acted]:
    """What `ask` came to with `fault` at its operations `at`; without an answer where the process died."""
    kv = Faulty(dict(scene.held), fault, frozenset(at))
    committed = list[Stored]()
    try:
        body = finish(carry_out(ask, kv, Ids("struck", NOW), make_store, committed))
    except Crash:
        body = None
    except Exception as error:
        raise Violation("bug", f"{ask.name}, {fault} at {_where(kv, at)}: {error!r}") from error
    return kv, Acted(ask, committed, body)


def operations(scene: Scene, ask: Ask, make_store: MakeStore = our_store) -> list[str]:
    """What `ask` does when nothing goes wrong; a Violation where even that fails, or ends in a conflict with nobody."""
    kv, acted = struck(scene, ask, "", (), make_store)
    if not acted.acknowledged:
        raise Violation("I1", f"{ask.name}, alone, answered {acted.body}")
    if rivals := [i for i, head in snapshot_of(kv.held, make_store).heads.items() if head.conflicts]:
        raise Violation("I1", f"{ask.name}, alone, made a conflict in {rivals}")
    return kv.operations


def strike(  # noqa: PLR0913  # what is run, and how
    scene: Scene,
    ask: Ask,
    fault: str,
    at: Sequence[int],
    followers: Sequence[Ask] = (),
    make_store: MakeStore = our_store,
) -> int:
    """Raise a Violation unless `fault` ends in a right answer or in an error that says so, and harms nothing.

    What lands late does so after each of `followers` in turn. Returns how many outcomes were checked.
    """
    kv, acted = struck(scene, ask, fault, at, make_store)
    where = f"{ask.name}, {fault} at {_where(kv, at)}"
    try:
        _judge(scene, ask, fault, acted, make_store)
        check(kv.held, scene, [acted], make_store)
        if not kv.late:
            return 1
        for follower in followers:
            _land_after(follower, kv, scene, acted, make_store)
    except Violation as violation:
        violation.add_note(where)
        raise
    return 1 + len(followers)


def _land_after(follower: Ask, kv: Faulty, scene: Scene, acted: Acted, make_store: MakeStore) -> None:
    after = Faulty(dict(kv.held), late=list(kv.late))
    committed = list[Stored]()
    body = finish(carry_out(follower, Calm(after.held), Ids("follower", NOW), make_store, committed))
    after.land()
    gave_up = Acted(acted.ask, acted.committed, None)
    try:
        check(after.held, scene, [gave_up, Acted(follower, committed, body)], make_store)
    except Violation as violation:
        violation.add_note(f"landed after {follower.name}")
        raise


def _judge(scene: Scene, ask: Ask, fault: str, acted: Acted, make_store: MakeStore) -> None:
    body = acted.body
    if body is None:
        return
    if not body["ok"]:
        code = body["error"]["code"]
        unread = fault in ("stale list", "damage", "empty") and code in ("not_found", "conflict")
        if code not in SAID and not unread:
            raise Violation("I10", f"{ask.name} answered {body['error']}")
        return
    if ask.finds is not None:
        _judge_read(scene, ask.finds, fault, body)
    if not acted.committed and fault != "stale list":
        _judge_silence(scene, ask, body, make_store)


def _judge_read(scene: Scene, finds: frozenset[str], fault: str, body: dict[str, Any]) -> None:
    texts = {(s.key.memory_id, s.revision.memory.content) for s in scene.committed}
    shown = {(memory["id"], memory["content"]) for memory in body["memories"]}
    if shown - texts:
        raise Violation("I3", f"an answer shows what nobody wrote: {shown - texts}")
    due = finds & scene.settled if fault == "stale list" else finds
    missing = due - {memory_id for memory_id, _ in shown}
    if missing and not body["warnings"]:
        raise Violation("I10", f"an answer leaves out {missing} without saying so")


def _judge_silence(scene: Scene, ask: Ask, body: dict[str, Any], make_store: MakeStore) -> None:
    """What answers without a warning must answer what it would have answered without a fault."""
    _, undisturbed = struck(scene, ask, "", (), make_store)
    told = body["warnings"] or body.get("findings")
    if not told and said(body) != said(undisturbed.body or {}):
        raise Violation("I10", f"{ask.name} answers otherwise without saying why")


def said(body: dict[str, Any]) -> dict[str, Any]:
    """`body` without the time that it took."""
    return {name: value for name, value in body.items() if name != "tookMs"}


def _where(kv: Faulty, at: Sequence[int]) -> str:
    return ", ".join(f"{n} ({kv.operations[n] if n < len(kv.operations) else 'never'})" for n in at)
