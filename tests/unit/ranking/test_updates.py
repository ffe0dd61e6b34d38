import pytest

from agent_memory.ranking.updates import KeptClaims, read_claim


def updated(*contents: str) -> list[str | None]:
    """For each content, each a day later than the one before, the one that seems to update it."""
    claims = KeptClaims()
    for place, content in enumerate(contents):
        claims.put(f"m{place}", content)
    days = {f"m{place}": f"2026-03-{place + 1:02}" for place in range(len(contents))}
    found = [next(claims.updates(f"m{place}", days.get), None) for place in range(len(contents))]
    return [None if one is None else contents[int(one[1:])] for one in found]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We use port 22 for ssh", "sshd now listens on 49222"),
        ("The deadline of the audit is 15 October.", "The deadline of the audit is 16 October."),
        ("Postgres runs on 14.2 in staging.", "Staging has Postgres 16.1 now."),
        ("Invoices are due after 30 days.", "Invoices are due after 14 days."),
    ],
)
def test_a_later_memory_with_another_value_marks_the_older_and_not_the_other_way_round(older: str, newer: str) -> None:
    assert updated(older, newer) == [newer, None]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use port 22 for ssh", "We use port 22 for ssh, as ever"),
        ("We use port 22 for ssh", "The redis cache keeps 300 entries"),
        ("We use port 22 for ssh", "ssh needs a key"),
        ("The mail server restarts at 04:00.", "The web proxy restarts at 05:00."),
        ("def port():\n    return 22", "def port():\n    return 23"),
    ],
)
def test_the_same_value_another_subject_or_code_marks_nothing(one: str, other: str) -> None:
    assert updated(one, other) == [None, None]


def test_words_that_many_memories_hold_name_no_subject() -> None:
    assert set(updated(*(f"The nightly import of shop {n} took {n} minutes." for n in range(12)))) == {None}


def test_of_several_later_ones_the_newest_is_named() -> None:
    assert updated("Build 7 of the installer", "Build 8 of the installer", "Build 9 of the installer")[0] == (
        "Build 9 of the installer"
    )


def test_only_memories_that_may_be_seen_are_named() -> None:
    claims = KeptClaims()
    claims.put("a", "We use port 22 for ssh")
    claims.put("b", "sshd now listens on 49222")
    assert [*claims.updates("a", {"a": "2026-03-01"}.get)] == []


def test_what_has_changed_or_is_gone_is_forgotten() -> None:
    claims = KeptClaims()
    claims.put("a", "We use port 22 for ssh")
    claims.put("b", "sshd now listens on 49222")
    days = {"a": "2026-03-01", "b": "2026-03-02"}
    claims.put("b", "The kitchen has 3 windows")
    assert [*claims.updates("a", days.get)] == []
    claims.put("b", None)
    assert claims == KeptClaims({"a": claims.by_id["a"]}, claims.holding)


def test_a_long_text_makes_no_claim() -> None:
    assert read_claim("The pump runs at 3 bar. " + "It is a long story. " * 40) is None
