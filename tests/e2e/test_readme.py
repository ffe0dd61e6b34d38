"""The README and the guides show true output: every example in them is run, in their order.

Those of the README run as the Actor, a process each; those of the guides under docs/ in this process.

An HTML comment before a fenced block says what the block is:

    <!-- run: NAME -->            the JSON block is an INPUT
    <!-- run: NAME FILE -->       the INPUT is in FILE; a block, if there is one, shows the same
    <!-- output: NAME -->         the JSON block is a part of what that run answered
    <!-- output: NAME FIELD -->   the text block is a part of that field, whole lines of it in order

`<memoryId>` or `<reviewId>` in an INPUT is the id in the answer shown last. `…` at the end of a list or a
text stands for more.
"""

import json
import math
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from support.actor import ROOT, run_actor
from support.world import World

RESULTS = ROOT / "benchmarks" / "results"
MEMORIES = 1_000
MORE = "…"

_MARKED = re.compile(
    r"<!-- (?P<kind>run|output): (?P<name>\S+)(?: (?P<extra>\S+))? -->(?:\n+```\w+\n(?P<block>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
_PASSING = (
    (re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "<time>"),
    (re.compile(r"(?<=\()\d{4}-\d\d-\d\d(?=\))"), "<day>"),
    (re.compile(r"\[[a-z0-9]+ (?=begin\]|end\]|#)"), "[<nonce> "),
    (re.compile(r"less than a day old|\d+ days? old"), "<age>"),
    (re.compile(r"updated (?:today|\d+ days? ago)"), "<age>"),
    (re.compile(r"\b\d+(?= (?:of the \d+ )?tokens)"), "<count>"),
)
# Counts that differ a little with the digits of ids and ages.
IN_TOKENS = ("tokenEstimate", "nextBudget")


@dataclass(frozen=True)
class Mark:
    """A marked place in a guide; `extra` is the FILE of a run or the FIELD of an output."""

    kind: str
    name: str
    extra: str | None
    block: str | None


def marks(guide: str) -> Iterator[Mark]:
    for found in _MARKED.finditer((ROOT / guide).read_text("utf-8")):
        yield Mark(found["kind"], found["name"], found["extra"], found["block"])


def masked(text: str) -> str:
    """`text` without what differs from run to run: ids, instants, nonces, ages, counts of tokens."""
    for pattern, name in _PASSING:
        text = pattern.sub(name, text)
    return text


def differences(shown: Any, true: Any, at: str = "") -> Iterator[str]:
    """Where `shown` is no part of `true`; scores may differ by 0.05, since they depend on the age of a memory."""
    match shown, true:
        case dict(), dict():
            yield from in_object(cast("Mapping[str, Any]", shown), cast("Mapping[str, Any]", true), at)
        case list(), list():
            yield from in_list(cast("Sequence[Any]", shown), cast("Sequence[Any]", true), at)
        case _ if not alike(shown, true, at):
            yield f"{at}: shown {shown!r}, true {true!r}"
        case _:
            pass


def in_object(shown: Mapping[str, Any], true: Mapping[str, Any], at: str) -> Iterator[str]:
    """A guide may show some of the fields."""
    for name, value in shown.items():
        if name in true:
            yield from differences(value, true[name], f"{at}.{name}")
        else:
            yield f"{at}.{name} is shown, the run answered no such field"


def in_list(shown: Sequence[Any], true: Sequence[Any], at: str) -> Iterator[str]:
    """A guide shows all items, or the first ones and `…`."""
    more = bool(shown) and shown[-1] == MORE
    items = shown[:-1] if more else shown
    if len(items) > len(true) or (len(items) < len(true) and not more):
        yield f"{at}: {len(items)} items shown, {len(true)} true"
    for place, (one, other) in enumerate(zip(items, true, strict=False)):
        yield from differences(one, other, f"{at}[{place}]")


def alike(shown: Any, true: Any, at: str) -> bool:
    """Whether two values are the same but for what passes."""
    if isinstance(shown, str) and isinstance(true, str):
        mine, other = masked(shown), masked(true)
        return mine == other or (mine.endswith(MORE) and other.startswith(mine.removesuffix(MORE)))
    if isinstance(shown, float) and isinstance(true, float):
        return math.isclose(shown, true, abs_tol=0.05)
    if at.rpartition(".")[2] in IN_TOKENS and isinstance(shown, int) and isinstance(true, int):
        return math.isclose(shown, true, rel_tol=0.05)
    return shown == true


def lines_not_in(shown: str, true: str) -> list[str]:
    """The lines of `shown` that do not stand in `true` in that order; a line `…` stands for lines left out."""
    rest = iter(masked(true).splitlines())
    return [line for line in masked(shown).splitlines() if line != MORE and line not in rest]


def payload_of(mark: Mark, memory_id: str) -> dict[str, Any]:
    """The INPUT of a run; where a guide shows what also stands in a file, both must be the same."""
    file = (ROOT / mark.extra).read_text("utf-8") if mark.extra else None
    text = file or mark.block
    assert text is not None, f"no INPUT follows run: {mark.name}"
    assert file is None or mark.block is None or json.loads(file) == json.loads(mark.block), f"{mark.extra} is another"
    return json.loads(text.replace("<memoryId>", memory_id).replace("<reviewId>", memory_id))


def first_id(output: Mapping[str, Any]) -> str | None:
    one = filter(None, [output.get("memory")])
    memories: list[Mapping[str, str]] = [*one, *output.get("memories", []), *output.get("reviews", [])]
    return next((memory["id"] for memory in memories if "id" in memory), None)


def field_of(output: Any, path: str) -> str:
    for name in path.split("."):
        output = output[name]
    return cast("str", output)


def problems_of(mark: Mark, true: Mapping[str, Any]) -> list[str]:
    """Where the block of an output differs from what its run answered."""
    assert mark.block is not None, f"no block follows output: {mark.name}"
    if mark.extra:
        lines = lines_not_in(mark.block, field_of(true, mark.extra))
        return [f"{mark.name} {mark.extra}: not in the true text: {line}" for line in lines]
    return [f"{mark.name}{problem}" for problem in differences(json.loads(mark.block), true)]


async def check(guide: str, run: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]) -> None:
    """Run all examples of `guide` in their order, and compare what it shows."""
    outputs: dict[str, dict[str, Any]] = {}
    shown: set[str] = set()
    wrong: list[str] = []
    memory_id = ""
    for mark in marks(guide):
        if mark.kind == "run":
            assert mark.name not in outputs, f"two runs are called {mark.name}"
            outputs[mark.name] = await run(payload_of(mark, memory_id))
            memory_id = first_id(outputs[mark.name]) or memory_id
        else:
            shown.add(mark.name)
            wrong += problems_of(mark, outputs[mark.name])
    assert not wrong, "\n".join(wrong)
    assert shown == set(outputs) != set(), "a run whose output is not shown, or no run at all"


