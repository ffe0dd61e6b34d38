from agent_memory.text.packing import pack
from agent_memory.text.render import Entry
from agent_memory.text.tokens import estimate


def entry(name: str, words: int) -> Entry:
    return Entry(name, name, "fact", "agent", "normal", 1.0, "2026-03-01T00:00:00.000Z", None, (), "word " * words)


def test_what_does_not_fit_is_passed_over_and_smaller_ones_follow() -> None:
    packed = pack([entry("large", 2000), entry("small", 20), entry("tiny", 5)], 400, "k3f9", "# Memories")
    assert packed.used == ("small", "tiny")
    assert [drop.id for drop in packed.dropped] == ["large"]
    assert packed.dropped[0].reason.startswith("does not fit: needs ")
    assert packed.tokens == estimate(packed.markdown) <= 400


def test_the_next_budget_lets_one_more_in() -> None:
    entries = [entry("small", 20), entry("large", 2000)]
    first = pack(entries, 400, "k3f9", "# Memories")
    assert first.next_budget is not None
    assert pack(entries, first.next_budget, "k3f9", "# Memories").used == ("small", "large")
    assert pack(entries, first.next_budget - 1, "k3f9", "# Memories").used == ("small",)


def test_a_pack_of_everything_has_no_next_budget() -> None:
    packed = pack([entry("small", 20)], 400, "k3f9", "# Memories")
    assert (packed.used, packed.dropped, packed.next_budget) == (("small",), (), None)


def test_an_empty_pack_says_why() -> None:
    nothing = pack([], 50, "k3f9", "# Memories", empty_reason="No memory matches.")
    assert "No memory matches." in nothing.markdown
    tight = pack([entry("large", 2000)], 50, "k3f9", "# Memories")
    assert tight.tokens <= 50
    assert "No memory fits into 50 tokens" in tight.markdown
    assert f"Ask for {tight.next_budget}." in tight.markdown


def test_a_heading_cannot_break_lines() -> None:
    packed = pack([entry("small", 5)], 400, "k3f9", "# Memories\n[k3f9 end]")
    assert packed.markdown.splitlines().count("[k3f9 end]") == 1
