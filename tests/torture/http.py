"""`python -m torture.http 100000`: that many generated requests against the OpenAPI document, other ones each time."""

import json
import sys

from support.fuzz import fuzz


def main() -> None:
    """Send them, and say how often each operation answered what."""
    statuses = fuzz(int(sys.argv[1]), derandomize=False)
    sys.stdout.write(json.dumps(dict(sorted(statuses.items())), indent=2) + "\n")


if __name__ == "__main__":
    main()
