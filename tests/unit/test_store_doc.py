"""docs/store.md names tests that exist, for every invariant."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "store.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)


def test_every_named_test_exists() -> None:
    missing = [
        f"{file}::{name}"
        for file, name in NAMED
        if not (ROOT / file).is_file() or not re.search(rf"def {name}\(", (ROOT / file).read_text(encoding="utf-8"))
    ]

    assert missing == []


def test_every_invariant_has_a_test() -> None:
    rows = {row[0]: row[1] for row in re.findall(r"^\| (I\d+) \|(.*)\|$", TEXT, re.MULTILINE)}

    assert list(rows) == [f"I{number}" for number in range(1, 13)]
    assert [number for number, row in rows.items() if "::test_" not in row] == []
