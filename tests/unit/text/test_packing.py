import re
from dataclasses import replace

import pytest

from agent_memory.text.packing import pack
from agent_memory.text.render import Entry
from agent_memory.text.tokens import estimate


def entry(name: str, words: int) -> Entry:
    return Entry(name, name, "fact", "agent", "normal", 1.0, "2026-03-01T00:00:00.000Z", None, (), "word " * words)


def test_what_does_not_fit_is_passed_over_and_smaller_ones_follow() -> None:
    packed = pack([entry("large", 2000), entry("small", 20), entry("tiny", 5)], 150, "k3f9", "# Memories")
    assert packed.used == ("small", "tiny")
    assert [drop.id for drop in packed.dropped] == ["large"]
    assert packed.dropped[0].reason.startswith("does not fit: needs about ")
    assert packed.tokens == estimate(packed.markdown) <= 150


def test_the_next_budget_lets_one_more_in() -> None:
    entries = [entry("small", 20), entry("large", 2000)]
    first = pack(entries, 250, "k3f9", "# Memories")
    assert first.next_budget is not None
    more = pack(entries, first.next_budget, "k3f9", "# Memories")
    assert (more.used, more.cut) == (("small", "large"), {"large"})
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


def turn(place: int, score: float, words: str = "word " * 20) -> Entry:
    return replace(entry(f"turn{place}", 1), content=f"{words}{place}", score=score, turn=(1, place))


def test_neighbouring_turns_stand_together_in_the_order_in_which_they_were_said() -> None:
    turns = [turn(5, 0.9), turn(1, 0.8), turn(4, 0.7), replace(turn(6, 0.6), turn=(2, 6)), turn(2, 0.5)]
    packed = pack(turns, 2000, "k3f9", "# Memories")
    assert packed.used == ("turn4", "turn5", "turn1", "turn2", "turn6")


def test_of_two_of_one_score_the_one_that_takes_less_room_gets_in() -> None:
    entries = [entry("first", 20), entry("long", 150), replace(entry("short", 1), content="other words " * 20)]
    packed = pack(entries, 220, "k3f9", "# Memories")
    assert packed.used == ("first", "short")


def test_what_says_nothing_new_comes_after_what_does() -> None:
    said = "the pump of the north tank fails when it rains"
    first, again, other = (
        replace(entry(name, 1), content=text, score=score)
        for name, text, score in (
            ("first", said, 0.9),
            ("again", f"{said} again", 0.6),
            ("other", "a valve of every south basin leaks on cold days", 0.55),
        )
    )
    all_of_it = pack([first, again, other], 400, "k3f9", "# Memories")
    packed = pack([first, again, other], all_of_it.tokens - 5, "k3f9", "# Memories")
    assert packed.used == ("first", "other")


def test_what_is_known_of_several_is_said_once_over_them() -> None:
    turns = [turn(5, 0.9), replace(turn(1, 0.8), trust="low"), turn(4, 0.7)]
    packed = pack(turns, 2000, "k3f9", "# Memories")
    assert packed.used == ("turn4", "turn5", "turn1")
    heads = [line for line in packed.markdown.splitlines() if line.startswith("[k3f9 #")]
    assert heads == [
        "[k3f9 #1-2] fact, source agent, trust normal, 1 day old (2026-03-01)",
        "[k3f9 #3] fact, source agent, trust low, 1 day old (2026-03-01)",
    ]


def test_what_was_superseded_gets_in_after_what_is_current() -> None:
    best, old, worse = (
        replace(entry(name, 20), content=f"{name} " * 20, score=score)
        for name, score in (("best", 1.0), ("old", 0.9), ("worse", 0.6))
    )
    room = pack([best, old, worse], 10_000, "nonce", "Memory").tokens - 1

    assert pack([best, old, worse], room, "nonce", "Memory").used == ("best", "old")
    assert pack([best, replace(old, outdated="superseded"), worse], room, "nonce", "Memory").used == ("best", "worse")


def story(name: str, lines: int, score: float = 1.0) -> Entry:
    content = "".join(f"On day {n} the {name} ran as ever.\n" for n in range(lines))
    content = content.replace("day 33 ", "day 33 the seal of the pump broke and ")
    return replace(entry(name, 1), content=content, score=score, needles=("seal", "pump"))


def test_of_a_long_one_the_lines_that_hold_the_answer_are_shown_and_how_to_get_the_rest() -> None:
    packed = pack([story("mill", 200), entry("small", 20)], 500, "k3f9", "# Memories")
    assert (packed.used, packed.cut, packed.dropped) == (("mill", "small"), {"mill"}, ())
    assert "| On day 33 the seal of the pump broke" in packed.markdown
    assert "(2026-03-01), cut: get mill\n" in packed.markdown
    assert packed.markdown.count("| …") == 2
    assert packed.tokens == estimate(packed.markdown) <= 500


def test_of_the_best_a_few_lines_are_shown_where_there_is_room_for_no_more() -> None:
    packed = pack([story("mill", 200), story("press", 200, 0.5)], 180, "k3f9", "# Memories")
    assert (packed.used, packed.cut) == (("mill",), {"mill"})
    assert "| On day 33 the seal of the pump broke" in packed.markdown
    assert packed.tokens <= 180


@pytest.mark.parametrize(
    "contents", [["word " * 3_000], ["x" * 3_000, "def f(x):\n    return x\n" * 20, "def f(x):\n    return x"]]
)
def test_the_next_budget_is_more_than_was_asked_for_and_brings_more(contents: list[str]) -> None:
    entries = [replace(entry(f"m{n}", 1), content=text, score=1 - n / 10) for n, text in enumerate(contents)]
    for budget in range(50, 700, 3):
        packed = pack(entries, budget, "k3f9", "# Memories")
        for drop in packed.dropped:
            needed, left = map(int, re.findall(r"\d+", drop.reason))
            assert needed > left
        if packed.next_budget is not None:
            assert packed.next_budget > budget
            assert len(pack(entries, packed.next_budget, "k3f9", "# Memories").used) > len(packed.used)


def test_one_that_fills_nearly_all_of_the_room_is_shown_whole_unless_it_is_long() -> None:
    best, other = entry("best", 360), entry("other", 20)
    packed = pack([best, other], 500, "k3f9", "# Memories")
    assert (packed.used, packed.cut) == (("best",), frozenset())
    long = pack([entry("best", 580), other], 700, "k3f9", "# Memories")
    assert (long.used, long.cut) == (("best", "other"), {"best"})


def test_several_long_ones_share_the_room_and_leave_none_unused() -> None:
    several = [story("mill", 60, 0.9), story("press", 60, 0.8), story("kiln", 60, 0.7)]
    packed = pack(several, 1500, "k3f9", "# Memories")
    assert packed.used == ("mill", "press", "kiln")
    assert packed.markdown.count("the seal of the pump broke") == 3
    assert packed.tokens > 1400


def test_long_ones_that_all_fit_are_shown_whole() -> None:
    packed = pack([story("mill", 60), story("press", 60)], 2000, "k3f9", "# Memories")
    assert packed.cut == frozenset()
    assert "…" not in packed.markdown
