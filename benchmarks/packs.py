"""How much of what answers a question a context pack holds within a budget, beside the first hits in plain order.

The hits in plain order, one after another until the next does not fit: `plain` shows each with its id, title, source,
trust, age and instant, as the hits of a search have them; `framed` with a pack's frame line over each;
`bare` with nothing but the contents, as no one should show stored text to a model.
"""

import argparse
import asyncio
import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.text.compact import facts_of, frame_line, stored_lines
from agent_memory.text.render import Entry, close_fence, open_fence, render_entry
from agent_memory.text.tokens import estimate
from process import ROOT
from retrieval_metrics import Difference, compare
from retrieval_service import Service, store_of
from retrieval_sets import SEED, load, sample

RESULTS: Final = ROOT / "benchmarks" / "results" / "packs.json"
SETS: Final = ("locomo_turn", "codechunks")
BUDGETS: Final = (500, 1_500, 4_000)
_HITS: Final = 100
_NONCE: Final = "abcdefgh"

Hit = Mapping[str, Any]


def first_that_fit(hits: Iterable[Hit], budget: int, cost: Callable[[Hit], int]) -> set[str]:
    """The ids of the first `hits` until one does not fit."""
    used: set[str] = set()
    for hit in hits:
        budget -= cost(hit)
        if budget < 0:
            break
        used.add(hit["id"])
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


async def shares(folder: Path, most: int | None) -> dict[str, dict[int, list[float]]]:
    """By way and budget, the share of each question's answers that is inside."""
    test_set = sample(load(folder), most)
    service = Service()
    await service.fill(test_set)
    around = estimate(open_fence(_NONCE)) + estimate(close_fence(_NONCE))
    found: dict[str, dict[int, list[float]]] = {
        way: {budget: [] for budget in BUDGETS} for way in ("pack", "plain", "framed", "bare")
    }
    for question in test_set.questions:
        store = store_of(test_set, question.group)
        relevant = {service.ids.get(text, text) for text in question.relevant}
        whole = {"limit": _HITS, "fullContent": True}
        hits = (await service.world.ask("search", memoryStoreId=store, query=question.text, searchOptions=whole))[
            "memories"
        ]
        for budget in BUDGETS:
            pack = await service.ask(store, question.text, _HITS, "context_pack", maxTokens=budget)
            ways = {
                "pack": {used["id"] for used in pack["memoriesUsed"]},
                "plain": first_that_fit(hits, budget - around, plain),
                "framed": first_that_fit(hits, budget - around, framed),
                "bare": first_that_fit(hits, budget, bare),
            }
            for way, used in ways.items():
                found[way][budget].append(len(used & relevant) / len(relevant))
    return found


def summary(found: Mapping[str, Mapping[int, Sequence[float]]]) -> dict[str, Any]:
    """The mean shares, and by how much the pack holds more than each other way, with the 95% interval of that."""
    means = {
        way: {str(budget): round(sum(values) / len(values), 4) for budget, values in by_budget.items()}
        for way, by_budget in found.items()
    }
    over = {
        way: {str(budget): _rounded(compare(found["pack"][budget], found[way][budget], SEED)) for budget in BUDGETS}
        for way in ("plain", "framed", "bare")
    }
    return {"asked": len(found["pack"][BUDGETS[0]]), "share": means, "packOver": over}


def _rounded(difference: Difference) -> dict[str, float]:
    return {name: round(value, 4) for name, value in vars(difference).items()}


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder with one folder a set")
    parser.add_argument("--sample", type=int, help="at most so many questions of each set, the same ones every time")
    parser.add_argument("--write", action="store_true", help="make this the committed result")
    options = parser.parse_args()
    found = {name: summary(await shares(options.data / name, options.sample)) for name in SETS}
    print(json.dumps(found, indent=2))
    if options.write:
        stamp = {"date": datetime.now(UTC).date().isoformat(), "python": platform.python_version()}
        RESULTS.write_text(json.dumps({**stamp, "sets": found}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(_main())
