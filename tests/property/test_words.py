"""Pieces are a quicker way to the words of a text: the same words, in the same order, whatever the text."""

import re
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.ranking.tokenize import split_pieces, split_words, words_of_piece

SIGNS = st.sampled_from([*"aB9é_.-/:@\\'+#,;!?(\"’\xad\u200d\ufe20\u0301हिन支ß²  \n\t\x1c\x85\xa0\u3000"])
texts = st.text(st.characters(codec=None), max_size=60) | st.lists(SIGNS, max_size=30).map("".join)
# As `split_words` describes them, the joiners of a word tried after each of its parts.
_WORDS = re.compile(r"[\w]+(?:[._\-/:@\\']{1,3}[\w]+)*(?:\+\+|#)?")


@given(texts)
def test_the_words_of_the_pieces_are_those_of_the_text(text: str) -> None:
    assert list(chain.from_iterable(map(words_of_piece, split_pieces(text)))) == split_words(text)


@given(st.text(st.characters(max_codepoint=127), max_size=60) | st.text("aB9_.-/:@\\'+# ", max_size=30))
def test_a_word_ends_where_no_joiner_leads_on(text: str) -> None:
    assert split_words(text) == _WORDS.findall(text)


@given(texts)
def test_a_word_is_its_own_piece(text: str) -> None:
    for word in chain.from_iterable(map(words_of_piece, split_pieces(text))):
        assert words_of_piece(word) == [word]
