"""How a memory of the original Actor becomes a first revision of ours."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ...lifecycle.original import Original
from ...models.memory import Memory
from ...models.revision import Origin, Revision
from ...models.vocabulary import State, Trust
from ...safety.provenance import lower, trust_of
from ...store.codec import Stored, encode
from ...text.url import normalize, site
from .writing import title_of

IMPORTED_BY: Final = "import"


def revision_of(original: Original, notes: list[str]) -> Stored:
    """The first revision of an original memory: the same whenever it is imported, so that importing twice adds nothing.

    What could not be taken over as it was is said in `notes`.
    """
    memory = _finish(original.memory, notes)
    notes += [f"{memory.id}: {note}" for note in original.notes]
    return encode(
        Revision(
            number=1,
            parents=(),
            at=memory.updated_at,
            by=IMPORTED_BY,
            state=State.ARCHIVED if original.archived else State.ACTIVE,
            memory=memory,
            origin=Origin(at=memory.created_at),
        )
    )


def _finish(memory: Memory, notes: list[str]) -> Memory:
    """`memory` with addresses in our spelling, a title, and as much trust as its source deserves.

    Never high: the original Actor did not know who wrote what.
    """
    trust = lower(trust_of(memory.source, memory.channel), Trust.NORMAL)
    url = next(_addresses([memory.url] if memory.url else [], memory.id, notes), None)
    extra = {**memory.extra, "originalUrl": memory.url} if memory.url and url is None else memory.extra
    return replace(
        memory,
        title=memory.title or title_of(memory.content, url),
        url=url,
        site=None if url is None else site(url),
        related_urls=tuple(dict.fromkeys(_addresses(memory.related_urls, memory.id, notes))),
        trust=trust,
        pinned=memory.pinned and trust is not Trust.LOW,
        extra=extra,
    )


def _addresses(urls: Iterable[str], memory_id: str, notes: list[str]) -> Iterator[str]:
    for url in urls:
        try:
            yield normalize(url)
        except ValueError as error:
            notes.append(f"{memory_id}: an address was left out, {error}")
