"""Numbers in messages."""


def how_many(count: int, one: str = "memory", more: str = "memories") -> str:
    """`1 memory`, `2 memories`."""
    return f"{count} {one if count == 1 else more}"
