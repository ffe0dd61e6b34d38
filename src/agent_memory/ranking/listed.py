"""Lists of words, written as one text: quoted one by one they cannot be read."""


def listed(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())
