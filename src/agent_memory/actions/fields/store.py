"""The field that every action asks for."""

from typing import Annotated

from .declare import field

MemoryStoreId = Annotated[
    str,
    field(
        None,
        "textfield",
        "Memory store",
        "Names the store, 1-200 characters in any script, such as acme~site-memory-agent. Each id is a store of "
        "its own; the same id brings the same memories back. A new one is made when it is first written to, at Apify "
        "and in a database when it is first used.",
        min_length=1,
        max_length=200,
    ),
]
