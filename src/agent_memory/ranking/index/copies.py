"""Which memories are near-copies of each other, found when they come in: `near_copies.fold` for those that match."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from ..document import Document
from ..near_copies import is_copy, signs_of, telling
from ..tokenize import is_unspaced, split_words
from .columns import Column, Flags, Ints
from .hashed import Hashed
from .words import Words

# A text of fewer words is a near-copy only when it has the same words.
_FEWEST: Final = 9
_BITS: Final = 64

Key = tuple[tuple[int, ...] | str, tuple[str, ...]]


class Copies:
    """Rows by text: those of the same words and facts share a node, and near-copies are edges between nodes.

    `documents` and `words` are the caller's. Rows that were removed stay; nobody asks for them.
    """

    def __init__(self, documents: Sequence[Document], words: Words) -> None:
        self._documents = documents
        self._words = words
        self._node_of = Column(np.int32)
        self._linked = Column(np.bool_)
        self._examples = Column(np.int32)
        self._facts = Column(np.int64)
        self._signatures = Column(np.uint64)
        self._key_of = Column(np.int32)
        self._members: dict[int, list[int]] = {}
        self._edges: dict[int, set[int]] = {}
        self._by_key = Hashed()
        self._by_words = Hashed()

    def add(self, content: Sequence[int]) -> None:
        """Add the next row: the words of its content by number; its document stands in the caller's list by now."""
        row = self._node_of.size
        text = self._documents[row].content
        key = self._key(text, content)
        signs = key[1]
        is_a_fact = self._words.facts
        facts = hash((tuple(word for word in content if is_a_fact[word]), signs))
        self._linked.append(False)
        peers = self._same_key(hash(key), key)
        for node in peers:
            if self._facts.values[node] == facts:
                self._node_of.append(node)
                self._members.setdefault(node, [int(self._examples.values[node])]).append(row)
                self._link((node,))
                return
        node = self._examples.size
        self._node_of.append(node)
        self._examples.append(row)
        self._facts.append(facts)
        folded = [self._words.folded[word] for word in content]
        signature = _signature(folded)
        self._signatures.append(signature)
        self._key_of.append(self._key_of.values[peers[0]] if peers else node)
        self._by_key.add((hash(key),), node)
        near = set(peers)
        if len(content) >= _FEWEST and not is_unspaced(text):
            hashes = [hash((facts, word)) for word in sorted(set(folded), reverse=True)[: telling(len(folded))]]
            near |= {other for other in self._likely(hashes, facts, signature) if self._is_copy(folded, other)}
            self._by_words.add(hashes, node)
        for other in near:
            self._edges.setdefault(node, set()).add(other)
            self._edges.setdefault(other, set()).add(node)
        if near:
            self._link((node, *near))

    def linked(self, rows: Ints) -> Flags:
        """Which of `rows` may have a near-copy."""
        return self._linked.values[rows]

    def fold(self, rows: Iterable[int]) -> dict[int, int]:
        """For each of `rows`, best first, that is folded into another: which."""
        same: dict[int, int] = {}
        kept: dict[int, tuple[int, int]] = {}
        into: dict[int, int] = {}
        for place, row in enumerate(rows):
            node = int(self._node_of.values[row])
            key = int(self._key_of.values[node])
            original = same.get(key)
            if original is None:
                first = min((kept[other] for other in self._edges.get(node, ()) if other in kept), default=(place, row))
                original = same[key] = first[1]
                if original == row:
                    kept[node] = place, row
            if original != row:
                into[row] = original
        return into

    def _key(self, text: str, content: Sequence[int]) -> Key:
        if not content:
            return text, ()
        return tuple(self._words.folded[word] for word in content), signs_of(text)

    def _same_key(self, hashed: int, key: Key) -> list[int]:
        """The nodes whose texts have the same words and signs, whatever their case."""
        found: list[int] = []
        for node in self._by_key.find((hashed,)):
            text = self._documents[int(self._examples.values[node])].content
            if self._key(text, self._words.numbers(split_words(text))) == key:
                found.append(node)
        return found

    def _likely(self, hashes: Sequence[int], facts: int, signature: int) -> list[int]:
        """The nodes of any of `hashes` with the same facts that may have all of these words, or no others."""
        found = self._by_words.find(hashes)
        if not found:
            return []
        nodes = np.unique(np.array(found, np.int32))
        theirs, ours = self._signatures.values[nodes], np.uint64(signature)
        both = theirs & ours
        likely = ((both == ours) | (both == theirs)) & (self._facts.values[nodes] == facts)
        return nodes[likely].tolist()

    def _is_copy(self, folded: Sequence[int], node: int) -> bool:
        text = self._documents[int(self._examples.values[node])].content
        return is_copy(folded, [self._words.folded[word] for word in self._words.numbers(split_words(text))])

    def _link(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            self._linked.values[self._members.get(node, [int(self._examples.values[node])])] = True


def _signature(words: Iterable[int]) -> int:
    """A bit of 64 for each of `words`: those of some of them are among those of all."""
    signature = 0
    for word in words:
        signature |= 1 << (word % _BITS)
    return signature
