import pytest

from agent_memory.text.graphemes import ceiling, floor, is_boundary


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",
        "\r\n",
        "👨\u200d👩\u200d👧",
        "👍🏽",
        "🇩🇪",
        "\u1100\u1161\u11a8",
        "가\u11a8",
        "ก\u0e33",
        "\ud83d\ude00",
    ],
)
def test_a_visible_character_is_not_cut(cluster: str) -> None:
    text = f"a{cluster}b"
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == [0, 1, len(text) - 1, len(text)]
    assert floor(text, len(text) - 2) == 1
    assert ceiling(text, 2) == len(text) - 1


def test_flags_are_cut_between_pairs() -> None:
    assert [at for at in range(5) if is_boundary("🇩🇪🇫🇷", at)] == [0, 2, 4]
    assert floor("🇩🇪🇫🇷", 3) == 2


def test_a_line_end_takes_no_mark() -> None:
    assert is_boundary("a\n\u0301", 2)
