"""One pass over the memories: what of the query stands in each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, product
from typing import Final

from .code import code_languages, defined_name
from .document import Document
from .query import Query, grams_of
from .tokenize import is_unspaced, split_words, word_terms

# A text of so many times the length of what it begins with is about that.
_LONG: Final = 6


@dataclass(slots=True)
class Evidence:
    """What one memory holds of the query. Counts are weighted by field; lengths are in terms and in grams."""

    terms: dict[str, float] = field(default_factory=dict[str, float])
    pairs: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    grams: dict[str, float] = field(default_factory=dict[str, float])
    surfaces: dict[str, str] = field(default_factory=dict[str, str])
    length: float = 0.0
    gram_length: float = 0.0


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one word of the store means for the query."""

    size: int
    gram_size: int
    terms: tuple[str, ...]
    grams: tuple[str, ...]


class _Lexicon(dict[str, _Entry]):
    """The words of the store, each analysed once, when it is first met."""

    def __init__(self, query: Query) -> None:
        super().__init__()
        self._query = query
        self._terms = frozenset(term for word in query.words for term in word.terms)

    def __missing__(self, word: str) -> _Entry:
        found = word_terms(word, self._query.language)
        grams = grams_of(word) if self._query.grams and found else ()
        entry = _Entry(
            len(found),
            len(grams),
            tuple(term for term in found if term in self._terms),
            tuple(gram for gram in grams if gram in self._query.grams),
        )
        self[word] = entry
        return entry


def scan(documents: Sequence[Document], query: Query, field_weight: float) -> list[Evidence]:
    """What each of `documents` holds of `query`, in their order."""
    lexicon = _Lexicon(query)
    found: list[Evidence] = []
    for document in documents:
        evidence = Evidence()
        _read(body(document), 1.0, evidence, lexicon, query)
        _read(labels(document), field_weight, evidence, lexicon, query)
        found.append(evidence)
    return found


def needle(surface: str, term: str) -> str:
    """What to look for in the text when `term` was met in the word `surface`: in a run without spaces, the term."""
    return term if is_unspaced(surface) and term in surface else surface


def body(document: Document) -> str:
    """The content, after who said it where the content does not begin with that."""
    speaker = document.speaker
    named = not speaker or document.content.startswith(speaker)
    return document.content if named else f"{speaker}: {document.content}"


def labels(document: Document) -> str:
    """What names the memory: title, tags, url, the languages of its code and the name that this defines.

    A title that only repeats the beginning of the content is left out, unless there is much more to it and no code:
    what a long text begins with says what it is about.
    """
    content, title = document.content, document.title
    languages = code_languages(content)
    repeats = content.lstrip().startswith(title.rstrip(" .…"))
    begins = not languages and len(content) >= _LONG * len(title)
    name = defined_name(content) if languages else None
    return "\n".join(
        (*((title,) if begins or not repeats else ()), *document.tags, document.url or "", *languages, name or "")
    )


def _read(text: str, weight: float, evidence: Evidence, lexicon: _Lexicon, query: Query) -> None:
    size = gram_size = 0
    before: tuple[str, ...] = ()
    terms, grams = evidence.terms, evidence.grams
    for word in split_words(text):
        entry = lexicon[word]
        if not entry.size:
            continue
        size += entry.size
        gram_size += entry.gram_size
        for gram in entry.grams:
            grams[gram] = grams.get(gram, 0.0) + weight
        here = entry.terms
        for term in here:
            terms[term] = terms.get(term, 0.0) + weight
            evidence.surfaces.setdefault(term, word)
        if here:
            for pair in chain(product(before, here), pairwise(here)):
                if pair in query.pairs:
                    evidence.pairs[pair] = evidence.pairs.get(pair, 0.0) + weight
        before = here
    evidence.length += weight * size
    evidence.gram_length += weight * gram_size
