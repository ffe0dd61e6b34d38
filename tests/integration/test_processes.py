"""Processes that write, tidy and purge at once on every kind of storage, some of them killed: nothing is lost."""

import asyncio
import random
from pathlib import Path

import pytest

from torture.crowd import PLACES, place, run_crowd
from torture.keeper import Crowd

pytestmark = pytest.mark.torture


@pytest.mark.parametrize("kind", PLACES)
def test_writers_beside_prune_purge_and_kills_lose_nothing_and_are_refused_nothing(kind: str, tmp_path: Path) -> None:
    crowd = Crowd(writers=4, writes=25, kills=5)
    rng = random.Random(7)  # a repeatable choice of moments

    with place(kind, tmp_path) as where:
        acknowledged = asyncio.run(run_crowd(where, crowd, rng))

    assert acknowledged >= 100
