"""The claims of many texts of which few are asked for: all texts are skimmed, and those that matter are read."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from .tokenize import split_pieces, words_of_piece
from .updates import LONGEST, Claim, Claims, forms, may_claim, read_claim, read_word

_BITS: Final = 20
_MASK: Final = (1 << _BITS) - 1


def skim(contents: Mapping[str, str]) -> Claims:
    """The claims of `contents`, texts by memory id: the same as `KeptClaims`, quicker where few are asked for."""
    lexicon = _Lexicon()
    claiming: dict[str, str] = {}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for memory_id, content in contents.items():
        if not may_claim(content):
            continue
        pieces = split_pieces(content)
        sizes = lexicon.measure(pieces)
        words, values, subject = sizes >> 2 * _BITS, sizes >> _BITS & _MASK, sizes & _MASK
        if words <= LONGEST and values and subject:
            claiming[memory_id] = content
            for piece in lexicon.telling.intersection(pieces):
                found[piece].append(memory_id)
    return Claims(_Reading(claiming), _Holding(lexicon.holding, found))


class _Lexicon(dict[str, int]):
    """The pieces of the texts, each analysed once, when it is first met: how many words, values and words of a subject.

    So is each word that other signs stand beside. `telling` are the pieces with words of a subject, `holding` says in
    which of them each form of these stands.
    """

    def __init__(self) -> None:
        super().__init__()
        self.telling: set[str] = set()
        self.holding: defaultdict[str, list[str]] = defaultdict(list)
        self._subject: dict[str, str] = {}

    def measure(self, pieces: Sequence[str]) -> int:
        """What `pieces` have together; of a text too long for a claim no more than shows that."""
        sizes = 0
        for start in range(0, len(pieces), LONGEST):
            sizes += sum(map(self.__getitem__, pieces[start : start + LONGEST]))
            if sizes >> 2 * _BITS > LONGEST:
                break
        return sizes

    def __missing__(self, piece: str) -> int:
        words = words_of_piece(piece)
        if words == [piece]:
            sizes = self._read_word(piece)
        elif len(words) > LONGEST:
            sizes = len(words) << 2 * _BITS
        else:
            sizes = sum(map(self.__getitem__, words))
            self._tell(piece, {self._subject[word] for word in words if word in self._subject})
        self[piece] = sizes
        return sizes

    def _read_word(self, word: str) -> int:
        value, term = read_word(word)
        if term:
            self._subject[word] = term
            self._tell(word, (term,))
        return 1 << 2 * _BITS | bool(value) << _BITS | bool(term)

    def _tell(self, piece: str, terms: Collection[str]) -> None:
        if terms:
            self.telling.add(piece)
        for form in {form for term in terms for form in forms(term)}:
            self.holding[form].append(piece)


class _Reading(Mapping[str, Claim]):
    """The claims of texts, each read when it is asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._read: dict[str, Claim] = {}

    def __getitem__(self, memory_id: str) -> Claim:
        found = self._read.get(memory_id) or read_claim(self._texts[memory_id])
        if found is None:
            raise KeyError(memory_id)
        self._read[memory_id] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class _Holding(Mapping[str, frozenset[str]]):
    """The ids whose texts hold a form, put together of those that hold its `pieces` when it is asked for."""

    def __init__(self, pieces: Mapping[str, list[str]], found: Mapping[str, list[str]]) -> None:
        self._pieces, self._found = dict(pieces), found
        self._known: dict[str, frozenset[str]] = {}

    def __getitem__(self, form: str) -> frozenset[str]:
        known = self._known.get(form)
        if known is None:
            lists = (self._found.get(piece, ()) for piece in self._pieces[form])
            known = self._known[form] = frozenset(chain.from_iterable(lists))
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)
