"""A database of its own on the PostgreSQL server of the tests."""

import asyncio
import os
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs]  # typed, but not marked so
import pytest

SERVER: Final = os.environ.get("AGENT_MEMORY_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/test")


@contextmanager
def new_database() -> Generator[str]:
    """The URL of a new, empty database, dropped at the end. Skips without a server, but never in CI."""
    name = f"agent_memory_{uuid.uuid4().hex[:12]}"
    try:
        asyncio.run(_run(f"CREATE DATABASE {name}"))
    except (OSError, asyncpg.PostgresError) as error:
        message = f"NOT TESTED: PostgreSQL. No server answers at AGENT_MEMORY_TEST_POSTGRESQL={SERVER} ({error})"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    try:
        yield f"{SERVER.rpartition('/')[0]}/{name}"
    finally:
        asyncio.run(_run(f"DROP DATABASE {name} WITH (FORCE)"))


async def _run(statement: str) -> None:
    connection = await cast("Any", asyncpg).connect(SERVER, timeout=10)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
