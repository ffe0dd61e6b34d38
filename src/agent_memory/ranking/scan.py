"""One pass over the memories: what of the query stands in each."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, product
from typing import Final

from .code import code_languages, defined_names, is_code
from .document import Document
from .query import Query, grams_of
from .related import is_unlike
from .tokenize import fold_marks, is_unspaced, plain_terms, split_pieces, words_of_piece

# A text of so many times the length of what it begins with is about that.
_LONG: Final = 6


@dataclass(slots=True)
class Evidence:
    """What one memory holds of the query. Counts are weighted by field; lengths are in terms and in grams.

    `related` counts, by term of the query that it lacks, what may stand for it; `stand_ins` are these terms, each with
    the word in which it is first met, also for terms that it does hold.
    """

    terms: dict[str, float] = field(default_factory=dict[str, float])
    related: dict[str, float] = field(default_factory=dict[str, float])
    pairs: dict[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    grams: dict[str, float] = field(default_factory=dict[str, float])
    surfaces: dict[str, str] = field(default_factory=dict[str, str])
    stand_ins: dict[str, str] = field(default_factory=dict[str, str])
    length: float = 0.0
    gram_length: float = 0.0


@dataclass(frozen=True, slots=True)
class _Held:
    """A word of the store, and what it holds of the query; `related` terms each with those that it may stand for."""

    word: str
    terms: tuple[str, ...] = ()
    grams: tuple[str, ...] = ()
    related: tuple[tuple[str, tuple[str, ...]], ...] = ()


_BITS: Final = 32


class Lexicon(dict[str, int]):
    """The pieces of the store, each analysed once, when it is first met: its terms << 32 | its grams, how many of each.

    So is each word that other signs stand beside, since many pieces share it. `held` has the words of those pieces that
    hold something of the `query`, but for words without a term.
    """

    def __init__(self, query: Query) -> None:
        super().__init__()
        self.held: dict[str, tuple[_Held, ...]] = {}
        self._ask(query)

    def widen(self, query: Query, stems: Sequence[str]) -> None:
        """Go on with `query`, which is the same but for related words; all of these hold one of `stems`."""
        self._ask(query)
        for piece in [piece for piece in self if _has(piece, stems)]:
            del self[piece]
            self.held.pop(piece, None)

    def _ask(self, query: Query) -> None:
        self.query = query
        self._terms = frozenset(term for word in query.words for term in word.terms)
        self._stands_for: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
        for term, members in query.related.items():
            for one in members:
                self._stands_for[one] += (term,)

    def __missing__(self, piece: str) -> int:
        words = words_of_piece(piece)
        if words == [piece]:
            sizes = self._read_word(piece)
        else:
            sizes, held = sum(map(self.__getitem__, words)), self.held
            if not held.keys().isdisjoint(words):
                said = ((held[word] if word in held else (_Held(word),)) for word in words if self[word])
                held[piece] = tuple(chain.from_iterable(said))
        self[piece] = sizes
        return sizes

    def _read_word(self, word: str) -> int:
        found = plain_terms(word, self.query.language)
        if not found:
            return 0
        runs = grams_of(word) if self.query.grams else ()
        terms = tuple(filter(self._terms.__contains__, found))
        grams = tuple(filter(self.query.grams.__contains__, runs))
        kin = () if is_unlike(word.casefold()) else filter(self._stands_for.__contains__, found)
        related = tuple((one, self._stands_for[one]) for one in kin)
        if terms or grams or related:
            self.held[word] = (_Held(word, terms, grams, related),)
        return len(found) << _BITS | len(runs)


def scan(
    documents: Sequence[Document], query: Query, field_weight: float, lexicon: Lexicon | None = None
) -> list[Evidence]:
    """What each of `documents` holds of `query`, in their order; the `lexicon` of that query may know them already."""
    lexicon = Lexicon(query) if lexicon is None else lexicon
    found: list[Evidence] = []
    for document in documents:
        evidence = Evidence()
        _read(body(document), 1.0, evidence, lexicon, query)
        _read(labels(document), field_weight, evidence, lexicon, query)
        for term in evidence.terms.keys() & evidence.related.keys():
            del evidence.related[term]
        found.append(evidence)
    return found


def _has(piece: str, stems: Sequence[str]) -> bool:
    lower = piece.casefold()
    folded = lower if lower.isascii() else fold_marks(lower)
    return any(stem in lower or stem in folded for stem in stems)


def needle(surface: str, term: str) -> str:
    """What to look for in the text when `term` was met in the word `surface`: in a run without spaces, the term."""
    return term if is_unspaced(surface) and term in surface else surface


def body(document: Document) -> str:
    """The content, after who said it where the content does not begin with that."""
    speaker = document.speaker
    named = not speaker or document.content.startswith(speaker)
    return document.content if named else f"{speaker}: {document.content}"


def labels(document: Document) -> str:
    """What names the memory: title, tags, url, the languages of its code and the first names that this defines.

    A title that only repeats the beginning of the content is left out, unless there is much more to it and no code:
    what a long text begins with says what it is about.
    """
    content, title = document.content, document.title
    languages = code_languages(content)
    coded = bool(languages) or is_code(content)
    repeats = content.lstrip().startswith(title.rstrip(" .…"))
    begins = not languages and len(content) >= _LONG * len(title)
    names = defined_names(content) if coded else ()
    return "\n".join(
        (*((title,) if begins or not repeats else ()), *document.tags, document.url or "", *languages, *names)
    )


def _read(text: str, weight: float, evidence: Evidence, lexicon: Lexicon, query: Query) -> None:
    pieces = split_pieces(text)
    sizes = sum(map(lexicon.__getitem__, pieces))
    evidence.length += weight * (sizes >> _BITS)
    evidence.gram_length += weight * (sizes & ((1 << _BITS) - 1))
    terms, grams, said = evidence.terms, evidence.grams, 0
    for held in chain.from_iterable(map(lexicon.held.__getitem__, filter(lexicon.held.__contains__, pieces))):
        for gram in held.grams:
            grams[gram] = grams.get(gram, 0.0) + weight
        for term in held.terms:
            terms[term] = terms.get(term, 0.0) + weight
            evidence.surfaces.setdefault(term, held.word)
        for one, stands_for in held.related:
            evidence.stand_ins.setdefault(one, held.word)
            for term in stands_for:
                evidence.related[term] = evidence.related.get(term, 0.0) + weight
        said += len(held.terms)
    if said > 1 and query.pairs:
        _read_pairs(pieces, weight, evidence.pairs, lexicon, query)


def _read_pairs(
    pieces: Sequence[str], weight: float, pairs: dict[tuple[str, str], float], lexicon: Lexicon, query: Query
) -> None:
    before: tuple[str, ...] = ()
    for piece in pieces:
        words = lexicon.held.get(piece)
        if words is None:
            before = () if lexicon[piece] else before  # words without a term part no others
            continue
        for held in words:
            for pair in chain(product(before, held.terms), pairwise(held.terms)) if held.terms else ():
                if pair in query.pairs:
                    pairs[pair] = pairs.get(pair, 0.0) + weight
            before = held.terms
