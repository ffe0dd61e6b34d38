"""Tokens as the encodings of two common model families count them, offline: their vocabularies ship in the wheel."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # how it reads its own data files
    from bpe_openai import get_encoding


def count_tokens(text: str) -> int:
    """The tokens of `text` in o200k or in cl100k, whichever are more."""
    return max(len(get_encoding(name).encode(text)) for name in ("o200k_base", "cl100k_base"))
