"""Memories in few words, those of which the same is known under one frame line.

A block is a frame line with the numbers of its memories and what is known of each of them, then their stored lines.
Where a block has several, the first line of each starts with `|` and its number, which no stored line can.
"""

from .render import HEAD, Entry, age_of, item, visible
from .titles import begins

_DATE = len("2026-03-01")


def facts_of(entry: Entry) -> str:
    """What is the same of all in a block: the kind, from whom, how far to trust it, of when, and whether it holds.

    One of which only a part is shown has a block of its own, which says how to get the rest.
    """
    origin = f"{item(entry.memory_type)}, source {item(entry.source)}, trust {item(entry.trust)}"
    age = f"{age_of(entry.age_days)} ({item(entry.updated_at[:_DATE])})"
    outdated = [entry.outdated] if entry.outdated else []
    cut = [f"cut: get {item(entry.id)}"] if entry.truncated else []
    return ", ".join((origin, age, *outdated, *(["echo"] if entry.echo else []), *cut))


def frame_line(facts: str, first: int, last: int, nonce: str) -> str:
    """The line over the memories `first` to `last`, ended by a newline."""
    return f"[{nonce} #{first}{f'-{last}' if last > first else ''}] {facts}\n"


def stored_lines(entry: Entry, number: int | None) -> str:
    """Title, tags, url and content as stored text, each line ended by a newline; `number` where others are beside it.

    The id and the time of day are left out, also a title that only repeats the beginning of the content, and blank
    lines before and after that.
    """
    head: list[str] = []
    if not begins(entry.content, entry.title):
        head.append(f"title: {visible(entry.title)}")
    if entry.tags:
        head.append(f"tags: {', '.join(map(item, entry.tags))}")
    if entry.url is not None:
        head.append(f"url: {visible(entry.url)}")
    content = [visible(line) for line in entry.content.strip("\n").split("\n")]
    if not head and content[0].startswith(HEAD):
        head.append(f"title: {visible(entry.title)}")
    first, *others = [*head, "", *content] if head else content
    start = "|" if number is None else f"|{number}"
    return "".join(
        f"{mark} {line}\n" if line else f"{mark}\n" for mark, line in ((start, first), *(("|", o) for o in others))
    )
