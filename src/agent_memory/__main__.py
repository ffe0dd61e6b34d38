"""`python -m agent_memory` runs the Actor."""

import gc


def _start() -> None:
    """Run with the cyclic garbage collector off: it takes a twelfth of the CPU of a short run and frees nothing."""
    gc.disable()
    from .main import main

    main()


if __name__ == "__main__":
    _start()
