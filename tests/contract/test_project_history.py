"""The history in examples/: what it holds is found by questions in other words and languages."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.world import World

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HISTORY = json.loads((EXAMPLES / "project-history.json").read_text(encoding="utf-8"))
QUESTIONS = json.loads((EXAMPLES / "questions.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def answerable() -> list[dict[str, Any]]:
    return [question for question in QUESTIONS if question["expect"]]


async def ask_all(questions: list[dict[str, Any]]) -> list[tuple[list[str], dict[str, Any]]]:
    """The expected ids of each question, and what search answers to it."""
    world = World()
    stored = await world.ask("remember", **{name: HISTORY[name] for name in ("memoryStoreId", "memories")})
    assert stored["counts"] == {"created": 73, "duplicate": 2, "replayed": 0, "failed": 0}
    keys = [memory["idempotencyKey"] for memory in HISTORY["memories"]]
    ids = {key: result["memoryId"] for key, result in zip(keys, stored["results"], strict=True)}
    store = HISTORY["memoryStoreId"]
    return [
        ([ids[key] for key in q["expect"]], await world.ask("search", memoryStoreId=store, query=q["query"]))
        for q in questions
    ]


async def test_an_expected_note_is_among_the_first_five_for_nine_questions_in_ten(
    answerable: list[dict[str, Any]],
) -> None:
    answers = await ask_all(answerable)

    found = [bool({memory["id"] for memory in body["memories"][:5]} & set(expected)) for expected, body in answers]

    assert len(found) == 30
    assert sum(found) >= 27


async def test_no_question_that_the_history_answers_is_answered_with_none(answerable: list[dict[str, Any]]) -> None:
    assert [body["query"] for _, body in await ask_all(answerable) if body["verdict"] == "none"] == []


async def test_what_the_history_does_not_hold_is_never_answered_strongly() -> None:
    answers = await ask_all([question for question in QUESTIONS if not question["expect"]])

    assert len(answers) == 8
    assert [body["query"] for _, body in answers if body["verdict"] == "strong"] == []


async def test_a_corrected_note_says_so_and_stands_behind_the_newer_one_in_every_answer() -> None:
    named = {m["idempotencyKey"]: m.get("memoryDetails", {}).get("supersedes") for m in HISTORY["memories"]}
    corrected = {older: newer for newer, older in named.items() if older}
    asked = [{**question, "expect": [*corrected]} for question in QUESTIONS]
    answers = await ask_all([{**question, "expect": [*corrected.values()]} for question in QUESTIONS])
    newer = dict(zip((await ask_all(asked[:1]))[0][0], answers[0][0], strict=True))
    shown = [[memory["id"] for memory in body["memories"]] for _, body in answers]
    both = [(ids, older) for ids in shown for older in newer if {older, newer[older]} <= {*ids}]

    assert (len(corrected), len(both) > 0) == (7, True)
    assert [older for ids, older in both if ids.index(newer[older]) > ids.index(older)] == []
    for _, body in answers:
        assert all(memory.get("supersededBy") == newer.get(memory["id"]) for memory in body["memories"])


async def test_a_note_that_must_come_first_comes_first() -> None:
    first = [question for question in QUESTIONS if question["note"].endswith("must come first")]

    assert len(first) == 2
    for expected, body in await ask_all(first):
        assert body["memories"][0]["id"] == expected[0]
