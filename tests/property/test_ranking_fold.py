"""Folding near-copies leaves a text alone only when no other comes near it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.ranking.near_copies import fold, is_copy, is_fact, signs_of
from agent_memory.ranking.tokenize import is_unspaced, split_words

LONG = ("the nginx pool of 15", "was too small so we made", "it much larger", "and then it held")
PIECES = ("also", "Also", "15", "１５", "²", "2", "not", "pool", "!=", "don’t", "don't", "٣", "3")


@st.composite
def texts(draw: st.DrawFn) -> str:
    at = draw(st.integers(0, len(LONG)))
    more = draw(st.lists(st.sampled_from(PIECES), max_size=2))
    rest = " ".join(LONG[at:])
    return " ".join([*LONG[:at], *more, rest.upper() if draw(st.booleans()) else rest] * draw(st.integers(1, 2)))


def near(one: str, other: str) -> bool:
    """Whether two texts are near-copies, said without any of the short cuts."""
    raw = [split_words(text) for text in (one, other)]
    words = [[word.casefold() for word in found] for found in raw]
    signs = [signs_of(text) for text in (one, other)]
    if words[0] == words[1] and signs[0] == signs[1]:
        return bool(words[0]) or one == other
    facts = [[word for word in found if is_fact(word)] for found in raw]
    spaced = not (is_unspaced(one) or is_unspaced(other))
    return spaced and facts[0] == facts[1] and signs[0] == signs[1] and is_copy(words[0], words[1])


@settings(deadline=None)
@given(st.lists(texts() | st.sampled_from(PIECES), max_size=6))
def test_each_text_is_folded_into_a_kept_near_copy_and_kept_ones_are_near_to_none_kept_before(
    contents: list[str],
) -> None:
    places = fold(contents)
    kept = [place for place, into in enumerate(places) if into == place]
    for place, into in enumerate(places):
        before = [other for other in kept if other < place and near(contents[place], contents[other])]
        if into == place:
            assert not before
        elif into not in before:  # folded with the text of the same words that was folded before it
            assert any(near(contents[place], contents[other]) and places[other] == into for other in range(place))
