"""How well memories are found: texts in through `remember`, questions through `search`, beside stock engines.

The data stays where it is: `--data DIR` names a folder with one folder a set (see retrieval_sets.py). A result is
compared, question by question, with the one committed before it.
"""

import argparse
import asyncio
import json
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from engines import ENGINES
from process import ROOT
from retrieval_metrics import DEPTH, NAMES, compare, means, score
from retrieval_service import Service, store_of
from retrieval_sets import SEED, Question, TestSet, load, sample

RESULTS: Final = ROOT / "benchmarks" / "results" / "retrieval.json"
EACH: Final = ROOT / "benchmarks" / "results" / "retrieval_questions.json"
_COMPARED: Final = ("R@1", "R@10", "nDCG@10")
_KEPT_DIGITS: Final = 3

Figures = dict[str, float]


async def ours(test_set: TestSet, service: Service) -> list[Figures]:
    """The figures of every question, asked through `search`."""
    found: list[Figures] = []
    for question in test_set.questions:
        body = await service.ask(store_of(test_set, question.group), question.text, DEPTH)
        relevant = frozenset(service.ids.get(text, text) for text in question.relevant)
        found.append(score([memory["id"] for memory in body["memories"]], relevant))
    return found


def theirs(test_set: TestSet, service: Service, names: Sequence[str]) -> dict[str, list[Figures]]:
    """The figures of every question by stock engines, which are given each memory once."""
    found: dict[str, list[Figures]] = {name: [] for name in names}
    groups = test_set.groups()
    for name in names:
        made: dict[str, Any] = {}
        for question in test_set.questions:
            if question.group not in made:
                once = {service.ids.get(text.id, text.id): text for text in reversed(groups[question.group])}
                made[question.group] = ENGINES[name](list(reversed(once.values())))
            texts: list[str] = made[question.group](question.text, DEPTH)
            relevant = frozenset(service.ids.get(text, text) for text in question.relevant)
            found[name].append(score([service.ids.get(text, text) for text in texts], relevant))
    return found


def summary(questions: Sequence[Question], figures: Sequence[Figures]) -> dict[str, Figures]:
    """The means over all questions, over each half (every other question), and by category."""
    pairs = list(zip(questions, figures, strict=True))
    categories = sorted({question.category for question in questions} - {""})
    return {
        "all": means(figures),
        "even": means(row for question, row in pairs if not question.odd),
        "odd": means(row for question, row in pairs if question.odd),
        **{name: means(row for question, row in pairs if question.category == name) for name in categories},
    }


def against(questions: Sequence[Question], figures: Sequence[Figures], before: Mapping[str, Any]) -> Iterator[str]:
    """One line for each figure: how far it moved from the committed result, over the questions that both know."""
    known: dict[str, Sequence[float]] = before.get("questions", {})
    both = [(row, known[question.id]) for question, row in zip(questions, figures, strict=True) if question.id in known]
    for place, name in enumerate(_COMPARED if both else ()):
        moved = compare([row[name] for row, _ in both], [values[place] for _, values in both], SEED)
        mark = " *" if moved.sure else ""
        yield f"    {name} {moved.mean:+.4f} [{moved.low:+.4f}, {moved.high:+.4f}] of {len(both)}{mark}"


async def measure(folder: Path, most: int | None, engines: Sequence[str], before: Mapping[str, Any]) -> dict[str, Any]:
    """All figures of the set in `folder`, printed as they come."""
    test_set = sample(load(folder), most)
    service = Service()
    began = time.process_time()
    await service.fill(test_set)
    figures = await ours(test_set, service)
    taken = time.process_time() - began
    summed = summary(test_set.questions, figures)
    known = frozenset(service.ids.values())
    print(f"{test_set.name}: {len(known)} memories, {len(test_set.questions)} questions, {taken:.0f} CPU s")
    for name, row in summed.items():
        print(f"  {name:24}" + "".join(f" {figure} {row[figure]:.4f}" for figure in NAMES if row))
    for line in against(test_set.questions, figures, before):
        print(line)
    stock = {name: means(rows) for name, rows in theirs(test_set, service, engines).items()}
    for name, row in stock.items():
        print(f"  {name:24}" + "".join(f" {figure} {row[figure]:.4f}" for figure in NAMES), flush=True)
    pairs = zip(test_set.questions, figures, strict=True)
    return {
        "memories": len(known),
        "refused": len(service.refused),
        "asked": len(test_set.questions),
        "search": summed,
        "engines": stock,
        "questions": {one.id: [round(row[name], _KEPT_DIGITS) for name in _COMPARED] for one, row in pairs},
    }


async def _main() -> None:
    options = _options()
    before: dict[str, Any] = json.loads(EACH.read_text("utf-8")) if EACH.exists() else {}
    folders = sorted(path.parent for path in options.data.glob("*/queries.jsonl.gz"))
    chosen = [folder for folder in folders if not options.sets or folder.name in options.sets]
    found = {
        folder.name: await measure(folder, options.sample, options.engines, before.get(folder.name, {}))
        for folder in chosen
    }
    if options.write:
        questions = {name: {"questions": result.pop("questions")} for name, result in found.items()}
        stamp = {"date": datetime.now(UTC).date().isoformat(), "python": platform.python_version()}
        old: dict[str, Any] = json.loads(RESULTS.read_text("utf-8"))["sets"] if RESULTS.exists() else {}
        RESULTS.write_text(json.dumps({**stamp, "sets": {**old, **found}}, indent=2) + "\n", "utf-8")
        EACH.write_text(json.dumps({**before, **questions}, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with one folder a set")
    parser.add_argument("--sets", nargs="+", help="only these")
    parser.add_argument("--sample", type=int, help="at most so many questions of each set, the same ones every time")
    parser.add_argument("--engines", nargs="*", choices=list(ENGINES), default=list(ENGINES), help="beside ours")
    parser.add_argument("--write", action="store_true", help="make this the committed result")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(_main())
