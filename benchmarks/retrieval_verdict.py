"""How honest the verdict is: the questions of each set asked of its own texts, and of those of every other set.

Asked of another set's texts a question must come back `none` or `weak`; a question that is answered, with an answer
among the first five, must not come back `none`. The curve shows what a threshold on the best score would give.
"""

import argparse
import asyncio
import json
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from process import ROOT
from retrieval_plot import curve
from retrieval_service import Service, store_of
from retrieval_sets import TestSet, load, sample

RESULTS: Final = ROOT / "benchmarks" / "results" / "verdict.json"
PLOT: Final = ROOT / "docs" / "images" / "verdict.svg"
FOREIGN_REFUSED: Final = 0.90
ANSWERABLE_KEPT: Final = 0.97
_FIRST: Final = 5
_THRESHOLDS: Final = tuple(step / 50 for step in range(51))


@dataclass(frozen=True)
class Answer:
    """What one question got: the verdict, the best score (0 without a hit), whether an answer is among the first."""

    verdict: str
    best: float
    found: bool


async def asked(questions: TestSet, texts: TestSet, service: Service) -> list[Answer]:
    """The questions of one set asked of the texts of another, or of its own group; groups in turn where not its own."""
    stores = sorted({store_of(texts, text.group) for text in texts.texts})
    own = questions.name == texts.name
    answers: list[Answer] = []
    for place, question in enumerate(questions.questions):
        store = store_of(texts, question.group) if own else stores[place % len(stores)]
        body = await service.ask(store, question.text, _FIRST)
        relevant = {service.ids.get(text, text) for text in question.relevant} if own else set[str]()
        hits = [memory["id"] for memory in body["memories"]]
        answers.append(Answer(body["verdict"], max(body["scores"], default=0.0), not relevant.isdisjoint(hits)))
    return answers


def refused(answers: Sequence[Answer]) -> float:
    """The share that came back `none` or `weak`."""
    return sum(answer.verdict != "strong" for answer in answers) / len(answers)


def kept(answers: Sequence[Answer]) -> float:
    """Of those with an answer among the first, the share that did not come back `none`."""
    found = [answer for answer in answers if answer.found]
    return sum(answer.verdict != "none" for answer in found) / len(found)


def report(matrix: dict[str, dict[str, list[Answer]]]) -> dict[str, Any]:
    """The figures, by set and in all, with the curve over thresholds on the best score."""
    own = {name: row[name] for name, row in matrix.items()}
    foreign = {
        name: [a for other, found in row.items() if other != name for a in found] for name, row in matrix.items()
    }
    answered = [answer for answers in own.values() for answer in answers if answer.found]
    strange = [answer for answers in foreign.values() for answer in answers]
    return {
        "foreign": {
            "asked": len(strange),
            "refused": round(refused(strange), 4),
            "bar": FOREIGN_REFUSED,
            "verdicts": dict(Counter(answer.verdict for answer in strange)),
            "bySet": {name: round(refused(answers), 4) for name, answers in foreign.items()},
            "pairs": {
                name: {other: round(refused(answers), 3) for other, answers in row.items() if other != name}
                for name, row in matrix.items()
            },
        },
        "answerable": {
            "asked": len(answered),
            "kept": round(kept(answered), 4),
            "bar": ANSWERABLE_KEPT,
            "verdicts": dict(Counter(answer.verdict for answer in answered)),
            "bySet": {name: round(kept(answers), 4) for name, answers in own.items()},
        },
        "curve": [
            {
                "minScore": least,
                "foreignRefused": round(sum(answer.best < least for answer in strange) / len(strange), 4),
                "answerableKept": round(sum(answer.best >= least for answer in answered) / len(answered), 4),
            }
            for least in _THRESHOLDS
        ],
    }


async def measure(sets: Sequence[TestSet], own: int, foreign: int) -> dict[str, Any]:
    """Ask at most `own` questions of each set of its own texts and `foreign` of each other set that is no kin."""
    matrix: dict[str, dict[str, list[Answer]]] = {test_set.name: {} for test_set in sets}
    for texts in sets:
        service = Service()
        await service.fill(texts)
        for questions in sets:
            is_own = questions.name == texts.name
            if is_own or questions.family != texts.family:
                few = sample(questions, own if is_own else foreign)
                matrix[questions.name][texts.name] = await asked(few, texts, service)
        print(f"asked of {texts.name}", flush=True)
    return report(matrix)


async def _main() -> None:
    options = _options()
    folders = sorted(path.parent for path in options.data.glob("*/queries.jsonl.gz"))
    found = await measure([load(folder) for folder in folders], options.own, options.foreign)
    for name in ("foreign", "answerable"):
        print(json.dumps({name: found[name]}, indent=2))
    if options.write:
        stamp = {"date": datetime.now(UTC).date().isoformat(), "python": platform.python_version()}
        RESULTS.write_text(json.dumps({**stamp, **found}, indent=2) + "\n", "utf-8")
        PLOT.write_text(curve(found), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with one folder a set")
    parser.add_argument("--own", type=int, default=100, help="questions of each set asked of its own texts")
    parser.add_argument("--foreign", type=int, default=20, help="questions of each set asked of each other set")
    parser.add_argument("--write", action="store_true", help="make this the committed result and plot")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(_main())
