"""How far a memory may be trusted, from what its writer claims and from the way it came in."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from ..models.memory import Memory
from ..models.vocabulary import Channel, Source, Trust


def trust_of(source: Source, channel: Channel) -> Trust:
    """Crawled and imported text is low; a person at a console or terminal is high; all else is normal."""
    if source in (Source.CRAWL, Source.IMPORT):
        return Trust.LOW
    return Trust.HIGH if source is Source.HUMAN and channel is Channel.CONSOLE else Trust.NORMAL


def admitted(memory: Memory, channel: Channel, *, may_approve: bool) -> Memory:
    """`memory` as an import may bring it: trusted no more than its claims would be if they were made on `channel`.

    What an export says of trust, way in and approval is a claim like any other: anybody can write a file.
    """
    held = lowered(memory, [trust_of(memory.source, way) for way in (channel, memory.channel)])
    held = replace(held, channel=claimed(memory.channel, channel))
    held = held if may_approve else replace(held, approval=None)
    return memory if held == memory else held


def claimed(said: Channel, channel: Channel) -> Channel:
    """The way in that an import on `channel` may claim: a program's is not a person's.

    The same for all programs, so that the same import makes the same revisions on each.
    """
    return Channel.API if said is Channel.CONSOLE and channel is not Channel.CONSOLE else said


def regained(then: Memory, held: Iterable[Memory], channel: Channel) -> Memory:
    """`then`, an earlier state that comes back; `held` are all states of the memory.

    Only a person at a console gives a text back more trust than the least that it has had here.
    """
    if channel is Channel.CONSOLE:
        return then
    return lowered(then, (state.trust for state in held if state.content == then.content))


def lowered(memory: Memory, trusts: Iterable[Trust]) -> Memory:
    """`memory` with the lowest of its own trust and `trusts`; what has low trust is not pinned."""
    trust = reduce(lower, trusts, memory.trust)
    return replace(memory, trust=trust, pinned=memory.pinned and trust is not Trust.LOW)


def lower(one: Trust, other: Trust) -> Trust:
    """The lower of two."""
    return min(one, other, key=(Trust.LOW, Trust.NORMAL, Trust.HIGH).index)
