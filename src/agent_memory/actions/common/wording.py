"""Numbers in messages."""


def how_many(count: int) -> str:
    """`1 memory`, `2 memories`."""
    return "1 memory" if count == 1 else f"{count} memories"
