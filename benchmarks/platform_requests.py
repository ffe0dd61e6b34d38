"""What a call costs at Apify: HTTP requests of each action on 1,000 memories, beyond those of a bare Actor.

Runs against the emulator of tests/support, so it needs no account and no network. Not called requests.py: that name
would hide a well-known library from every script of this folder.
"""

import argparse
import json
import platform
import sys
import tempfile
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from notes import notes
from process import BARE, OURS, ROOT, environment, run_module

sys.path.append(str(ROOT / "tests"))  # where the emulator is

from support.emulator import Platform, emulated_platform

RESULTS: Final = ROOT / "benchmarks" / "results" / "requests.json"
STORE: Final = "acme~benchmark"
MEMORIES: Final = 1_000
OPENING: Final = 2  # a named store is got or made, then read
_CHANGES: Final = 8
_READS: Final = 10
_QUESTION: Final = {"query": "timeouts of the checkout connection pool"}


def cases(memory_id: str) -> dict[str, tuple[dict[str, Any], int | None]]:
    """Each action's input, and the most requests it should make."""
    return {
        "remember": ({"content": "The load balancer drops idle connections after 55 seconds."}, _CHANGES),
        "update": ({"memoryId": memory_id, "memoryDetails": {"tags": ["checked"]}}, _CHANGES),
        "forget": ({"memoryId": memory_id}, _CHANGES),
        "recall": (_QUESTION, _READS),
        "search": (_QUESTION, _READS),
        "context_pack": (_QUESTION, _READS),
        "brief": ({}, _READS),
        "get": ({"memoryId": memory_id}, None),
        "stats": ({}, None),
        "prune": ({}, None),
        "chunk": ({"content": "# Pools\n\nEach service has a pool.\n\n# Limits\n\nEach pool has 20 places."}, None),
    }


def count(held: Platform, folder: Path, module: str, payload: dict[str, Any]) -> int:
    """How many requests one run makes."""
    ran = run_module(module, folder, environment(**held.begin(payload)))
    if ran.exit_code:
        message = f"{module} ended with {ran.exit_code}: {(folder / 'log.txt').read_text('utf-8')[-1000:]}"
        raise RuntimeError(message)
    return len(held.calls)


def main() -> None:
    """Count, print a table and write it down; ends well either way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=RESULTS, help="where to write the counts")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name, emulated_platform() as held:
        folder = Path(name)
        bare = count(held, folder, BARE, {}) + OPENING
        bulk = {"action": "remember", "memoryStoreId": STORE, "memories": notes(MEMORIES)}
        rows.append({"action": "remember of 1,000", "requests": count(held, folder, OURS, bulk) - bare, "bar": None})
        memory_id = held.output()["results"][MEMORIES // 2]["memoryId"]
        prepared = deepcopy(held.stores)
        for action, (fields, bar) in cases(memory_id).items():
            held.stores = deepcopy(prepared)
            total = count(held, folder, OURS, {"action": action, "memoryStoreId": STORE, **fields})
            by_kind = {what: n for what, n in sorted(held.counts().items()) if "record" in what or "keys" in what}
            rows.append({"action": action, "requests": total - bare, "bar": bar, "recordsAndListings": by_kind})
    print(f"a bare run that opens the store: {bare} requests; beyond them, on {MEMORIES:,} memories:")
    for row in rows:
        met = "-" if row["bar"] is None else "yes" if row["requests"] <= row["bar"] else "no"
        print(f"{row['action']:<20}{row['requests']:>4}{row['bar'] or '-':>5}  {met}")
    body = {"date": given.date, "python": platform.python_version(), "bareRequests": bare, "actions": rows}
    given.json.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
