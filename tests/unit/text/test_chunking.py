import pytest

from agent_memory.text.chunking import Chunk, split
from agent_memory.text.tokens import estimate

SENTENCES = "We deploy on Friday. The gate stays closed until noon. Nobody restarts the queue by hand. "


def texts(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


def test_an_empty_text_has_no_chunks_and_a_short_one_has_one() -> None:
    assert split("", 400) == []
    assert split("short", 400) == [Chunk(0, 0, 5, "short", estimate("short"), None)]


def test_major_headings_start_chunks_and_name_them() -> None:
    text = f"# Setup\n\n{SENTENCES}\n\n## Database\n\n{SENTENCES}\n\n## Cache\n\n{SENTENCES}\n"
    chunks = split(text, 60)
    assert [chunk.heading for chunk in chunks] == ["Setup", "Setup > Database", "Setup > Cache"]
    assert chunks[1].text.startswith("## Database")


def test_a_heading_stays_with_the_text_under_it() -> None:
    text = f"{SENTENCES}\n\n### Rollback\n\n{SENTENCES * 3}"
    for limit in range(12, 80):
        for chunk in split(text, limit):
            assert not chunk.text.rstrip().endswith("### Rollback")


def test_headings_without_text_go_with_the_one_below() -> None:
    chunks = split(f"{SENTENCES}\n# A\n## B\n### C\n{SENTENCES}", 50)
    assert [chunk.heading for chunk in chunks] == [None, "A > B > C"]


def test_underlined_headings_count() -> None:
    text = f"Setup\n=====\n\n{SENTENCES}\n\nDatabase\n--------\n\n{SENTENCES}"
    assert [chunk.heading for chunk in split(text, 60)] == ["Setup", "Setup > Database"]


@pytest.mark.parametrize("mark", ["```", "~~~", "````"])
def test_a_fenced_block_that_fits_is_never_cut(mark: str) -> None:
    block = f"{mark}py\n# no heading\n\nx = 1. \n\ny = 2\n{mark}\n"
    text = f"# Title\n\n{SENTENCES}\n\n{block}\n{SENTENCES}"
    for limit in range(estimate(block), 120):
        assert any(block in chunk.text for chunk in split(text, limit)), limit
        assert all(chunk.heading == "Title" for chunk in split(text, limit))


def test_a_fenced_block_too_large_is_cut_at_its_blank_lines() -> None:
    body = "x = compute(a, b)\ny = compute(b, c)\n\n"
    chunks = split(f"```py\n{body * 12}```\n", 60)
    assert all(chunk.text.endswith("\n\n") for chunk in chunks[:-1])


def test_list_items_and_table_rows_stay_whole() -> None:
    items = [f"- item {number} is about the queue. It has two sentences.\n" for number in range(12)]
    rows = [f"| row {number} | a. b. c. |\n" for number in range(30)]
    for lines in (items, rows):
        for chunk in split("".join(lines), 60):
            assert chunk.text in "".join(lines)
            assert chunk.text.startswith(("- ", "| "))
            assert chunk.text.endswith("\n")


def test_long_prose_is_cut_after_sentences() -> None:
    assert all(chunk.text.endswith(". ") for chunk in split(SENTENCES * 20, 40))
    chinese = "今天下午部署了支付服务。明天上午检查日志！谁来值班？"
    assert all(chunk.text[-1] in "。！？" for chunk in split(chinese * 20, 40))


def test_words_are_cut_only_when_alone_too_long() -> None:
    assert all(chunk.text.endswith("word ") for chunk in split("word " * 200, 20))
    assert max(chunk.tokens for chunk in split("x" * 5000, 20)) <= 20


def test_a_visible_character_over_the_limit_stays_whole() -> None:
    assert texts(split("a" + "e" + "\u0301" * 50 + "b", 20))[-2:] == ["e" + "\u0301" * 50, "b"]


def test_an_edit_in_one_section_leaves_the_chunks_of_the_others() -> None:
    sections = [f"## Part {number}\n\n{SENTENCES * (number % 4 + 1)}\n\n" for number in range(12)]
    before = set(texts(split("".join(sections), 100)))
    sections[5] = sections[5].replace("Friday", "Monday, after the review of the week and the long lunch")
    after = set(texts(split("".join(sections), 100)))
    assert len(after - before) <= 3


@pytest.mark.parametrize(
    "text", ["\ufeff# A\r\n\r\nb\x00c\r\n", "\ud800x \udfff y\n", "\n\n \n", "e\u0301 " * 40, "# a\n" * 50]
)
def test_every_code_point_survives(text: str) -> None:
    assert "".join(texts(split(text, 20))) == text
