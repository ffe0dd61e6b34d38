"""What others would find in the same texts: the original formula and stock search engines, as they come."""

import importlib
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from math import log
from types import MappingProxyType
from typing import Any, Final

from retrieval_service import NOW
from retrieval_sets import Text

# From a query to the ids of the best texts, best first.
Find = Callable[[str, int], list[str]]
_WORD: Final = re.compile(r"\w+")
_HALF_LIFE_DAYS: Final = 30.0
_CONFIDENCE: Final = 0.8


def original(texts: Sequence[Text]) -> Find:
    """TF x log(N / df) + 0.3 confidence + 0.2 recency + 0.05 when the text contains the query as it stands."""
    words = [Counter(_words(text.plain)) for text in texts]
    holding = Counter(word for counts in words for word in counts)
    lower = [text.plain.lower() for text in texts]
    recency = [_recency(text.at) for text in texts]

    def find(query: str, most: int) -> list[str]:
        rarity = {word: log(len(texts) / holding[word]) for word in _words(query) if word in holding}
        scores = {
            place: sum(counts[word] * weight for word, weight in rarity.items())
            + 0.3 * _CONFIDENCE
            + 0.2 * recency[place]
            + (0.05 if query.lower() in lower[place] else 0.0)
            for place, counts in enumerate(words)
        }
        return [texts[place].id for place in sorted(scores, key=lambda place: -scores[place])[:most]]

    return find


def tfidf(texts: Sequence[Text]) -> Find:
    """scikit-learn's TfidfVectorizer with its English stop words, by cosine."""
    library: Any = importlib.import_module("sklearn.feature_extraction.text")
    vectorizer = library.TfidfVectorizer(stop_words="english")
    matrix = vectorizer.fit_transform([text.plain for text in texts])

    def find(query: str, most: int) -> list[str]:
        scores = (matrix @ vectorizer.transform([query]).T).toarray().ravel()
        return [texts[int(place)].id for place in (-scores).argsort(kind="stable")[:most] if scores[place] > 0.0]

    return find


def bm25s(texts: Sequence[Text]) -> Find:
    """bm25s with its English stop words and a Snowball stemmer, otherwise as it comes."""
    library: Any = importlib.import_module("bm25s")
    stemmer: Any = importlib.import_module("Stemmer").Stemmer("english")
    index = library.BM25()
    tokens = library.tokenize([text.plain for text in texts], stopwords="en", stemmer=stemmer, show_progress=False)
    index.index(tokens, show_progress=False)

    def find(query: str, most: int) -> list[str]:
        asked = library.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False)
        if not asked[0]:
            return []
        places, scores = index.retrieve(asked, k=min(most, len(texts)), show_progress=False)
        return [texts[int(place)].id for place, score in zip(places[0], scores[0], strict=True) if score > 0.0]

    return find


def fts5(texts: Sequence[Text]) -> Find:
    """SQLite FTS5 with its Porter tokenizer, any word of the query, by its bm25()."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'porter unicode61')")
    table.executemany("INSERT INTO texts (rowid, body) VALUES (?, ?)", enumerate((text.plain for text in texts), 1))

    def find(query: str, most: int) -> list[str]:
        asked = " OR ".join(f'"{word}"' for word in _words(query))
        if not asked:
            return []
        rows = table.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?", (asked, most)
        )
        return [texts[int(row) - 1].id for (row,) in rows]

    return find


def tantivy(texts: Sequence[Text]) -> Find:
    """Tantivy with its English stemmer, any word of the query."""
    library: Any = importlib.import_module("tantivy")
    builder = library.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="en_stem")
    builder.add_integer_field("place", stored=True)
    index = library.Index(builder.build())
    writer = index.writer(15_000_000, 1)
    for place, text in enumerate(texts):
        writer.add_document(library.Document(body=text.plain, place=place))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def find(query: str, most: int) -> list[str]:
        words = " ".join(_words(query))
        if not words:
            return []
        try:
            parsed = index.parse_query(words, ["body"])
        except ValueError:  # nothing is left of words that its analyzer finds too long, such as a line of Chinese
            return []
        hits = searcher.search(parsed, most).hits
        return [texts[int(searcher.doc(address)["place"][0])].id for _, address in hits]

    return find


ENGINES: Final[Mapping[str, Callable[[Sequence[Text]], Find]]] = MappingProxyType(
    {"original": original, "tfidf": tfidf, "bm25s": bm25s, "fts5": fts5, "tantivy": tantivy}
)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _recency(at: str) -> float:
    """1 for now, half of it every `_HALF_LIFE_DAYS`; 1 where a text has no date."""
    if not at:
        return 1.0
    then = datetime.fromisoformat(at)
    days = (NOW.replace(tzinfo=None) - then.replace(tzinfo=None)).total_seconds() / 86_400
    return 0.5 ** (max(0.0, days) / _HALF_LIFE_DAYS)
