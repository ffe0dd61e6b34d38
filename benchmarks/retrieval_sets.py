"""Sets of texts and questions with known answers, as `remember` takes them. The data is not part of this project.

A set is a folder with `corpus.jsonl.gz` and `queries.jsonl.gz`. A text has `id` and `text`, and may have `title`,
`tags`, `url`, `ts` (when it is from), `session`, `speaker`, `type` and `group`; a question has `id`, `text`, `relevant`
(ids of texts), and may have `category` and `group`. A question is asked only of the texts of its group.
"""

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from agent_memory.models.vocabulary import MemoryType

SEED: Final = 20_261_130
_TYPES: Final = frozenset(kind.value for kind in MemoryType)
# What is made of the same texts: one of such sets answers questions of another.
_KIN: Final = ("locomo", "devmem", "xquad")


@dataclass(frozen=True)
class Text:
    """One text of a set: `item` is a memory of a bulk `remember`, `plain` what an engine without fields is given."""

    id: str
    group: str
    item: dict[str, Any]
    plain: str
    at: str


@dataclass(frozen=True)
class Question:
    """One question, the ids of the texts that answer it, and whether it is one of every other of its set."""

    id: str
    group: str
    text: str
    relevant: frozenset[str]
    category: str
    odd: bool


@dataclass(frozen=True)
class TestSet:
    """Texts and questions of one name."""

    name: str
    texts: tuple[Text, ...]
    questions: tuple[Question, ...]

    @property
    def family(self) -> str:
        """What sets made of the same texts have in common."""
        return next((kin for kin in _KIN if self.name.startswith(kin)), self.name)

    def groups(self) -> dict[str, list[Text]]:
        """The texts by group, in their order."""
        found: dict[str, list[Text]] = {}
        for text in self.texts:
            found.setdefault(text.group, []).append(text)
        return found


def load(folder: Path) -> TestSet:
    """Read the set in `folder`; texts and questions that are blank or have no answer among the texts are left out."""
    texts = tuple(_text(row) for row in _rows(folder / "corpus.jsonl.gz") if row["text"].strip())
    known = {text.id for text in texts}
    asked = (
        Question(
            id=row["id"],
            group=row.get("group", ""),
            text=row["text"],
            relevant=frozenset(row["relevant"]) & known,
            category=row.get("category") or "",
            odd=bool(place % 2),
        )
        for place, row in enumerate(_rows(folder / "queries.jsonl.gz"))
    )
    return TestSet(folder.name, texts, tuple(one for one in asked if one.text.strip() and one.relevant))


def sample(test_set: TestSet, most: int | None) -> TestSet:
    """`test_set` with at most `most` of its questions, the same ones every time."""
    if most is None or most >= len(test_set.questions):
        return test_set
    chosen = sorted(random.Random(SEED).sample(range(len(test_set.questions)), most))
    return replace(test_set, questions=tuple(test_set.questions[place] for place in chosen))


def take(test_set: TestSet, names: Sequence[str]) -> TestSet:
    """`test_set` with the questions of the ids `names`."""
    wanted = frozenset(names)
    return replace(test_set, questions=tuple(one for one in test_set.questions if one.id in wanted))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _text(row: dict[str, Any]) -> Text:
    title, tags = row.get("title"), row.get("tags")
    details = {
        "title": title[:300] if title else None,
        "tags": [tag[:50] for tag in tags[:50]] if tags else None,
        "createdAt": row.get("ts"),
        "memoryType": row.get("type") if row.get("type") in _TYPES else None,
        "metadata": {"speaker": row["speaker"]} if row.get("speaker") else None,
    }
    item = {
        "content": row["text"],
        "url": row.get("url"),
        "sessionId": None if row.get("session") is None else str(row["session"]),
        "memoryDetails": {name: value for name, value in details.items() if value is not None},
    }
    return Text(
        id=row["id"],
        group=row.get("group", ""),
        item={name: value for name, value in item.items() if value is not None},
        plain="\n".join(filter(None, (title, row["text"], " ".join(tags or ())))),
        at=row.get("ts") or "",
    )
