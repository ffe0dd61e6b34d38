"""A snapshot that follows single changes is the one that is built from nothing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.store.codec import Stored, encode
from agent_memory.store.snapshot import Snapshot, build
from support.revisions import first, histories


@st.composite
def stores(draw: st.DrawFn) -> list[Stored]:
    """Revisions of several memories that were born at instants in any order, some at the same one."""
    found: list[Stored] = []
    for number in range(draw(st.integers(1, 6))):
        born = encode(first(f"m-{number}", at=f"2026-03-0{draw(st.integers(1, 3))}T00:00:00.000Z"))
        found.append(born)
        found += draw(st.one_of(st.just([]), histories(f"m-{number}", 4)))
    return found


def content_of(snapshot: Snapshot) -> dict[str, set[str]]:
    return {i: {str(stored.key) for stored in group} for i, group in snapshot.revisions.items()}


@settings(deadline=None)
@given(stores(), st.data())
def test_any_order_of_additions_and_losses_ends_where_building_anew_does(
    revisions: list[Stored], data: st.DataObject
) -> None:
    snapshot = build([])
    there: dict[str, Stored] = {}
    for _ in range(data.draw(st.integers(1, 5))):
        added = data.draw(st.lists(st.sampled_from(revisions), max_size=4))
        gone = frozenset(data.draw(st.lists(st.sampled_from(sorted(there)), max_size=3)) if there else ())
        there = {key: stored for key, stored in there.items() if key not in gone}
        there |= {str(stored.key): stored for stored in added}
        before = dict(snapshot.heads)

        after = snapshot.changed(added, gone, layout=snapshot.layout, damaged=())

        expected = build(there.values())
        assert after.heads == expected.heads
        assert list(after.heads) == list(expected.heads)
        assert content_of(after) == content_of(expected)
        assert snapshot.heads == before
        snapshot = after
