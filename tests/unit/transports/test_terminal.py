"""What a person at a terminal is shown of an answer."""

import os
import subprocess
import sys
from typing import Any

import pytest

from agent_memory.transports.terminal import show

HIT = {"id": "m-8", "memoryType": "fact", "updatedAt": "2026-03-01T09:30:00.000Z", "score": 0.5}
EVENT = {"at": "2026-03-01T09:30:00.000Z", "change": "updated", "writer": "ana", "memoryId": "m-1"}


REVIEW = {
    "id": "r-1",
    "status": "pending",
    "candidate": {"content": "Never deploy after 15:00."},
    "duplicates": [],
    "supersedesCandidates": [{"memoryId": "m-7", "title": "Never deploy after 14:00.", "why": "other values"}],
    "promotionCandidates": [],
}


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"markdown": "Standing rules (1 of 1)\n| Be kind."}, "| Be kind."),
        ({"events": [EVENT]}, "at\tchange\tby\tmemory\n2026-03-01T09:30:00.000Z\tupdated\tana\tm-1"),
        ({"plan": [{"change": "forgotten", "fields": ["content"], "memoryId": "m-2"}]}, "forgotten\tcontent\tm-2"),
        ({"skipped": [{"memoryId": "m-3", "reason": "was of another scope"}]}, "m-3\twas of another scope"),
        ({"recurrence": [{"memoryId": "m-4", "title": "Be kind.", "count": 3}]}, "Be kind.\t3"),
        ({"idle": [{"memoryId": "m-5", "title": "Use tabs.", "days": 40}]}, "Use tabs.\t40"),
        ({"results": [{"index": 1, "ok": False, "error": {"message": "content is blank."}}]}, "1\tcontent is blank."),
        ({"notFound": ["m-6"]}, "m-6"),
        ({"why": "No memory answers this."}, "Done.\nNo memory answers this.\n"),
        (
            {"memories": [{**HIT, "title": "Port 80 is open.", "content": "Port 80\nis open."}]},
            "0.50\tfact\t2026-03-01\tPort 80 is open. | m-8\n",
        ),
        (
            {"memories": [{**HIT, "title": "Port 80 is…", "content": "Port 80 is open."}]},
            "\tPort 80 is open. | m-8\n",
        ),
        ({"memories": [{**HIT, "title": "Ports", "content": "80 is open."}]}, "\tPorts | 80 is open. | m-8\n"),
        (
            {"reviews": [REVIEW]},
            "pending\tother values: Never deploy after 14:00.\tNever deploy after 15:00. | r-1",
        ),
    ],
)
def test_what_an_answer_is_about_is_shown(
    fields: dict[str, Any], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show({"ok": True, "message": "Done.", "warnings": [], **fields})

    assert shown in capsys.readouterr().out


def test_a_narrow_terminal_cuts_no_id(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    memory_id = "0f8fad5b-d9cb-469f-a165-70867728950e"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "60")

    show({"ok": True, "message": "Done.", "warnings": [], "events": [EVENT | {"memoryId": memory_id}]})

    cells = [line.split("│")[-2].strip() for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert memory_id in "".join(cells)


def test_a_reader_that_has_gone_does_not_fail_the_run() -> None:
    code = (
        "from agent_memory.transports.terminal import show\n"
        "show({'ok': True, 'message': 'x' * 1_000_000, 'warnings': []})"
    )
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, check=False, text=True
        )
    finally:
        os.close(write)

    assert (done.returncode, done.stderr) == (0, "")
