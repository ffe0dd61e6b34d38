"""The README and the guides show true output: every example in them is run, in order, by the Actor itself.

An HTML comment before a fenced block says what the block is:

    <!-- run: NAME -->            the JSON block is an INPUT
    <!-- run: NAME FILE -->       the INPUT is in FILE; no block is needed
    <!-- output: NAME -->         the JSON block is a part of what that run answered
    <!-- output: NAME FIELD -->   the text block is a part of that field, whole lines of it in order

`<memoryId>` in an INPUT is the id in the answer shown last. `…` at the end of a list or a text stands for more.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from support.actor import ROOT, run_actor

GUIDES = ("README.md", "docs/migrating.md", "docs/troubleshooting.md")
MORE = "…"

_MARKED = re.compile(
    r"<!-- (?P<kind>run|output): (?P<name>\S+)(?: (?P<extra>\S+))? -->(?:\n+```\w+\n(?P<block>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
_PASSING = (
    (re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "<time>"),
    (re.compile(r"\[[0-9a-f]{8} (?=begin|end|#)"), "[<nonce> "),
    (re.compile(r"less than a day old|\d+ days? old"), "<age>"),
    (re.compile(r"updated (?:today|\d+ days? ago)"), "<age>"),
    (re.compile(r"\b\d+(?= (?:of the \d+ )?tokens)"), "<count>"),
)
_ABOUT = ("tokenEstimate", "nextBudget")
"""Counts that change a little with the digits of an age."""


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
    if isinstance(shown, dict) and isinstance(true, dict):
        whole = cast("Mapping[str, Any]", true)
        for name, value in cast("Mapping[str, Any]", shown).items():
            if name not in whole:
                yield f"{at}.{name} is shown, the run answered no such field"
            elif name in _ABOUT and value is not None and whole[name] is not None:
                if not math.isclose(value, whole[name], rel_tol=0.05):
                    yield f"{at}.{name}: shown {value}, true {whole[name]}"
            elif name != "tookMs":
                yield from differences(value, whole[name], f"{at}.{name}")
    elif isinstance(shown, list) and isinstance(true, list):
        items, every = cast("Sequence[Any]", shown), cast("Sequence[Any]", true)
        more = bool(items) and items[-1] == MORE
        items = items[:-1] if more else items
        if len(items) > len(every) or (len(items) < len(every) and not more):
            yield f"{at}: {len(items)} items shown, {len(every)} true"
        for place, (one, other) in enumerate(zip(items, every, strict=False)):
            yield from differences(one, other, f"{at}[{place}]")
    elif isinstance(shown, str) and isinstance(true, str):
        mine, other = masked(shown), masked(true)
        if mine != other and not (mine.endswith(MORE) and other.startswith(mine.removesuffix(MORE))):
            yield f"{at}: shown {mine!r}, true {other!r}"
    elif isinstance(shown, float) and isinstance(true, float):
        if not math.isclose(shown, true, abs_tol=0.05):
            yield f"{at}: shown {shown}, true {true}"
    elif shown != true:
        yield f"{at}: shown {shown!r}, true {true!r}"


def lines_not_in(shown: str, true: str) -> list[str]:
    """The lines of `shown` that do not stand in `true` in that order; a line `…` stands for lines left out."""
    rest = iter(masked(true).splitlines())
    return [line for line in masked(shown).splitlines() if line != MORE and line not in rest]


def payload_of(mark: Mark, memory_id: str) -> Any:
    text = (ROOT / mark.extra).read_text("utf-8") if mark.extra else mark.block
    assert text is not None, f"no INPUT follows run: {mark.name}"
    return json.loads(text.replace("<memoryId>", memory_id))


def first_id(output: Mapping[str, Any]) -> str | None:
    memories: list[Mapping[str, str]] = [*filter(None, [output.get("memory")]), *output.get("memories", [])]
    return memories[0]["id"] if memories else None


def field_of(output: Any, path: str) -> str:
    for name in path.split("."):
        output = output[name]
    return cast("str", output)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_example_of_a_guide_answers_what_the_guide_shows(guide: str, tmp_path: Path) -> None:
    outputs: dict[str, dict[str, Any]] = {}
    shown: set[str] = set()
    memory_id = ""
    wrong: list[str] = []
    for mark in marks(guide):
        if mark.kind == "run":
            assert mark.name not in outputs, f"two runs are called {mark.name}"
            ended = run_actor(tmp_path, payload_of(mark, memory_id))
            outputs[mark.name] = ended.output
            assert ended.exit_code == (0 if ended.output["ok"] else 1), ended.log
            memory_id = first_id(ended.output) or memory_id
        else:
            assert mark.block is not None, f"no block follows output: {mark.name}"
            true = outputs[mark.name]
            shown.add(mark.name)
            if mark.extra:
                lines = lines_not_in(mark.block, field_of(true, mark.extra))
                wrong += [f"{mark.name} {mark.extra}: not in the true text: {line}" for line in lines]
            else:
                wrong += [f"{mark.name}{problem}" for problem in differences(json.loads(mark.block), true)]
    assert not wrong, "\n".join(wrong)
    assert shown == set(outputs), "a run whose output is not shown"
    assert shown, f"{guide} has no example"


def test_the_readme_names_only_files_that_are_there() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    linked = {target for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text) if "://" not in target}
    assert linked
    assert [target for target in sorted(linked) if not (ROOT / target).exists()] == []


def test_what_is_shown_is_compared_and_what_passes_is_not() -> None:
    true = {"id": "c4a2301c-52a2-4cc2-be0d-28484fd2667f", "score": 0.91, "tags": ["a", "b"], "total": 3}
    same = {"id": "00000000-52a2-4cc2-be0d-28484fd2667f", "score": 0.9, "tags": ["a", "…"]}
    assert list(differences(same, true)) == []
    assert len(list(differences({**same, "total": 4}, true))) == 1
    assert len(list(differences({"tags": ["a"]}, true))) == 1
    assert len(list(differences({"score": 0.5, "count": 1}, true))) == 2
    assert lines_not_in("one\n…\nthree", "one\ntwo\nthree") == []
    assert lines_not_in("two\none", "one\ntwo") == ["one"]
