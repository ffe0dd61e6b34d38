from agent_memory.text.excerpt import excerpt, parts
from agent_memory.text.tokens import estimate

TALK = "\n".join(f"Ann: line {n} says nothing of note." for n in range(40))


def test_the_lines_that_hold_what_was_asked_are_kept_with_their_neighbours() -> None:
    text = TALK.replace("Ann: line 20", "Ann: the Pump of line 20").replace("line 33 says", "line 33 pump says")
    shown = excerpt(text, 80, ["pump"])
    assert "the Pump of line 20" in shown
    assert "line 33 pump" in shown
    assert "line 21" in shown
    assert "line 10" not in shown
    assert estimate(shown) <= 80


def test_a_needle_that_one_line_holds_counts_more_than_one_of_every_line() -> None:
    text = TALK.replace("Ann: line 39 says nothing", "Bob: line 39 says valve")
    assert "Bob: line 39" in excerpt(text, 40, ["note", "valve"])


def test_what_is_left_out_is_marked_and_the_parts_are_as_they_were() -> None:
    text = TALK.replace("line 7 ", "line 7 pump ")
    shown = excerpt(text, 50, ["pump"])
    assert shown.startswith("…\nAnn: line 6 says")
    assert shown.endswith("\n…")
    assert all(part in text for part in parts(shown))
    assert parts("a\n…\nb\n…") == ["a", "b"]


def test_with_nothing_to_find_the_beginning_is_shown() -> None:
    assert excerpt(TALK, 30, []).startswith("Ann: line 0 says")


def test_sentences_of_one_long_line_are_told_apart() -> None:
    text = "The plant is old. " * 30 + "The pump runs dry at night. " + "The plant is old. " * 30
    assert "The pump runs dry at night." in excerpt(text, 40, ["pump"])


def test_a_text_without_any_break_is_cut_between_visible_characters() -> None:
    family = "👨\u200d👩\u200d👧"
    shown = excerpt(family * 800, 2000, [])
    assert family in shown
    assert shown.removesuffix("\n…").replace(family, "") == ""
    assert shown.endswith("…")


def test_where_no_line_fits_nothing_is_shown() -> None:
    assert excerpt("word " * 100, 5, ["word"]) == ""
