import re

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.text.packing import pack
from agent_memory.text.render import Entry, visible
from agent_memory.text.tokens import estimate

TEXT = st.text(alphabet=st.characters(), max_size=120)
ENTRIES = st.lists(
    st.builds(
        Entry,
        id=st.uuids().map(str),
        title=TEXT,
        memory_type=st.just("fact"),
        source=TEXT,
        trust=st.just("low"),
        age_days=st.floats(0, 1e5),
        updated_at=st.just("2026-03-01T00:00:00.000Z"),
        url=st.none() | TEXT,
        tags=st.lists(TEXT, max_size=3).map(tuple),
        content=TEXT,
    ),
    max_size=12,
)


@given(ENTRIES, st.integers(1, 1500), TEXT, TEXT, st.none() | TEXT)
def test_a_pack_never_exceeds_its_budget_and_accounts_for_every_memory(
    entries: list[Entry], budget: int, heading: str, empty_reason: str, query: str | None
) -> None:
    packed = pack(entries, budget, "k3f9", heading, empty_reason, query)
    assert packed.tokens == estimate(packed.markdown) <= budget
    assert sorted([*packed.used, *(drop.id for drop in packed.dropped)]) == sorted(entry.id for entry in entries)
    assert (packed.next_budget is None) == (not packed.dropped)


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("<U+>20EAx\u202e\u200d\n"))))
def test_what_is_written_out_can_be_read_back(text: str) -> None:
    line = visible(text)
    assert len(line.splitlines()) <= 1
    assert re.sub(r"<U\+([0-9A-F]{4,6})>", lambda found: chr(int(found[1], 16)), line) == text
