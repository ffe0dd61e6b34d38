"""How far a memory may be trusted, from what its writer claims and from the way it came in."""

from dataclasses import replace

from ..models.memory import Memory
from ..models.vocabulary import Channel, Source, Trust


def trust_of(source: Source, channel: Channel) -> Trust:
    """Crawled and imported text is low; a person at a console or terminal is high; all else is normal."""
    if source in (Source.CRAWL, Source.IMPORT):
        return Trust.LOW
    return Trust.HIGH if source is Source.HUMAN and channel is Channel.CONSOLE else Trust.NORMAL


def admitted(memory: Memory, channel: Channel, *, may_approve: bool) -> Memory:
    """`memory` as an import may bring it: trusted no more than its claims would be if they were made on `channel`.

    What an export says of trust and approval is a claim like any other: anybody can write a file.
    """
    trust = lower(memory.trust, trust_of(memory.source, channel))
    approval = memory.approval if may_approve else None
    if (trust, approval) == (memory.trust, memory.approval) and not (memory.pinned and trust is Trust.LOW):
        return memory
    return replace(memory, trust=trust, approval=approval, pinned=memory.pinned and trust is not Trust.LOW)


def lower(one: Trust, other: Trust) -> Trust:
    """The lower of two."""
    return min(one, other, key=(Trust.LOW, Trust.NORMAL, Trust.HIGH).index)
