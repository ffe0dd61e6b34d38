"""`python -m agent_memory` runs the Actor; with arguments it is the command `agent-memory`."""

import gc
import sys


def _start() -> None:
    """Run with the cyclic garbage collector off: it takes a twelfth of the CPU of a short run and frees nothing."""
    gc.disable()
    if len(sys.argv) > 1:
        from .cli import main as command

        command()
        return
    from .main import main

    main()


if __name__ == "__main__":
    _start()