async def test_every_example_of_the_readme_answers_what_it_shows(tmp_path: Path) -> None:
    async def run(payload: dict[str, Any]) -> dict[str, Any]:
        ended = run_actor(tmp_path, payload)
        assert ended.exit_code == 0, ended.log
        return ended.output

    await check("README.md", run)


@pytest.mark.parametrize("guide", ["docs/migrating.md", "docs/transfer.md", "docs/troubleshooting.md"])
async def test_every_example_of_a_guide_answers_what_it_shows(guide: str) -> None:
    world = World()

    async def run(payload: dict[str, Any]) -> dict[str, Any]:
        action = payload.pop("action")
        return await world.ask(action, **payload)

    await check(guide, run)


def test_the_readme_names_only_files_that_are_there() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    linked = {target for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) if "://" not in target}
    assert linked
    assert [target for target in sorted(linked) if not (ROOT / target).exists()] == []


def test_the_costs_are_those_of_the_benchmarks() -> None:
    requests = json.loads((RESULTS / "requests.json").read_text("utf-8"))
    cpu = json.loads((RESULTS / "cold_start.json").read_text("utf-8"))
    counted = {one["action"]: requests["bareRequests"] + one["requests"] for one in requests["actions"]}
    seconds = {one["action"]: one["cpu_seconds"] for one in cpu["actions"] if one["memories"] == MEMORIES}
    counted["an Actor that does nothing"] = requests["bareRequests"]
    seconds["an Actor that does nothing"] = cpu["bareCpuSeconds"]
    text = (ROOT / "docs" / "costs.md").read_text("utf-8")
    rows = re.findall(r"^\| `?([^`|]+?)`? \| (\d+) \| ([\d.]+) \| (\d+) s \| ([\d.]+) s \|$", text, re.MULTILINE)
    assert {what: int(number) for what, number, *_ in rows} == {what: counted[what] for what in seconds}
    for what, _, shown, small, large in rows:
        assert float(shown) == pytest.approx(seconds[what], rel=0.25), f"{what}: measured {seconds[what]}"
        assert float(small) == pytest.approx(16 * float(shown), abs=0.6)
        assert float(large) == pytest.approx(4 * float(shown), abs=0.08)


def test_what_is_shown_is_compared_and_what_passes_is_not() -> None:
    true = {"id": "c4a2301c-52a2-4cc2-be0d-28484fd2667f", "score": 0.91, "tags": ["a", "b"], "total": 3}
    same = {"id": "00000000-52a2-4cc2-be0d-28484fd2667f", "score": 0.9, "tags": ["a", "…"]}
    assert list(differences(same, true)) == []
    assert len(list(differences({**same, "total": 4}, true))) == 1
    assert len(list(differences({"tags": ["a"]}, true))) == 1
    assert len(list(differences({"score": 0.5, "count": 1}, true))) == 2
    assert lines_not_in("one\n…\nthree", "one\ntwo\nthree") == []
    assert lines_not_in("two\none", "one\ntwo") == ["one"]
