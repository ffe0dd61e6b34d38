"""A word that stored text cannot know, to frame it with."""

from typing import Final

from ..base import Context

_LENGTH: Final = 8
_LETTERS: Final = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


def make_nonce(context: Context) -> str:
    """Eight letters a-p; of letters only, so that every nonce counts the same number of tokens."""
    return context.new_id()[:_LENGTH].translate(_LETTERS)
