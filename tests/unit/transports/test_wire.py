"""The one error table, and what a person at a terminal sees."""

import json
from typing import Any

import pytest

from agent_memory import errors
from agent_memory.transports.terminal import show
from agent_memory.transports.wire import STATUS, error_body, internal_body


def test_every_error_has_an_http_status() -> None:
    assert {kind.code for kind in errors.MemoryServiceError.__subclasses__()} <= STATUS.keys()
    assert all(400 <= status < 600 for status in STATUS.values())


def test_every_error_of_the_tree_has_a_code_of_its_own_that_the_tree_names() -> None:
    kinds = errors.MemoryServiceError.__subclasses__()
    codes = [kind.code for kind in kinds]

    assert len(set(codes)) == len(codes)
    assert errors.__doc__ is not None
    for kind in kinds:
        assert kind.__name__ in errors.__doc__
        assert kind.code in errors.__doc__


def test_an_error_becomes_a_body() -> None:
    body = error_body("get", errors.NotFoundError("No memory x.", memoryIds=["x"]))

    assert body == {
        "ok": False,
        "action": "get",
        "error": {"code": "not_found", "message": "No memory x.", "details": {"memoryIds": ["x"]}},
    }
    json.dumps(body)


def test_a_bug_tells_nothing_about_itself() -> None:
    body = internal_body("get")

    assert (body["ok"], body["error"]["code"], body["error"]["details"]) == (False, "internal", {})


@pytest.mark.parametrize(
    "body",
    [
        {"ok": False, "error": {"code": "conflict", "message": "No."}},
        {"ok": True, "message": "Yes.", "warnings": ["Mind."], "memory": {"id": "m", "tags": []}},
        {"ok": True, "message": "Yes.", "warnings": [], "byType": {"fact": 2}, "archived": 3},
        {"ok": True, "message": "Yes.", "warnings": [], "archived": [{"id": "m", "title": "T", "retained": 0.01}]},
        {"ok": True, "message": "Yes.", "warnings": [], "contextMarkdown": "# Pack"},
        {
            "ok": True,
            "message": "Yes.",
            "warnings": [],
            "chunks": [{"index": 0, "status": "created", "tokens": 3, "heading": None}],
        },
    ],
)
def test_every_answer_can_be_shown(body: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    show(body)

    shown = capsys.readouterr().out
    assert (body.get("message") or "No.") in shown
    assert all(warning in shown for warning in body.get("warnings", []))


def test_stored_text_cannot_steer_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    memory = {"id": "m", "score": 0.5, "memoryType": "fact", "updatedAt": "2026-03-01T00:00:00.000Z",
              "title": "\x1b[2Jgone", "content": "a\x07b\u202ec\x9b1m"}  # fmt: skip
    show({"ok": True, "message": "Found.", "warnings": ["w\x1b[31m"], "memories": [memory]})

    shown = capsys.readouterr().out
    assert not [c for c in shown if c not in "\n\t" and not c.isprintable()]


def test_a_long_list_is_cut_with_the_number_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    memory = {"id": "m", "score": 0.5, "memoryType": "fact", "updatedAt": "2026-03-01", "title": "T", "content": "c"}
    show({"ok": True, "message": "Found.", "warnings": [], "memories": [memory] * 25})

    assert "5 more" in capsys.readouterr().out
