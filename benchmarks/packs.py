"""How much of what answers a question a context pack holds within a budget, beside the first hits in plain order.

The hits in plain order, one after another until the next does not fit: `plain` shows each with its id, title, source,
trust, age and instant, as the hits of a search have them; `framed` with a pack's frame line over each;
`bare` with nothing but the contents, as no one should show stored text to a model.

A memory that the pack shows in part counts as not inside. Where the parts that answer are known, as the turns of a
conversation are, each counts as inside that stands in full in what is shown of any memory.
"""

import argparse
import asyncio
import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any, Final

from agent_memory.text.compact import facts_of, frame_line, stored_lines
from agent_memory.text.render import Entry, close_fence, open_fence, render_entry
from agent_memory.text.tokens import estimate
from agent_memory.text.unpack import frames
from process import ROOT
from retrieval_metrics import Difference, compare
from retrieval_service import Service, store_of
from retrieval_sets import SEED, Question, TestSet, load, sample

RESULTS: Final = ROOT / "benchmarks" / "results" / "packs.json"
# By set, that which says what parts of its texts answer; without one an answer is a whole text.
SETS: Final = {"locomo_turn": None, "codechunks": None, "locomo_session": "locomo_turn"}
WAYS: Final = ("pack", "plain", "framed", "bare")
BUDGETS: Final = (500, 1_500, 4_000)
_HITS: Final = 100
_NONCE: Final = "abcdefgh"

Hit = Mapping[str, Any]


def first_that_fit(hits: Iterable[Hit], budget: int, cost: Callable[[Hit], int]) -> list[Hit]:
    """The first `hits` until one does not fit."""
    used: list[Hit] = []
    for hit in hits:
        budget -= cost(hit)
        if budget < 0:
            break
        used.append(hit)
    return used


def _entry(hit: Hit) -> Entry:
    return Entry(
        id=hit["id"],
        title=hit["title"],
        memory_type=hit["memoryType"],
        source=hit["source"],
        trust=hit["trust"],
        age_days=1_000.0,
        updated_at=hit["updatedAt"],
        url=hit["url"],
        tags=tuple(hit["tags"]),
        content=hit["content"],
    )


def plain(hit: Hit) -> int:
    """The tokens of a hit with its title, its id and its instant too."""
    return estimate(render_entry(_entry(hit), _HITS, _NONCE))


def framed(hit: Hit) -> int:
    """The tokens of a hit with all that a pack says of it."""
    entry = _entry(hit)
    return estimate(frame_line(facts_of(entry), _HITS, _HITS, _NONCE) + stored_lines(entry, None))


def bare(hit: Hit) -> int:
    """The tokens of a hit's content alone."""
    return estimate(f"{_HITS}. {hit['content']}\n")


@dataclass(frozen=True)
class Found:
    """What part of a question's answers is inside, by way and budget, and whether it is an odd one of its set."""

    odd: bool
    shares: Mapping[tuple[str, int], float]


async def ask_all(folder: Path, finer: TestSet | None, most: int | None) -> list[Found]:
    """Each question of the set in `folder`, asked with every budget; `finer` has the parts of its texts that answer."""
    test_set = sample(load(folder), most)
    service = Service()
    await service.fill(test_set)
    around = estimate(open_fence(_NONCE)) + estimate(close_fence(_NONCE))
    found: list[Found] = []
    for question in test_set.questions:
        store = store_of(test_set, question.group)
        relevant = {service.ids.get(text, text) for text in question.relevant}
        parts = _parts(question, finer) if finer else None
        options = {"limit": _HITS, "fullContent": True}
        body = await service.world.ask("search", memoryStoreId=store, query=question.text, searchOptions=options)
        shares: dict[tuple[str, int], float] = {}
        for budget in BUDGETS:
            pack = await service.ask(store, question.text, _HITS, "context_pack", maxTokens=budget)
            whole = {used["id"] for used in pack["memoriesUsed"] if "contentTruncated" not in used}
            notes = [note.content for frame in frames(pack["contextMarkdown"]) for note in frame.notes]
            shares["pack", budget] = _share(relevant, whole, parts, notes)
            for way, cost, room in (
                ("plain", plain, budget - around),
                ("framed", framed, budget - around),
                ("bare", bare, budget),
            ):
                hits = first_that_fit(body["memories"], room, cost)
                shares[way, budget] = _share(relevant, {h["id"] for h in hits}, parts, [h["content"] for h in hits])
        found.append(Found(question.odd, shares))
    return found


def _parts(question: Question, finer: TestSet) -> list[str]:
    wanted = next(one.relevant for one in finer.questions if one.id == question.id)
    return [text.item["content"].strip() for text in finer.texts if text.id in wanted]


def _share(
    relevant: AbstractSet[str], whole: AbstractSet[str], parts: Sequence[str] | None, shown: Sequence[str]
) -> float:
    if parts is None:
        return len(whole & relevant) / len(relevant)
    return sum(any(part in text for text in shown) for part in parts) / len(parts)


def summary(found: Sequence[Found]) -> dict[str, Any]:
    """The mean shares, and by how much the pack holds more than each other way, with the 95% interval of that."""
    by = {(way, budget): [one.shares[way, budget] for one in found] for way in WAYS for budget in BUDGETS}
    return {
        "asked": len(found),
        "share": {way: {str(budget): round(mean(by[way, budget]), 4) for budget in BUDGETS} for way in WAYS},
        "packOver": {
            way: {str(budget): _rounded(compare(by["pack", budget], by[way, budget], SEED)) for budget in BUDGETS}
            for way in WAYS[1:]
        },
    }


def _rounded(difference: Difference) -> dict[str, float]:
    return {name: round(value, 4) for name, value in vars(difference).items()}


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with one folder a set")
    parser.add_argument("--sample", type=int, help="at most so many questions of each set, the same ones every time")
    parser.add_argument("--write", action="store_true", help="make this the committed result")
    options = parser.parse_args()
    found: dict[str, Any] = {}
    for name, finer in SETS.items():
        asked = await ask_all(options.data / name, load(options.data / finer) if finer else None, options.sample)
        found[name] = {**summary(asked), "heldOut": summary([one for one in asked if one.odd])}
    print(json.dumps(found, indent=2))
    if options.write:
        stamp = {"date": datetime.now(UTC).date().isoformat(), "python": platform.python_version()}
        RESULTS.write_text(json.dumps({**stamp, "sets": found}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(_main())
