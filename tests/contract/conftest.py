"""A fresh world for every contract test."""

import pytest

from support.world import World


@pytest.fixture
def world() -> World:
    return World()
