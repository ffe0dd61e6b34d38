"""What an import may bring into a store: no secrets, no more trust than the way in can give, no word of ours."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ...lifecycle.briefing import stands
from ...models.revision import Revision, from_body, to_body
from ...models.vocabulary import MemoryType, State
from ...safety.provenance import admitted, claimed
from ...store.codec import Stored, encode
from ...store.snapshot import Snapshot
from ..base import Context
from .adopting import IMPORTED_BY
from .reserved import told, without_reserved
from .screening import screen_record


def admit(
    group: Sequence[Stored], here: Collection[str], context: Context, notes: list[str], *, redacting: bool
) -> list[Stored]:
    """The revisions of one memory as they may be stored; those whose hashes are `here` already stay as they are.

    A revision that had to be changed has another hash, and so have those that name it as parent; the same import gives
    the same hashes each time. What was left out is said in `notes`.

    Raises:
        SecretRefusedError: a text looks like a secret, and either is not to be redacted or is a name.
    """
    renamed: dict[str, str] = {}
    kept: list[Stored] = []
    for stored in sorted(group, key=lambda s: (s.revision.number, s.revision.at, s.key.hash)):
        if stored.key.hash in here:
            kept.append(stored)
            continue
        revision = _admitted(stored.revision, context, notes, redacting=redacting)
        parents = tuple(renamed.get(parent, parent) for parent in revision.parents)
        if parents != revision.parents:
            revision = replace(revision, parents=parents)
        if revision is stored.revision:
            kept.append(stored)
            continue
        changed = encode(revision)
        renamed[stored.key.hash] = changed.key.hash
        kept.append(changed)
    return kept


def now_standing(before: Snapshot, after: Snapshot, types: frozenset[MemoryType]) -> list[str]:
    """The ids of memories that stand as rules `after` an import and were not there in these words `before`."""
    there = {head.memory.id: head.memory for head in before.active()}
    found = (head.memory for head in after.active() if stands(head.memory, types))
    return [memory.id for memory in found if there.get(memory.id) != memory]


def _admitted(revision: Revision, context: Context, notes: list[str], *, redacting: bool) -> Revision:
    if revision.state is State.PURGED:
        return revision
    body = to_body(revision)
    names = {name: body[name] for name in ("by", "toolCallId") if name in body}
    screened = {
        **body,
        **screen_record(names, redacting=False),
        "origin": screen_record(body["origin"], redacting=redacting),
        "memory": screen_record(body["memory"], redacting=redacting),
        **{name: screen_record(body[name], redacting=redacting) for name in ("claim", "settlement") if name in body},
    }
    clean = revision if screened == body else from_body(screened)
    memory = admitted(clean.memory, context.channel, may_approve=context.may_approve)
    extra, names = without_reserved(memory.extra)
    notes += (note for note in told(memory, names) if note not in notes)
    memory = replace(memory, extra=extra) if names else memory
    clean = clean if memory is clean.memory else replace(clean, memory=memory)
    said = revision.channel or revision.memory.channel
    channel = claimed(said, context.channel)
    return clean if channel is said else replace(clean, by=IMPORTED_BY, channel=channel)
