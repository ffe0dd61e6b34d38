from hypothesis import given
from hypothesis import strategies as st

from agent_memory.text.chunking import split
from agent_memory.text.graphemes import ceiling, is_boundary
from agent_memory.text.tokens import estimate

PIECES = st.one_of(
    st.sampled_from(
        ["# A\n", "## B ##\n", "### C\n\n", "Title\n===\n", "---\n", "```py\n", "```\n", "~~~\n", "> ", "\n", "\n\n"]
    ),
    st.sampled_from(
        ["- item. one\n", "1. item\n", "| a | b |\n", "|---|---|\n", "word ", "A sentence. ", "x" * 60, "\t", "\r\n"]
    ),
    st.sampled_from(
        [
            "今天。",
            "👨\u200d👩\u200d👧",
            "🇩🇪",
            "e\u0301\u0301",
            "\u0301",
            "\ud83d",
            "\ude00",
            "\x00",
            "\ufeff",
            "\u200d",
            "क्ष",
        ]
    ),
    st.text(alphabet=st.characters(), max_size=20),
)
DOCUMENTS = st.lists(PIECES, max_size=60).map("".join)


@given(DOCUMENTS, st.integers(1, 120))
def test_chunks_rejoin_to_the_text_and_keep_the_limit(text: str, limit: int) -> None:
    chunks = split(text, limit)
    assert "".join(chunk.text for chunk in chunks) == text
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end] != ""
        assert chunk.tokens == estimate(chunk.text)
        assert is_boundary(text, chunk.start)
        one_character = ceiling(chunk.text, 1) == len(chunk.text)
        assert chunk.tokens <= limit or one_character


@given(st.lists(st.sampled_from("aA0. \né字🚀\u0301\ud800")).map("".join), st.text(max_size=3))
def test_a_text_never_costs_less_when_it_grows(text: str, more: str) -> None:
    assert estimate(text + more) >= estimate(text)
