"""Reading values: what stands in two segments is decoded once and checked twice."""

from agent_memory.store.codec import encode, encode_segment
from agent_memory.store.kv import InMemoryKeyValue
from agent_memory.store.loading import load, unpack
from support.revisions import first

ROWS = [encode(first(f"m-{number}", f"text {number}")) for number in range(5)]
OLD, NEW = (f"segment-{time:012x}{'0' * 16}" for time in (1, 2))


def test_a_row_that_is_known_is_the_same_object() -> None:
    known = unpack({OLD: encode_segment(ROWS)}).stored
    again = unpack({NEW: encode_segment(ROWS)}, known)

    assert [again.stored[key] is known[key] for key in known] == [True] * 5
    assert again.segments == {NEW: list(known)}
    assert again.damaged == []


def test_a_damaged_copy_of_a_known_row_is_noticed() -> None:
    known = unpack({OLD: encode_segment(ROWS)}).stored
    again = unpack({NEW: encode_segment(ROWS).replace(b"text 3", b"text X")}, known)

    assert len(again.damaged) == 1
    assert again.impaired == {NEW}
    assert len(again.segments[NEW]) == 4


async def test_a_row_that_is_damaged_in_one_segment_is_read_from_the_other() -> None:
    whole, torn = encode_segment(ROWS), encode_segment(ROWS).replace(b"text 3", b"text X")
    for values in ({OLD: whole, NEW: torn}, {OLD: torn, NEW: whole}):
        kv = InMemoryKeyValue()
        kv.values = dict(values)
        snapshot = await load(kv, access=False)
        assert sorted(snapshot.heads) == [f"m-{number}" for number in range(5)]
        assert len(snapshot.damaged) == 1
