"""Spans of arrays, drawn one by one or all at once."""

import numpy as np
import pytest

from agent_memory.ranking.index.columns import drawn, interleaved

FEW, MANY = 5, 300


@pytest.mark.parametrize("count", [0, FEW, MANY])
def test_spans_come_one_after_another(count: int) -> None:
    """Whether there are few of them or many, and some may be empty."""
    chance = np.random.default_rng(count)
    values = chance.integers(0, 1000, 500)
    begins, sizes = chance.integers(0, 490, count), chance.integers(0, 10, count)
    wanted = [value for begin, size in zip(begins, sizes, strict=True) for value in values[begin : begin + size]]
    assert drawn(values, begins, sizes).tolist() == wanted


@pytest.mark.parametrize("count", [0, FEW, MANY])
@pytest.mark.parametrize("arrays", [0, 1, 3])
def test_spans_of_several_arrays_take_turns(arrays: int, count: int) -> None:
    """First those that come first in each array, then the second ones."""
    chance = np.random.default_rng(count)
    values = [chance.integers(0, 1000, 500) for _ in range(arrays)]
    begins, sizes = chance.integers(0, 490, (arrays, count)), chance.integers(0, 10, (arrays, count))
    wanted = [
        value
        for span in range(count)
        for array, begin, size in zip(values, begins[:, span], sizes[:, span], strict=True)
        for value in array[begin : begin + size]
    ]
    assert interleaved(values, begins, sizes).tolist() == wanted
