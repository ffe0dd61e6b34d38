"""update: change what is given, keep the rest."""

from dataclasses import replace
from typing import Any, Final, cast

from ..errors import ConflictError, InvalidRequestError, NotFoundError
from ..lifecycle.merge import merge_patch
from ..models.memory import CONFIDENCE, IMPORTANCE, Memory, MemoryRecord, difference, to_record
from ..models.vocabulary import MemoryType, Source, State, Trust
from ..safety.provenance import lower, trust_of
from ..store.codec import encode
from ..store.resolve import counts
from ..text.url import site
from .base import Action, Context, Result, WriteRequest
from .common.echo import read_echo
from .common.low_texts import distrust
from .common.newer import newer_of
from .common.reach import SEARCH_FIRST, find, reach_of, told
from .common.succession import older_of, tell_of_rewording, tell_of_standing_beside, tell_without_effect
from .common.writing import check_revision, next_revision, require_ids, require_text, title_of
from .fields.read import MemoryId
from .fields.write import Content, Details, DryRun, IfRevision, OnSecret, ProjectId, SessionId, Url
from .objects import MemoryDetails

_TEXTS: Final = frozenset(("content", "title", "url", "tags", "category", "related_urls", "metadata"))
"""What agents read of a memory: it can be trusted no more than who wrote any of it."""


class UpdateRequest(WriteRequest):
    """Which memory, and what of it changes; it stays in its project and session."""

    memory_id: MemoryId
    content: Content | None = None
    url: Url | None = None
    memory_details: Details | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    if_revision: IfRevision | None = None
    on_secret: OnSecret = "refuse"
    dry_run: DryRun = False


class UpdateResult(Result):
    """The memory as it is now, and the names of the fields that changed."""

    memory: MemoryRecord
    changed: list[str]
    revision: str
    conflicts: list[str]
    dryRun: bool


async def update(request: UpdateRequest, context: Context) -> UpdateResult:
    """Change given fields only: tags and relatedUrls replace, metadata merges (RFC 7396), null clears."""
    if request.content is None and request.url is None and request.memory_details is None:
        message = (
            "Nothing to change: content, url and memoryDetails are missing or empty. Nothing changed. To remove a "
            "memory, use forget."
        )
        raise InvalidRequestError(message, field="memoryDetails")
    where, memory_id = context.store.store_id, request.memory_id
    snapshot = await context.store.load(access=False)
    reach = reach_of(context, request.project_id, request.session_id)
    head = find(snapshot, memory_id, reach)
    if head is None:
        message = f"No memory {memory_id} in {where}. Nothing changed. {SEARCH_FIRST}"
        raise NotFoundError(message, memoryId=memory_id)
    check_revision(head, request.if_revision)
    named = request.memory_details.supersedes if request.memory_details else None
    older = older_of(named, memory_id, snapshot, reach)
    warnings = _stays(head.memory, request)
    memory = _changed(head.memory, request, context, warnings)
    if request.content is not None:
        memory = distrust(memory, snapshot, reach, warnings)
        echo = read_echo(request.content, snapshot, reach)
        memory = echo.mark(memory) if echo else memory
    tell_without_effect(memory, older, warnings)
    changed = difference(head.memory, memory)
    dated = replace(memory, updated_at=max(context.now(), memory.created_at))
    revision = next_revision(head, dated, head.state, context)
    if older is not None or "content" in changed:
        newer = newer_of(snapshot, reach.admits)
        tell_of_rewording([revision], newer, snapshot, reach, warnings)
        if "supersedes" not in changed:
            tell_of_standing_beside(memory, newer, snapshot, reach, warnings)
    if changed and not request.dry_run:
        snapshot = await context.store.recheck(await context.store.commit(snapshot, [revision]), memory_id)
        head = snapshot.heads[memory_id]
        if head.state.hidden:
            message = f"Memory {memory_id} in {where} was forgotten by another writer just now, so it stays forgotten."
            raise NotFoundError(message, memoryId=memory_id)
        if not counts(encode(revision).key.hash, head, snapshot.revisions[memory_id]):
            message = (
                f"Memory {memory_id} in {where} was forgotten and restored by other writers just now, and this change "
                "with it. Get the memory again, then decide."
            )
            raise ConflictError(message, memoryId=memory_id, revision=head.revision)
        if head.conflicts:
            warnings.append(
                "Another writer changed this memory at the same time; one change stands, the other is in conflicts."
            )
    verb = "Would change" if request.dry_run else "Changed"
    done = f"{verb} {', '.join(changed)} of" if changed else "Nothing was different in"
    now = told(memory if request.dry_run else head.memory, snapshot, reach)
    return UpdateResult(
        memory=to_record(now, archived=head.state is State.ARCHIVED),
        changed=changed,
        revision=head.revision,
        conflicts=list(head.conflicts),
        dryRun=request.dry_run,
        message=f"{done} memory {memory_id} in {where}.",
        warnings=[*snapshot.warnings(), *warnings],
    )


