"""How well the gate against secrets works: found look-alikes by kind and disguise, false refusals, time a note.

The look-alikes are made at run time from descriptions of the forms (tests/support/lookalikes.py), not from patterns.
Not called secrets.py: that name belongs to the standard library.
"""

import argparse
import gzip
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.safety.kinds import BY_FORM
from agent_memory.safety.secrets import KIND_NAMES, find_secret, redact
from notes import notes
from process import ROOT

sys.path.append(str(ROOT / "tests"))  # where the look-alikes are
from support.benign import SENTENCES, forms
from support.disguises import DISGUISES
from support.lookalikes import ALL, lookalikes
from support.making import seeded
from support.structured import HELD_OUT

RESULTS: Final = ROOT / "benchmarks" / "results" / "secrets.json"
RECALL: Final = 0.98
DISGUISED: Final = 0.95
FALSE: Final = 0.002
MICROSECONDS: Final = 100.0
_BENIGN_SEEDS: Final = 200


def recall(seed: int, each: int) -> dict[str, Any]:
    """The share of look-alikes that is found: in all, by disguise, and the kinds of which more than 2 % are missed."""
    asked: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    left = 0
    for kind, disguise, note in lookalikes(seed, each):
        asked[kind, disguise] += 1
        if find_secret(note):
            found[kind, disguise] += 1
            left += find_secret(redact(note)) is not None
    by_kind = {kind: _share(found, asked, 0, kind) for kind in ALL}
    return {
        "notes": asked.total(),
        "kinds": len(ALL),
        "recall": round(found.total() / asked.total(), 4),
        "byDisguise": {name: _share(found, asked, 1, name) for name in DISGUISES},
        "below98": {kind: share for kind, share in by_kind.items() if share < RECALL},
        "stillFoundAfterRedaction": left,
    }


def held_out(seed: int, each: int) -> dict[str, Any]:
    """The share that is found of secrets in templates that no pattern was written from, in plain text, by template."""
    r = seeded(seed)
    found = {name: sum(find_secret(make(r)) is not None for _ in range(each)) for name, make in HELD_OUT.items()}
    return {
        "notes": each * len(HELD_OUT),
        "recall": round(sum(found.values()) / (each * len(HELD_OUT)), 4),
        "byTemplate": {name: round(number / each, 4) for name, number in found.items()},
    }


def _share(found: Counter[tuple[str, str]], asked: Counter[tuple[str, str]], place: int, name: str) -> float:
    return round(_count(found, place, name) / _count(asked, place, name), 4)


def _count(counter: Counter[tuple[str, str]], place: int, name: str) -> int:
    return sum(number for key, number in counter.items() if key[place] == name)


def refused(texts: Iterable[str]) -> dict[str, Any]:
    """How many of `texts` are taken for secrets, by kind, and the CPU time of a text."""
    kept = list(texts)
    started = time.process_time()
    kinds = Counter(secret.kind for text in kept if (secret := find_secret(text)))
    spent = time.process_time() - started
    return {
        "texts": len(kept),
        "characters": sum(map(len, kept)),
        "refused": kinds.total(),
        "share": round(kinds.total() / max(1, len(kept)), 5),
        "kinds": dict(kinds.most_common()),
        "microsecondsEach": round(spent / max(1, len(kept)) * 1e6, 1),
    }


def corpus(folder: Path) -> Iterable[str]:
    """The texts of every `<set>/corpus.jsonl.gz` below `folder`."""
    for path in sorted(folder.glob("*/corpus.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from (json.loads(line)["text"] for line in lines)


def main() -> None:
    """Measure, print each bar with its figure, and write it all down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder of <set>/corpus.jsonl.gz whose texts hold no secrets")
    parser.add_argument("--each", type=int, default=30, help="look-alikes of each kind and disguise (30)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the date to note (today)")
    given = parser.parse_args()

    known = recall(given.seed, given.each)
    unseen = held_out(given.seed, given.each)
    benign = refused([*SENTENCES, *(text for seed in range(_BENIGN_SEEDS) for text in forms(seed))])
    ordinary = refused(corpus(given.data)) if given.data else refused(note["content"] for note in notes(2_000))
    worst = min(known["byDisguise"].values())
    bars = {
        "recall over all kinds": (known["recall"], RECALL, known["recall"] >= RECALL),
        "recall under the worst disguise": (worst, DISGUISED, worst >= DISGUISED),
        "benign texts refused": (benign["refused"], 0, benign["refused"] == 0),
        "share of ordinary texts refused": (ordinary["share"], FALSE, ordinary["share"] <= FALSE),
        "microseconds a note": (
            ordinary["microsecondsEach"],
            MICROSECONDS,
            ordinary["microsecondsEach"] <= MICROSECONDS,
        ),
    }
    for name, (figure, bar, met) in bars.items():
        print(f"{name:<34}{figure:>10}  bar {bar:<8} {'met' if met else 'NOT MET'}")
    print(f"{'recall on templates held out':<34}{unseen['recall']:>10}  no bar: {len(HELD_OUT)} templates")
    body = {
        "date": given.date,
        "python": platform.python_version(),
        "seed": given.seed,
        "kindsByForm": len({kind.name for kind in BY_FORM}),
        "kindsInAll": len(KIND_NAMES),
        "lookalikes": known,
        "heldOut": unseen,
        "benign": benign,
        "ordinary": {"source": "public texts" if given.data else "made-up notes", **ordinary},
        "bars": {name: {"figure": figure, "bar": bar, "met": met} for name, (figure, bar, met) in bars.items()},
    }
    RESULTS.write_text(json.dumps(body, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
