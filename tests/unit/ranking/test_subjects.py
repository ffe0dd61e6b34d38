"""Two texts of one form speak of one thing, or plainly of two."""

import pytest

from agent_memory.ranking.subjects import apart


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The staging port is 5432.", "The production port is 6432."),
        ("Anna's birthday is 3 May.", "Peter's birthday is 4 June."),
        ("Invoice 1001 is over 300 EUR.", "Invoice 1002 is over 450 EUR."),
        ("Team A has 5 people.", "Team B has 7 people."),
        ("Step 1: install version 3 of the tools.", "Step 2: build all 4 parts."),
        ("Rechnung 17 ist am 3. Mai bezahlt.", "Rechnung 18 ist am 4. Mai bezahlt."),
    ],
)
def test_what_is_numbered_or_named_otherwise_is_another_thing(one: str, other: str) -> None:
    assert apart(one, other)
    assert apart(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use port 22 for ssh", "sshd now listens on 49222"),
        ("We use Node 18.", "We use Node 20."),
        ("The office is on floor 3.", "The office is on floor 4."),
        ("The standup is Monday 9:00.", "The standup is Tuesday 9:30."),
        ("Disk size is 500 GB.", "Disk size is 2 TB."),
        ("Deploys need 1 approval.", "Deploys need 2 approvals."),
        ("Port 22 is open for ssh.", "Port 49222 is open for ssh."),
        ("The deadline of the audit is 15 October.", "The deadline of the audit is 16 November."),
        ("Postgres runs on 14.2 in staging.", "Staging has Postgres 16.1 now."),
        ("Invoices are due after 30 days.", "Invoices are due after 14 days."),
        ("Invoice 1001 is over 300 EUR.", "Invoice 1001 is over 450 EUR."),
        ("Team A has 5 people.", "Team A has 7 people."),
        ("The certificate expires on 2026-01-01.", "The certificate renews on 2027-01-01."),
        ("\u4f50\u85e4\u306e\u8a95\u751f\u65e5\u306f5\u6708", "\u4f50\u85e4\u306e\u8a95\u751f\u65e5\u304c6\u6708"),
    ],
)
def test_another_value_alone_or_other_wording_is_no_other_thing(one: str, other: str) -> None:
    assert not apart(one, other)
