"""What the process itself sees to."""

import gc

from agent_memory.main import keep_survivors


def test_what_has_outlived_a_full_collection_is_not_looked_at_again() -> None:
    kept = [[number] for number in range(1_000)]
    gc.callbacks.append(keep_survivors)
    try:
        gc.collect(1)
        assert gc.get_freeze_count() == 0
        gc.collect()
        assert gc.get_freeze_count() > len(kept)
    finally:
        gc.callbacks.remove(keep_survivors)
        gc.unfreeze()
