"""What becomes of each item of a write: created, a duplicate of what is there, or a replay of an earlier request."""

import hashlib
import json
import uuid
from dataclasses import dataclass, replace
from typing import Any, Literal

from ...errors import ConflictError
from ...lifecycle.scope import Reach
from ...lifecycle.succession import may_supersede
from ...models.identity import dedupe_digest, keyed_id
from ...models.memory import Memory, to_record
from ...models.revision import Origin, Revision
from ...models.vocabulary import State
from ...store.resolve import Head
from ...store.snapshot import Snapshot
from ..base import Context
from ..objects import MemoryItem
from .composing import compose
from .echo import read_echo
from .known import KNOWN
from .newer import Succession
from .reach import reach_of
from .writing import first_revision, next_revision, reinforcement, require_text


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one item, and the memory that now stands for it."""

    status: Literal["created", "duplicate", "replayed", "reinforced"]
    memory: Memory


@dataclass(frozen=True, slots=True)
class _Bound:
    """What an idempotency key stands for."""

    memory: Memory
    fingerprint: str
    state: State = State.ACTIVE

    @staticmethod
    def of(head: Head, key: str) -> "_Bound":
        """What `key` of this memory stands for."""
        return _Bound(head.memory, head.origin.keys[key], head.state)


class Intake:
    """Takes items one after another; `revisions` is what has to be committed for them."""

    def __init__(self, snapshot: Snapshot, context: Context, low: frozenset[str] = frozenset()) -> None:
        """Start from what the store holds; `low` are folded texts of this write that are of low trust wherever."""
        self.revisions: list[Revision] = []
        self._context = context
        self._snapshot = snapshot
        self._low = low
        self._started = context.now()
        self._known = snapshot.derive(KNOWN)
        self._new_digests: dict[str, list[Memory]] = {}
        self._succession = Succession(snapshot)
        self._new_keys: dict[str, _Bound] = {}

    def add(self, item: MemoryItem, warnings: list[str], at: str = "", *, reinforce: bool = False) -> Taken:
        """Take `item` in, unless it is already there: then count that, with `reinforce`; `at` names its place.

        Raises:
            InvalidRequestError: its content is blank.
            ConflictError: its key stands for something else, or for a memory that was forgotten.
        """
        require_text(item.content, f"{at}.content" if at else "content")
        key = item.idempotency_key
        asked = _fingerprint(item)
        reach = reach_of(self._context, item.project_id, item.session_id)
        bound = self._bound(key) if key else None
        if key and bound:
            return Taken("replayed", _replay(key, asked, bound, reach))
        memory_id = self._new_id(key)
        self._refuse_purged(key, memory_id, reach)
        echo = read_echo(item.content, self._snapshot, reach)
        if echo:
            warnings.append(
                f"{at or 'This text'} is an echo: it holds a context pack of this service. Its frame and what is "
                "stored already were left out; remember only what is new."
            )
            if echo.known and not echo.rest:
                if key:
                    self._new_keys[key] = _Bound(echo.known, asked)
                self._bind(echo.known.id, {key: asked} if key else {}, reinforce=reinforce)
                return Taken("reinforced" if reinforce else "duplicate", echo.known)
            item = item.model_copy(update={"content": require_text(echo.rest, f"{at}.content" if at else "content")})
        memory = compose(item, memory_id, echo, self._snapshot, self._context, warnings, self._low, self._keyed)
        digest = dedupe_digest(memory)
        twins = self._twins(digest)
        twin = next((twin for twin in twins if self._succession.newer(twin.id, reach) is None), None)
        if twins and not twin:
            twin = self._behind(memory, twins[0], reach, warnings, at)
        if twin and _details_differ(twin, item, memory.supersedes):
            what = at or "This text"
            warnings.append(f"{what} is already memory {twin.id}; its details stay. Use update to change them.")
        if key:
            self._new_keys[key] = _Bound(twin or memory, asked)
        keys = {key: asked} if key else {}
        if twin:
            self._bind(twin.id, keys, reinforce=reinforce)
            return Taken("reinforced" if reinforce else "duplicate", twin)
        origin = Origin(at=self._started, index=len(self.revisions), keys=keys)
        self.revisions.append(first_revision(memory, origin, self._context))
        self._new_digests.setdefault(digest, []).append(memory)
        self._succession.made(memory)
        return Taken("created", memory)

    def _twins(self, digest: str) -> list[Memory]:
        stored = (head.memory for head in self._known.twins(digest, self._snapshot))
        return [*reversed(self._new_digests.get(digest, [])), *stored]

    def _behind(self, memory: Memory, twin: Memory, reach: Reach, warnings: list[str], at: str) -> Memory | None:
        """The `twin` of `memory`, all of which are superseded, where it stays so; None where `memory` stands again."""
        newer, newest = self._succession.newer(twin.id, reach), self._succession.newest(twin.id, reach)
        if newer is None or newest is None:
            return None
        what = at or "This text"
        if not may_supersede(memory, newest):
            warnings.append(
                f"{what} is memory {twin.id} already, which memory {newer.id} superseded. That is trusted more, so it "
                "stays in front; a person decides."
            )
            return twin
        if newest.id != memory.supersedes:
            warnings.append(
                f"{what} was memory {twin.id} before memory {newer.id} superseded that. It stands again, as a memory "
                f"of its own beside {newest.id}. If it replaces that, update it: memoryDetails.supersedes {newest.id}."
            )
        return None

    def _bound(self, key: str) -> "_Bound | None":
        head = self._known.bound(key, self._snapshot)
        return self._new_keys.get(key) or (head and _Bound.of(head, key))

    def _keyed(self, key: str) -> Memory | None:
        bound = self._bound(key)
        return None if bound is None or bound.state.hidden else bound.memory

    def _new_id(self, key: str | None) -> str:
        if key is None:
            return str(uuid.UUID(self._context.new_id()))
        return keyed_id(self._context.store.store_id, key)

    def _refuse_purged(self, key: str | None, memory_id: str, reach: Reach) -> None:
        """Refuse a key that stood for a memory which was purged: it made that memory, or found it there."""
        head = self._snapshot.heads.get(memory_id) or self._known.bound(memory_id, self._snapshot)
        if head and head.state is State.PURGED:
            message = f"The memory made with idempotencyKey {key!r} was purged. Nothing was stored. Use a new key."
            raise ConflictError(message, **({"memoryId": head.memory.id} if reach.admits(head.memory) else {}))

    def _bind(self, memory_id: str, keys: dict[str, str], *, reinforce: bool) -> None:
        """Let further keys stand for a memory: for one of this write in its revision, else in a new revision."""
        if not keys and not reinforce:
            return
        for place, revision in enumerate(self.revisions):
            if revision.memory.id == memory_id:
                self.revisions[place] = _with_keys(revision, keys)
                return
        head = self._snapshot.heads[memory_id]
        again = reinforcement(head, self._context) if reinforce else None
        revision = again or next_revision(head, head.memory, head.state, self._context)
        self.revisions.append(_with_keys(revision, keys))


def _with_keys(revision: Revision, keys: dict[str, str]) -> Revision:
    return replace(revision, origin=replace(revision.origin, keys={**revision.origin.keys, **keys}))


def _replay(key: str, asked: str, bound: _Bound, reach: Reach) -> Memory:
    memory_id = bound.memory.id
    if not reach.admits(bound.memory):
        raise ConflictError(f"idempotencyKey {key!r} was used for another memory. Nothing was stored. Use a new key.")
    if bound.fingerprint != asked:
        message = f"idempotencyKey {key!r} was used for another memory, {memory_id}. Nothing was stored. Use a new key."
        raise ConflictError(message, memoryId=memory_id)
    if bound.state is State.FORGOTTEN:
        message = (
            f"The memory made with idempotencyKey {key!r} was forgotten. Nothing was stored. "
            "Use a new key to remember it anew."
        )
        raise ConflictError(message, memoryId=memory_id)
    return bound.memory


def _fingerprint(item: MemoryItem) -> str:
    """16 hexadecimal digits of the canonical JSON of what was asked for."""
    given = item.model_dump(mode="json", exclude={"idempotency_key"}, exclude_none=True)
    text = json.dumps(given, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _details_differ(twin: Memory, item: MemoryItem, older: str | None) -> bool:
    """Whether `item`, which is to supersede `older`, gives details that `twin` does not have."""
    if item.memory_details is None:
        return False
    record: dict[str, Any] = dict(to_record(twin))
    given = item.memory_details.model_dump(mode="json", by_alias=True, exclude_none=True)
    return any(record.get(name) != (older if name == "supersedes" else value) for name, value in given.items())
