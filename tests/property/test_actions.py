"""A store answers any sequence of actions as a plain model of it does."""

import pytest
from hypothesis import settings

from torture.machine import Actions


class TestActions(Actions.TestCase):
    settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


@pytest.mark.torture
class TestManyActions(Actions.TestCase):
    settings = settings(max_examples=400, stateful_step_count=40, deadline=None)
