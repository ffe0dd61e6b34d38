"""What a title has in common with the text that it is over."""

from typing import Final

# What may stand before the first words of a text, and is in no title that was made of them.
MARKS: Final = "#>*-=`~ \t"


def begins(content: str, title: str) -> bool:
    """Whether `title` says only how `content` begins, however either is spaced, or nothing."""
    start = " ".join(title.rstrip(" .…").split())
    return " ".join(content.lstrip(f"{MARKS}\n")[: 3 * len(title)].split()).startswith(start)