def _stays(memory: Memory, request: UpdateRequest) -> list[str]:
    """What to say when the request names another project or session than the memory has."""
    pairs = (("projectId", request.project_id, memory.project_id), ("sessionId", request.session_id, memory.session_id))
    return [
        f"{name} {given} was not applied: a memory stays where it was written ({stored or 'in none'})."
        for name, given, stored in pairs
        if given is not None and given != stored
    ]


def _changed(memory: Memory, request: UpdateRequest, context: Context, warnings: list[str]) -> Memory:
    changes: dict[str, Any] = {}
    if request.content is not None:
        changes["content"] = require_text(request.content)
    if request.url is not None:
        changes |= {"url": request.url, "site": site(request.url)}
    content, url = changes.get("content", memory.content), changes.get("url", memory.url)
    if memory.title == title_of(memory.content, memory.url):
        changes["title"] = title_of(content, url)
    if request.memory_details is not None:
        changes |= _details(memory, request.memory_details, title_of(content, url), context, warnings)
    if any(getattr(memory, name) != value for name, value in changes.items() if name in _TEXTS):
        trust = lower(
            changes.get("trust", memory.trust), trust_of(changes.get("source", memory.source), context.channel)
        )
        changes["trust"] = trust
    if changes.get("trust", memory.trust) is Trust.LOW:
        changes["pinned"] = False
    return replace(memory, **changes)


def _details(
    memory: Memory, details: MemoryDetails, derived_title: str, context: Context, warnings: list[str]
) -> dict[str, Any]:
    """The given details as fields of a memory; a null becomes the default of its field."""
    defaults: dict[str, Any] = {
        "title": derived_title,
        "memory_type": MemoryType.GENERAL,
        "tags": (),
        "confidence": CONFIDENCE,
        "importance": IMPORTANCE,
        "category": None,
        "source": Source.AGENT,
        "scope": None,
        "supersedes": None,
        "related_urls": (),
        "pinned": False,
        "created_at": memory.created_at,
    }
    changes: dict[str, Any] = {}
    for name in details.model_fields_set - {"metadata"}:
        value = getattr(details, name)
        value = defaults[name] if value is None else value
        changes[name] = tuple(cast("list[str]", value)) if isinstance(value, list) else value
    require_ids(changes.get("scope"), memory.project_id, memory.session_id)
    if "metadata" in details.model_fields_set:
        changes["metadata"] = {} if details.metadata is None else merge_patch(memory.metadata, details.metadata)
    if "source" in changes:
        changes["trust"] = lower(memory.trust, trust_of(changes["source"], context.channel))
    if changes.get("pinned") and changes.get("trust", memory.trust) is Trust.LOW:
        changes["pinned"] = False
        warnings.append("Crawled and imported text cannot be pinned.")
    if changes.get("created_at", "") > context.now():
        changes["created_at"] = context.now()
        warnings.append("createdAt lies ahead; now is used.")
    return changes


ACTION = Action(
    name="update",
    summary="Correct or extend a memory; what is not given stays.",
    when="Use it when a memory turns out wrong or out of date.",
    request=UpdateRequest,
    result=UpdateResult,
    handle=update,
    read_only=False,
    destructive=False,
    idempotent=True,
    example={
        "action": "update",
        "memoryStoreId": "acme~site-memory-agent",
        "memoryId": "<memoryId>",
        "content": "The staging database is reset every night at 03:00 UTC.",
        "memoryDetails": {"confidence": 0.95},
    },
)
