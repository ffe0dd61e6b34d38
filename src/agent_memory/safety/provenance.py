"""How far a memory may be trusted, from what its writer claims and from the way it came in."""

from ..models.vocabulary import Channel, Source, Trust


def trust_of(source: Source, channel: Channel) -> Trust:
    """Crawled and imported text is low; a person at a console or terminal is high; all else is normal."""
    if source in (Source.CRAWL, Source.IMPORT):
        return Trust.LOW
    return Trust.HIGH if source is Source.HUMAN and channel is Channel.CONSOLE else Trust.NORMAL


def lower(one: Trust, other: Trust) -> Trust:
    """The lower of two."""
    return min(one, other, key=(Trust.LOW, Trust.NORMAL, Trust.HIGH).index)
