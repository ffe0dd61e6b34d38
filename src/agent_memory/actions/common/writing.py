"""What the writing actions share: from a request's fields to a memory, and from a change to a revision."""

from dataclasses import replace
from typing import Final
from unicodedata import category

from ...errors import ConflictError, InvalidRequestError
from ...lifecycle.briefing import is_approved
from ...models.memory import CONFIDENCE, IMPORTANCE, Memory
from ...models.revision import Origin, Revision
from ...models.vocabulary import MemoryType, Scope, Source, State, Trust
from ...safety.provenance import lower, trust_of
from ...store.resolve import Head
from ...text.titles import MARKS
from ...text.url import site
from ..base import Context
from ..objects import MemoryDetails

_TITLE_LENGTH: Final = 80
_SAID: Final = ("content", "url", "memory_type", "scope", "supersedes")
_UNSEEN: Final = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp"))


def make_memory(  # noqa: PLR0913  # a memory has this many givens, all by name
    *,
    memory_id: str,
    content: str,
    url: str | None,
    project_id: str | None,
    session_id: str | None,
    details: MemoryDetails,
    context: Context,
    warnings: list[str],
) -> Memory:
    """A new memory. A createdAt ahead of now is set to now, said in `warnings`; so is a pin that trust forbids."""
    require_ids(details.scope, project_id, session_id)
    now = context.now()
    created = details.created_at or now
    if created > now:
        warnings.append(f"createdAt {created} lies ahead; now is used.")
        created = now
    source = details.source or Source.AGENT
    trust = trust_of(source, context.channel)
    if details.pinned and trust is Trust.LOW:
        warnings.append("Crawled and imported text cannot be pinned; it was stored unpinned.")
    return Memory(
        id=memory_id,
        content=content,
        title=details.title or title_of(content, url),
        created_at=created,
        updated_at=created,
        url=url,
        site=None if url is None else site(url),
        memory_type=details.memory_type or MemoryType.GENERAL,
        tags=tuple(details.tags or ()),
        confidence=CONFIDENCE if details.confidence is None else details.confidence,
        importance=IMPORTANCE if details.importance is None else details.importance,
        category=details.category,
        source=source,
        channel=context.channel,
        trust=trust,
        project_id=project_id,
        session_id=session_id,
        scope=details.scope,
        supersedes=details.supersedes,
        related_urls=tuple(details.related_urls or ()),
        pinned=bool(details.pinned) and trust is not Trust.LOW,
        metadata=details.metadata or {},
    )


def require_ids(scope: Scope | None, project_id: str | None, session_id: str | None) -> None:
    """Refuse a scope that nobody could be in.

    Raises:
        InvalidRequestError: the memory has no id of this kind.
    """
    needed = {Scope.PROJECT: ("projectId", project_id), Scope.SESSION: ("sessionId", session_id)}
    name, given = needed.get(scope, ("", "")) if scope else ("", "")
    if given is None:
        message = f"memoryDetails.scope {scope} needs {name}: without it nobody could read the memory. Nothing changed."
        raise InvalidRequestError(message, field="memoryDetails.scope")


def first_revision(memory: Memory, origin: Origin, context: Context) -> Revision:
    """The revision that creates `memory`."""
    return Revision(
        number=1,
        parents=(),
        at=origin.at,
        by=context.writer,
        state=State.ACTIVE,
        memory=memory,
        origin=origin,
        channel=context.channel,
        tool_call_id=context.tool_call_id,
    )


def next_revision(head: Head, memory: Memory, state: State, context: Context) -> Revision:
    """The revision that follows `head` and the concurrent ones it has absorbed.

    What a program changes is no person's word any more: it cannot stand as a rule until a person approves it again.
    """
    if not context.may_approve and state is State.ACTIVE and not _stands_as_it_was(head, memory):
        memory = replace(memory, trust=lower(memory.trust, Trust.NORMAL), approval=None)
    return Revision(
        number=head.number + 1,
        parents=(head.hash, *head.conflicts),
        at=context.now(),
        by=context.writer,
        state=state,
        memory=memory,
        origin=head.origin,
        channel=context.channel,
        tool_call_id=context.tool_call_id,
    )


def _stands_as_it_was(head: Head, memory: Memory) -> bool:
    """Whether `memory` says the same to the same readers as `head`, and no approval of other words is left in it."""
    said = all(getattr(memory, name) == getattr(head.memory, name) for name in _SAID)
    return head.state is State.ACTIVE and said and (memory.approval is None or is_approved(memory))


def reinforcement(head: Head, context: Context) -> Revision:
    """The revision that says of `head` that it was written down again."""
    return replace(next_revision(head, head.memory, head.state, context), number=head.number, reinforces=True)


def check_revision(head: Head, wanted: str | None) -> None:
    """Refuse to go on unless `head` is the revision that the caller has read.

    Raises:
        ConflictError: another writer has changed the memory meanwhile.
    """
    if wanted is not None and wanted != head.revision:
        message = (
            f"Memory {head.memory.id} is at revision {head.revision}, not {wanted}. Nothing changed. "
            "Get it again, then decide."
        )
        raise ConflictError(message, memoryId=head.memory.id, revision=head.revision)


def title_of(content: str, url: str | None) -> str:
    """A title from the first line with words in it, else from the url, else `Untitled`."""
    lines = (line.strip().lstrip(MARKS).strip() for line in content.split("\n", 20))
    first = " ".join(next((line for line in lines if line), url or "Untitled").split())
    return first if len(first) <= _TITLE_LENGTH else first[: _TITLE_LENGTH - 1].rstrip() + "…"


def require_text(content: str, field: str = "content") -> str:
    """`content` unless it is blank.

    Raises:
        InvalidRequestError: there is nothing in it to remember.
    """
    if all(category(char) in _UNSEEN for char in content):
        message = f"{field} is blank. Give the text to remember; nothing was stored."
        raise InvalidRequestError(message, field=field)
    return content
