"""The guard before the review queue: what is said already, and what may be a change."""

import pytest

from agent_memory.ranking.restating import read, restates


@pytest.mark.parametrize(
    ("new", "old", "guard"),
    [
        ("Never push on a Friday.", "Never push on a Friday.", "exact"),
        ("never push  on a friday", "Never push on a Friday.", "exact"),
        ("夜間は2時に再起動する", "夜間は2時に再起動する", "exact"),
        ("Deploys need two reviews.", "Deploys to staging need two reviews. Ask Mara.", "subset"),
        ("Ask before merging.", "Tests run at night. Always be kind.\nAsk before merging.", "subset"),
        ("Before pushing, run `pnpm_test`.", "Run `pnpm_test` before you push.", "paraphrase"),
        ("The retries of client.py wait 30 seconds.", "client.py: retries are to wait 30 seconds.", "paraphrase"),
        ("In client.py retries wait 30 seconds.", "In client.py the retry waits 30 seconds.", "paraphrase"),
        (
            "The design system's primary colour is #1A73E8.",
            "The primary colour of the design system is #1A73E8.",
            "paraphrase",
        ),
    ],
)
def test_what_is_said_already(new: str, old: str, guard: str | None) -> None:
    assert restates(read(new), read(old)) == guard


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The port is 8080.", "The port is 8081."),
        ("Use node v20.1 here.", "Use node v20.2 here."),
        ("The release is on 2026-03-01.", "The release is on 2026-03-02."),
        ("Push on a Friday.", "Never push on a Friday."),
        ("Never push on a Friday.", "Push on a Friday."),
        ("Mara's build of api_v2 runs first.", "Jonas's build of api_v2 runs first."),
        ("The client's key opens api_v2.", "The server's key opens api_v2."),
        ("Do push to main.", "Don't push to main."),
        ("You may run `pnpm_test` first.", "You must run `pnpm_test` first."),
        ("Allow api_v2 on gateway_1.", "Forbid api_v2 on gateway_1."),
        ("api_v2 depends on gateway_1.", "gateway_1 depends on api_v2."),
        ("Deploy to Berlin with api_v2.", "Deploy to Paris with api_v2."),
        ("Merge only after review.", "Merge after review."),
        ("Deploys run in March here.", "Deploys run in May here."),
        ("Deploy on weekends here.", "It would be a very grave error to deploy on weekends here, says everyone."),
        ("Latency <= 5 ms is fine.", "Latency >= 5 ms is fine."),
        ("Run the linter and then the tests.", "Run the linter."),
        ("夜間は2時に再起動する", "夜間は3時に再起動する"),
    ],
)
def test_what_differs_in_a_number_a_date_a_version_a_negation_or_a_word_is_never_said_already(
    new: str, old: str
) -> None:
    assert restates(read(new), read(old)) is None
