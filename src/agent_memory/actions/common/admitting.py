"""What an import may bring into a store: no secrets, and no more trust than the way in can give."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ...models.revision import Revision, from_body, to_body
from ...models.vocabulary import State
from ...safety.provenance import admitted
from ...store.codec import Stored, encode
from ..base import Context
from .screening import screen_record


def admit(group: Sequence[Stored], here: Collection[str], context: Context, *, redacting: bool) -> list[Stored]:
    """The revisions of one memory as they may be stored; those whose hashes are `here` already stay as they are.

    A revision that had to be changed has another hash, and so have those that name it as parent; the same import gives
    the same hashes each time.

    Raises:
        SecretRefusedError: a text looks like a secret, and either is not to be redacted or is a name.
    """
    renamed: dict[str, str] = {}
    kept: list[Stored] = []
    for stored in sorted(group, key=lambda s: (s.revision.number, s.revision.at, s.key.hash)):
        if stored.key.hash in here:
            kept.append(stored)
            continue
        revision = _admitted(stored.revision, context, redacting=redacting)
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


def _admitted(revision: Revision, context: Context, *, redacting: bool) -> Revision:
    if revision.state is State.PURGED:
        return revision
    body = to_body(revision)
    names = {name: body[name] for name in ("by", "toolCallId") if name in body}
    screened = {
        **body,
        **screen_record(names, redacting=False),
        "origin": screen_record(body["origin"], redacting=redacting),
        "memory": screen_record(body["memory"], redacting=redacting),
    }
    clean = revision if screened == body else from_body(screened)
    memory = admitted(clean.memory, context.channel, may_approve=context.may_approve)
    return clean if memory is clean.memory else replace(clean, memory=memory)
