from agent_memory.text.snippet import Snippet, cut

LONG = "alpha beta gamma delta " * 40 + "the ECONNRESET came from the proxy " + "omega psi chi " * 60


def test_a_text_that_fits_is_given_whole() -> None:
    assert cut("short text", 10, ["text"]) == Snippet("short text", truncated=False)


def test_without_needles_the_beginning_is_shown_up_to_a_word() -> None:
    shown = cut(LONG, 50, [])
    assert shown.truncated
    assert len(shown.text) <= 50
    assert shown.text.startswith("alpha")
    assert LONG.startswith(shown.text.removesuffix("…") + " ")


def test_the_window_holds_the_needles_in_any_case() -> None:
    shown = cut(LONG, 60, ["econnreset", "PROXY", "absent"])
    assert "ECONNRESET" in shown.text
    assert "proxy" in shown.text
    assert shown.text[0] == shown.text[-1] == "…"
    assert len(shown.text) <= 60


def test_two_different_needles_beat_one_often() -> None:
    content = "cache " * 30 + "x " * 200 + "cache with redis " + "y " * 200
    assert "redis" in cut(content, 60, ["cache", "redis"]).text


def test_a_needle_at_the_very_end_is_shown() -> None:
    content = "word " * 300 + "needle"
    assert cut(content, 40, ["needle"]).text.endswith("needle")


def test_clusters_stay_whole() -> None:
    for length in range(3, 40):
        shown = cut("👨\u200d👩\u200d👧" * 60, length, []).text.removesuffix("…")
        assert shown == "👨\u200d👩\u200d👧" * (len(shown) // 5)


def test_tiny_lengths_are_kept() -> None:
    assert [len(cut(LONG, length, ["proxy"]).text) <= length for length in (1, 2, 3, 4)] == [True] * 4
