from dataclasses import replace

from agent_memory.text.compact import facts_of, frame_line, stored_lines
from agent_memory.text.render import Entry


def entry(content: str, title: str = "Title", tags: tuple[str, ...] = ()) -> Entry:
    return Entry("id1", title, "fact", "agent", "normal", 3.4, "2026-03-01T00:00:00.000Z", None, tags, content)


def test_over_each_block_stands_the_type_source_trust_and_age_of_all_in_it() -> None:
    facts = facts_of(replace(entry("plain"), age_days=9.0, echo=True))
    said = "fact, source agent, trust normal, 9 days old (2026-03-01), echo"
    assert frame_line(facts, 3, 3, "k3f9") == f"[k3f9 #3] {said}\n"
    assert frame_line(facts, 3, 5, "k3f9") == f"[k3f9 #3-5] {said}\n"


def test_the_first_line_of_each_of_several_has_its_number() -> None:
    assert stored_lines(entry("one\n2 two", "one"), 12) == "|12 one\n| 2 two\n"
    assert stored_lines(entry("", "", ("a", "b")), 1) == "|1 tags: a, b\n|\n|\n"
    assert stored_lines(entry("", ""), 1) == "|1\n"


def test_one_alone_has_no_number() -> None:
    assert stored_lines(entry("one\n2 two", "one"), None) == "| one\n| 2 two\n"


def test_a_title_that_only_repeats_the_content_is_left_out() -> None:
    assert "title" not in stored_lines(entry("Deploy on Tuesdays.", "Deploy on…"), None)
    assert "| title: Deploys" in stored_lines(entry("Deploy on Tuesdays.", "Deploys"), None)


def test_a_title_that_is_the_first_line_with_words_without_its_marks_is_left_out() -> None:
    assert "title" not in stored_lines(entry("\n---\n## Deploy  on Tuesdays\nAt 9.", "Deploy on Tuesdays"), None)
    assert stored_lines(entry("#pragma once\nint x;", "pragma once"), 3) == "|3 #pragma once\n| int x;\n"
    assert "| title: once" in stored_lines(entry("#pragma once\nint x;", "once"), None)


def test_blank_lines_at_the_ends_of_a_text_are_left_out() -> None:
    assert stored_lines(entry("\n\n  one\n\ntwo \n\n\n", "one"), 2) == "|2   one\n|\n| two \n"
    assert stored_lines(entry("\n\n", "", ("a",)), None) == "| tags: a\n|\n|\n"
    assert stored_lines(entry("\n", ""), 1) == "|1\n"


def test_a_text_whose_first_line_looks_like_a_head_keeps_its_title_before_it() -> None:
    assert stored_lines(entry("\ntitle: one\n", "title: one"), None) == "| title: title: one\n|\n| title: one\n"
