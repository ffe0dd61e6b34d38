"""The least an Actor does: read INPUT, set OUTPUT, push one row. What our own runs are compared with."""

import asyncio

from apify import Actor


async def main() -> None:
    """One run that answers its INPUT."""
    async with Actor:
        given = await Actor.get_input()
        body = {"ok": True, "given": given}
        await Actor.set_value("OUTPUT", body)
        await Actor.push_data(body)  # pyright: ignore[reportUnknownMemberType]  # the SDK leaves its dict untyped


if __name__ == "__main__":
    asyncio.run(main())
