"""Revisions for tests, made by hand and by hypothesis."""

from hypothesis import strategies as st

from agent_memory.models.memory import Memory
from agent_memory.models.revision import Origin, Revision
from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode

AT = "2026-03-01T09:30:00.000Z"


def make_memory(memory_id: str = "m-1", content: str = "Port 1 is open.", at: str = AT) -> Memory:
    """A memory with defaults."""
    return Memory(id=memory_id, content=content, title=content[:20], created_at=at, updated_at=at)


def first(memory_id: str = "m-1", content: str = "Port 1 is open.", at: str = AT, index: int = 0) -> Revision:
    """The revision that creates a memory."""
    return Revision(
        number=1,
        parents=(),
        at=at,
        by="test",
        state=State.ACTIVE,
        memory=make_memory(memory_id, content, at),
        origin=Origin(at=at, index=index),
    )


def after(*parents: Stored, content: str | None = None, state: State = State.ACTIVE, at: str = AT) -> Revision:
    """A revision that has seen `parents`."""
    latest = max(parents, key=lambda stored: stored.revision.number).revision
    text = latest.memory.content if content is None else content
    return Revision(
        number=latest.number + 1,
        parents=tuple(parent.key.hash for parent in parents),
        at=at,
        by="test",
        state=state,
        memory=make_memory(latest.memory.id, text, latest.memory.created_at),
        origin=latest.origin,
    )


@st.composite
def histories(draw: st.DrawFn, memory_id: str = "m-1", most: int = 9) -> list[Stored]:
    """All revisions of one memory, by writers that had seen more or less of each other; some forget, some restore."""
    known = [encode(first(memory_id))]
    for step in range(draw(st.integers(0, most))):
        parents = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique_by=lambda s: s.key.hash))
        revision = after(
            *parents,
            content=f"text {step}",
            state=draw(st.sampled_from([State.ACTIVE, State.ACTIVE, State.ARCHIVED, State.FORGOTTEN])),
            at=f"2026-03-0{draw(st.integers(1, 3))}T00:00:00.000Z",
        )
        known.append(encode(revision))
    return known
