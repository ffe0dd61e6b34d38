"""The least an Actor does: read INPUT, set OUTPUT, push one row. What our own runs are compared with.

An Actor that needs no database does not install SQLAlchemy, which crawlee would load at every start. So it is kept out
here too: the comparison is with an Actor that has only what it needs.
"""

import asyncio

from agent_memory.store.open import spare_sql_imports

spare_sql_imports()

from apify import Actor  # noqa: E402  # what is spared must be said before the SDK is imported


async def main() -> None:
    """One run that answers its INPUT."""
    async with Actor:
        given = await Actor.get_input()
        body = {"ok": True, "given": given}
        await Actor.set_value("OUTPUT", body)
        await Actor.push_data(body)  # pyright: ignore[reportUnknownMemberType]  # the SDK leaves its dict untyped


if __name__ == "__main__":
    asyncio.run(main())
