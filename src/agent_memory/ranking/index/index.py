"""The index itself: memories come and go, and it stays what an index built from nothing would be."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

import numpy as np

from ..dates import days_in
from ..document import Document
from ..kinds import holds
from ..recipes import DEFAULT
from ..refine import asks
from ..scan import body, labels
from ..site import site_of
from ..stopwords import DEFAULT_LANGUAGE
from ..tokenize import plain_form, split_words
from .columns import Column, Flags
from .copies import Copies
from .language import Language
from .measures import Measured
from .sessions import Sessions
from .words import Block, Words

# Rows that stand in no block yet are put into one of their own at each search: few of them, and few words and runs of
# letters, so that it takes no time.
_TAIL: Final = 128
_MOST_IN_TAIL: Final = 250_000
# Building a block takes about 20 microseconds a row: no search waits for more than this many.
_LARGEST: Final = 8192
# Nor has a block more words and runs of letters than so many memories of usual length have, but for one row:
# building takes up to 50 bytes for each.
_MOST: Final = 3_000_000
# Removed rows stay until they are as many as those that are left.
_LEAST_REMOVED: Final = 1024
_MANY: Final = 64


class Index:
    """All memories by row, ready to be searched. Not for use from several threads at once.

    `documents` by row; those that were removed stay until there are many, when all rows are numbered anew in another
    `generation`. `field_weight` is the recipe's.
    """

    def __init__(self, documents: Iterable[Document] = (), field_weight: float = DEFAULT.field_weight) -> None:
        self.field_weight = field_weight
        self.generation = 0
        self._clear()
        self.update(added=documents)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self.rows

    def update(self, *, added: Iterable[Document] = (), removed: Iterable[str] = ()) -> None:
        """Take out the memories `removed`, then put in `added`, in place of those of the same id."""
        for memory_id in removed:
            self._remove(memory_id)
        before = len(self.documents)
        for document in added:
            self._remove(document.id)
            self._add(document)
            if not (len(self.documents) - before) % _LARGEST:  # what waits to be taken in takes room
                self.language(DEFAULT_LANGUAGE)
                self.blocks()
        if len(self.documents) - before > _MANY:
            self.sessions.forget_order()
        self.language(DEFAULT_LANGUAGE)
        gone = len(self.documents) - len(self.rows)
        if gone > max(_LEAST_REMOVED, len(self.rows)):
            left = [self.documents[row] for row in self.rows.values()]
            self.generation += 1
            self._clear()
            self.update(added=left)

    def alive(self) -> Flags:
        """Which rows stand for a memory."""
        return self._alive.values

    def blocks(self) -> list[Block]:
        """Where everything stands, all rows included."""
        rows, loads = self.words.rows, self.words.loads
        end = self._settled[-1].end if self._settled else 0
        while rows - end >= _TAIL or loads[rows] - loads[end] > _MOST_IN_TAIL:
            full = int(np.searchsorted(loads, int(loads[end]) + _MOST, "right")) - 1
            self._settle(end, min(rows, end + _LARGEST, max(end + 1, full)))
            end = self._settled[-1].end
        if rows == end:
            return [*self._settled]
        if self._tail is None or (self._tail.first, self._tail.end) != (end, rows):
            self._tail = Block(self.words, end, rows)
        return [*self._settled, self._tail]

    def language(self, name: str) -> Language:
        """What the words mean in the language `name` (a Snowball name)."""
        language = self._languages.setdefault(name, Language(name))
        language.catch_up(self.words)
        return language

    @property
    def nbytes(self) -> int:
        """Bytes taken by the arrays; texts and tables of words come on top."""
        parts = (self.words, *self._settled, *self._languages.values())
        return sum(part.nbytes for part in parts)

    def vocabulary(self, mask: Flags) -> Sequence[str]:
        """The words of the rows in `mask`, as they are written."""
        words = self.words
        if mask.all():
            return words.texts
        sizes = np.diff(words.starts.values, append=words.tokens.size)[: len(mask)]
        held: list[int] = np.unique(words.tokens.values[np.repeat(mask, sizes)]).tolist()
        return [words.texts[number] for number in held]

    def _clear(self) -> None:
        self.documents: list[Document] = []
        self.rows: dict[str, int] = {}
        self.words = Words(self.field_weight)
        self.sessions = Sessions(self.documents)
        self.copies = Copies(self.documents, self.words)
        self.sites: dict[str, list[int]] = {}
        self.speakers = Kinds()
        self.days = Kinds()
        self.told: dict[str, list[int]] = {}
        self.confidence = Column(np.float64)
        self.importance = Column(np.float64)
        self.retained = Column(np.float64)
        self.updated = Column(np.float64)
        self.asks = Column(np.bool_)
        self.answers = Answers(self.documents)
        self.measured = Measured()
        self._alive = Column(np.bool_)
        self._settled: list[Block] = []
        self._tail: Block | None = None
        self._languages: dict[str, Language] = {}

    def _remove(self, memory_id: str) -> None:
        row = self.rows.pop(memory_id, None)
        if row is not None:
            self._alive.values[row] = False

    def _add(self, document: Document) -> None:
        row = len(self.documents)
        self.rows[document.id] = row
        self.documents.append(document)
        content = self.words.numbers(split_words(document.content))
        text = body(document)
        said = content if text == document.content else self.words.numbers(split_words(text))
        self.words.add(said, self.words.numbers(split_words(labels(document))))
        self.copies.add(content)
        self.sessions.add()
        for site in {site_of(document.site), site_of(document.url)} - {None}:
            self.sites.setdefault(str(site), []).append(row)
        self.speakers.add(document.speaker or "", row)
        self.days.add(document.created_at[:10], row)
        for day in days_in(plain_form(document.content)):
            self.told.setdefault(day, []).append(row)
        self.confidence.append(document.confidence)
        self.importance.append(document.importance)
        self.retained.append(document.retained)
        self.updated.append(datetime.fromisoformat(document.updated_at).timestamp())
        self.asks.append(asks(document))
        self._alive.append(True)

    def _settle(self, first: int, end: int) -> None:
        """Put rows into a block, and blocks of like size into one: each row is moved few times."""
        self._settled.append(Block(self.words, first, end))
        while len(self._settled) > 1:
            before, last = self._settled[-2:]
            size = last.end - last.first
            if before.end - before.first > size or last.end - before.first > _LARGEST:
                break
            if self.words.loads[last.end] - self.words.loads[before.first] > _MOST:
                break
            self._settled[-2:] = [Block(self.words, before.first, last.end)]


class Kinds:
    """Which of a few values each row has; `examples` are a row of each."""

    def __init__(self) -> None:
        self.examples: list[int] = []
        self.of_row = Column(np.int32)
        self._numbers: dict[str, int] = {}

    def add(self, value: str, row: int) -> None:
        """Add the next row, which has `value`."""
        number = self._numbers.setdefault(value, len(self.examples))
        if number == len(self.examples):
            self.examples.append(row)
        self.of_row.append(number)


class Answers:
    """Whether the text of a row could hold an answer of some kind, found out when it is first asked.

    `documents` is the caller's list, by row.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._known: dict[str, dict[int, bool]] = {}

    def hold(self, row: int, kind: str) -> bool:
        """Whether `row` could hold an answer of this `kind`."""
        known = self._known.setdefault(kind, {})
        found = known.get(row)
        if found is None:
            found = known[row] = holds(self._documents[row].content, kind)
        return found
