"""Classic TF-IDF cosine, for those who want the textbook."""

from collections.abc import Sequence

from .document import Document
from .hits import Ranking


def search_tfidf(documents: Sequence[Document], query: str, *, now: str) -> Ranking:
    """Rank by the cosine of TF-IDF vectors."""
    raise NotImplementedError
