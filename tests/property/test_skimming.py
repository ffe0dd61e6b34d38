"""Claims that are read as far as they are asked for are those that are kept of every memory."""

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.ranking.skimming import skim
from agent_memory.ranking.updates import KeptClaims, read_claim

WORDS = (
    "ssh", "sshd", "sshx", "port", "Port", "ports,", "22", "49222", "v2.3", "March", "15.", "redis", "cache", "caché",
    "s3", "the", "now", "def f(x):\n", "x,y,z", "--", "支付", "サーバー", "went", "go", "don’t", "a", "\n",
)  # fmt: skip
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=20).map("port 22 {}".format)
long = st.integers(57, 62).map(lambda size: "port 22 " + "x " * (size - 2))
stores = st.lists(texts | long, max_size=12)


@given(stores, texts)
def test_skimmed_claims_are_those_of_every_memory(contents: list[str], candidate: str) -> None:
    said = {f"m{place}": content for place, content in enumerate(contents)}
    kept = KeptClaims()
    for memory_id, content in said.items():
        kept.put(memory_id, content)

    skimmed = skim(said)

    assert dict(skimmed.by_id) == kept.by_id
    assert {form: ids for form, ids in skimmed.holding.items() if ids} == kept.holding
    when = {memory_id: f"2026-03-{place % 5 + 1:02}" for place, memory_id in enumerate(said)}
    for memory_id in said:
        assert [*skimmed.updates(memory_id, when.get)] == [*kept.updates(memory_id, when.get)]
    if claim := read_claim(candidate):
        assert skimmed.updated_by(claim) == kept.updated_by(claim)


@given(stores)
def test_only_what_is_asked_for_is_read(contents: list[str]) -> None:
    skimmed = skim({f"m{place}": content for place, content in enumerate(contents)})
    assert "no such memory" not in skimmed.by_id
    assert [*skimmed.updates("no such memory", {"no such memory": "2026-03-01"}.get)] == []
