import pytest

from agent_memory.text import excerpt as module
from agent_memory.text import needles
from agent_memory.text.excerpt import excerpts, parts
from agent_memory.text.tokens import estimate, weigh

TALK = "\n".join(f"Ann: line {n} says nothing of note." for n in range(40))


def test_the_lines_that_hold_what_was_asked_are_kept_with_their_neighbours() -> None:
    text = TALK.replace("Ann: line 20", "Ann: the Pump of line 20").replace("line 33 says", "line 33 pump says")
    shown = excerpts(text, ["pump"])(80)
    assert "the Pump of line 20" in shown
    assert "line 33 pump" in shown
    assert "line 21" in shown
    assert "line 10" not in shown
    assert estimate(shown) <= 80


def test_a_needle_that_one_line_holds_counts_more_than_one_of_every_line() -> None:
    text = TALK.replace("Ann: line 39 says nothing", "Bob: line 39 says valve")
    assert "Bob: line 39" in excerpts(text, ["note", "valve"])(40)


def test_what_is_left_out_is_marked_and_the_parts_are_as_they_were() -> None:
    text = TALK.replace("line 7 ", "line 7 pump ")
    shown = excerpts(text, ["pump"])(50)
    assert shown.startswith("…\nAnn: line 6 says")
    assert shown.endswith("\n…")
    assert all(part in text for part in parts(shown))
    assert parts("a\n…\nb\n…") == ["a", "b"]


def test_with_nothing_to_find_the_beginning_is_shown() -> None:
    assert excerpts(TALK, [])(30).startswith("Ann: line 0 says")


def test_sentences_of_one_long_line_are_told_apart() -> None:
    text = "The plant is old. " * 30 + "The pump runs dry at night. " + "The plant is old. " * 30
    assert "The pump runs dry at night." in excerpts(text, ["pump"])(40)


def test_a_text_without_any_break_is_cut_between_visible_characters() -> None:
    family = "👨\u200d👩\u200d👧"
    shown = excerpts(family * 800, [])(2000)
    assert family in shown
    assert shown.removesuffix("\n…").replace(family, "") == ""
    assert shown.endswith("…")


def test_where_no_line_fits_nothing_is_shown() -> None:
    assert excerpts("word " * 100, ["word"])(5) == ""


def test_lines_that_do_not_fit_are_weighed_once_and_not_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed: list[str] = []

    def counted(line: str) -> float:
        weighed.append(line)
        return weigh(line)

    monkeypatch.setattr(module, "weigh", counted)
    monkeypatch.setattr(module, "_MISSES", 50)
    shown = excerpts(f"{'word ' * 60}\n" * 400, ["word"])
    assert [shown(20), shown(21), shown(22)] == ["", "", ""]
    assert len(weighed) == 51


def test_of_too_many_words_for_so_long_a_text_the_longest_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needles, "_LOOKS", 2 * len(TALK))
    monkeypatch.setattr(needles, "_ALWAYS", 1)
    text = TALK.replace("line 20 says", "line 20 pumped").replace("line 30 says", "line 30 ran")
    shown = excerpts(text, ["ran", "pumped", "valve"])(30)
    assert "line 20" in shown
    assert "line 30" not in shown


def test_a_word_that_most_lines_of_a_long_text_hold_tells_none_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_COMMON", 39)
    text = "Bob: line 0 is silent.\n" * 3 + TALK
    assert excerpts(text, ["says"])(30).startswith("Bob")


def test_where_nothing_that_holds_a_needle_fits_nothing_is_shown() -> None:
    content = "the vault password is rotated by ana " + "and the tests run after each merge " * 30
    short, long = (excerpts(content, ("vault", "password"))(tokens) for tokens in (60, 200))
    assert short == ""
    assert "vault password" in long
