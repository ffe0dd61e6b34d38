"""Which memory stands in the place of which."""

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lifecycle.succession import successors
from agent_memory.models.memory import Memory

IDS = "abcdefg"


def memory(memory_id: str) -> Memory:
    return Memory(id=memory_id, content="", title="", created_at="", updated_at="")


named = st.dictionaries(st.sampled_from(IDS), st.sampled_from(IDS))
times = st.fixed_dictionaries({memory_id: st.sampled_from("0123") for memory_id in IDS})


@given(named, times, times)
def test_every_circle_is_broken_where_it_began_and_nothing_else_is_lost(
    named: dict[str, str], named_at: dict[str, str], reworded_at: dict[str, str]
) -> None:
    pairs = [(memory(newer), memory(older)) for newer, older in named.items()]
    found = successors(pairs, named_at.__getitem__, lambda memory_id, at: reworded_at[memory_id] > at)
    effective = {n: o for n, o in named.items() if named_at[n] >= reworded_at[o]}

    assert all(effective[newer] == older and not circle(older, found) for older, newer in found.items())
    for newer, older in effective.items():
        around = circle(newer, effective)
        first = min(around, key=lambda i: (named_at[i], i), default=None)
        assert older in found or first == newer


def circle(start: str, steps: dict[str, str]) -> list[str]:
    """The ids of the circle in `steps` that `start` lies on."""
    ids = [start]
    while (step := steps.get(ids[-1])) not in (None, *ids):
        ids.append(step)
    return ids if step == start else []
