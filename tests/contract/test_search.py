"""search: what answers a question, and how sure that is."""

from typing import Any

import pytest

from support.world import STORE, World

NOTES = [
    "The staging database is reset every night at 02:00 UTC.",
    "Invoices are numbered per calendar year.",
    "Deploys to production need two approvals.",
    "The mobile team uses Kotlin and Swift.",
    "The status page is hosted by a third party.",
]


async def fill(world: World) -> dict[str, str]:
    body = await world.ask("remember", memories=[{"content": note} for note in NOTES])
    return {result["memoryId"]: note for result, note in zip(body["results"], NOTES, strict=True)}


async def contents(world: World, query: str, **fields: Any) -> list[str]:
    body = await world.ask("search", query=query, **fields)
    assert body["ok"], body
    return [memory["content"] for memory in body["memories"]]


async def test_an_answer_has_all_its_fields(world: World) -> None:
    await fill(world)

    body = await world.ask("search", query="When is staging reset?")

    assert body["query"] == "When is staging reset?"
    assert (body["count"], body["total"], body["truncated"], body["nextCursor"]) == (1, 1, False, None)
    assert body["verdict"] in ("strong", "weak")
    assert body["why"]
    assert body["scores"] == [memory["score"] for memory in body["memories"]]
    assert 0 < body["scores"][0] <= 1
    assert body["memories"][0]["matchedTerms"]
    assert body["memories"][0]["reasons"]
    assert body["hiddenByDecay"] == 0
    assert STORE in body["message"]


async def test_scores_fall_from_the_first_to_the_last(world: World) -> None:
    await fill(world)
    await world.remember("The staging cluster has three nodes.")
    await world.remember("Reset your password on the status page.")

    scores = (await world.ask("search", query="staging database reset night"))["scores"]

    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)


async def test_nothing_relevant_gives_no_result_and_says_why(world: World) -> None:
    await fill(world)

    body = await world.ask("search", query="zebra migration savanna")

    assert (body["ok"], body["count"], body["memories"], body["scores"]) == (True, 0, [], [])
    assert body["verdict"] == "none"
    assert body["why"]
    assert body["message"].startswith("Nothing found")


async def test_an_empty_store_answers_none(world: World) -> None:
    body = await world.ask("search", query="anything")

    assert (body["ok"], body["verdict"], body["total"]) == (True, "none", 0)


async def test_one_frequent_word_does_not_carry_an_unrelated_note_to_the_top(world: World) -> None:
    await fill(world)
    await world.remember("the the the the status the is the of the the")

    assert (await contents(world, "what is the status of the production deploys"))[0] == NOTES[2]


async def test_ten_copies_of_one_note_do_not_fill_ten_places(world: World) -> None:
    text = "Backups of the shop run at night."
    copies = [await world.remember(text, sessionId=f"s-{n}") for n in range(5)]
    copies += [await world.remember(text.upper() + "!" * n) for n in range(5)]
    other = await world.remember("Backups of the blog are made weekly by hand.")

    body = await world.ask("search", query="backups", maxResults=10)

    shown = [memory["id"] for memory in body["memories"]]
    assert other in shown
    assert len(shown) == 2
    folded = [i for memory in body["memories"] for i in memory.get("collapsed", [])]
    assert sorted([*shown, *folded]) == sorted([*copies, other])


async def test_a_url_match_counts_as_a_match(world: World) -> None:
    memory_id = await world.remember("The button is green.", url="https://shop.example.com/cart")
    await fill(world)

    body = await world.ask("search", query="zebra", url="https://shop.example.com/cart")

    assert [memory["id"] for memory in body["memories"]] == [memory_id]


@pytest.mark.parametrize("query", [None, "", "   ", "\n\t"])
async def test_a_query_is_required(world: World, query: str | None) -> None:
    await fill(world)

    body = await world.ask("search", query=query)

    assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", "query")
    assert "recall" in body["error"]["message"]


@pytest.mark.parametrize("query", ["*", "\\", "?!…", "---", "()[]{}", '"', "' OR 1=1 --", "\u200b"])
async def test_a_query_of_punctuation_is_answered_with_none_or_matches_but_never_fails(
    world: World, query: str
) -> None:
    await fill(world)

    body = await world.ask("search", query=query)

    assert body["ok"], body
    assert body["verdict"] in ("none", "weak", "strong")
    assert (body["count"] == 0) == (body["verdict"] == "none")


async def test_a_query_over_ten_thousand_characters_is_cut_with_a_warning(world: World) -> None:
    await fill(world)

    body = await world.ask("search", query="staging reset " + "padding " * 25_000)

    assert body["ok"]
    assert 10_000 - len(" padding") < len(body["query"]) <= 10_000
    assert body["query"].endswith("padding")
    assert any("10000" in warning and "200014" in warning for warning in body["warnings"])


@pytest.mark.parametrize("ranking", ["default", "tfidf", "recent"])
async def test_each_ranking_finds_only_what_matches(world: World, ranking: str) -> None:
    await fill(world)

    found = await contents(world, "production approvals", searchOptions={"ranking": ranking})

    assert found == [NOTES[2]]


async def test_the_recent_ranking_shows_the_newest_match_first(world: World) -> None:
    old = await world.remember("Backups run at night.")
    world.wait(days=1)
    new = await world.remember("Backups moved; backups of backups are weekly and long to describe here.")

    body = await world.ask("search", query="backups night", searchOptions={"ranking": "recent"})

    assert [memory["id"] for memory in body["memories"]] == [new, old]


async def test_min_score_leaves_out_what_scores_less(world: World) -> None:
    await fill(world)
    await world.remember("The staging cluster has three nodes.")
    whole = await world.ask("search", query="staging database reset")
    least = whole["scores"][0]

    body = await world.ask("search", query="staging database reset", searchOptions={"minScore": least})

    assert (body["count"], body["total"]) == (1, 1)


async def test_tags_title_and_content_are_all_searched(world: World) -> None:
    by_tag = await world.remember("A fact.", memoryDetails={"tags": ["kubernetes"]})
    by_title = await world.remember("Another fact.", memoryDetails={"title": "Grafana dashboards"})

    assert [m["id"] for m in (await world.ask("search", query="kubernetes"))["memories"]] == [by_tag]
    assert [m["id"] for m in (await world.ask("search", query="grafana"))["memories"]] == [by_title]


async def test_explain_shows_the_parts_of_a_score(world: World) -> None:
    await fill(world)

    body = await world.ask("search", query="staging", explain=True)

    assert body["memories"][0]["explain"]
    assert all(isinstance(part, int | float) for part in body["memories"][0]["explain"].values())


async def test_the_order_does_not_depend_on_the_order_of_writing() -> None:
    worlds = [World(), World()]
    for world, notes in zip(worlds, (NOTES, NOTES[::-1]), strict=True):
        memories = [{"content": note, "memoryDetails": {"createdAt": "2026-02-01"}} for note in notes]
        await world.ask("remember", memories=memories)

    answers = [await contents(world, "staging production team page year") for world in worlds]

    assert answers[0] == answers[1]


async def test_a_memory_that_a_later_one_seems_to_update_says_so_and_keeps_its_place(world: World) -> None:
    older = await world.remember("We use port 22 for ssh")
    newer = await world.remember("sshd now listens on 49222")

    (memory,) = (await world.ask("search", query="which port is for ssh"))["memories"]

    assert (memory["id"], memory["possiblyUpdatedBy"]) == (older, newer)


async def test_a_further_page_says_so_as_well(world: World) -> None:
    older = await world.remember("We use port 22 for ssh")
    newer = await world.remember("sshd now listens on 49222")
    await world.ask("update", memoryId=older, memoryDetails={"tags": ["ssh"]})
    await world.remember("port ssh port ssh: ask before you open one")
    asked: dict[str, Any] = {"query": "which port is for ssh", "searchOptions": {"limit": 1}}

    cursor = (await world.ask("search", **asked))["nextCursor"]
    body = await world.ask("search", **{**asked, "searchOptions": {"limit": 1, "cursor": cursor}})

    (memory,) = body["memories"]
    assert (memory["id"], memory.get("possiblyUpdatedBy")) == (older, newer)


async def test_a_memory_out_of_reach_updates_nothing(world: World) -> None:
    await world.remember("We use port 22 for ssh", projectId="a")
    await world.remember("sshd now listens on 49222", projectId="b")

    (memory,) = (await world.ask("search", query="which port is for ssh", projectId="a"))["memories"]

    assert "possiblyUpdatedBy" not in memory


async def test_what_supersedes_for_certain_is_not_guessed_at(world: World) -> None:
    older = await world.remember("We use port 22 for ssh")
    newer = await world.remember("ssh uses port 49222", memoryDetails={"supersedes": older})

    memories = (await world.ask("search", query="which port is for ssh"))["memories"]

    assert {m["id"]: (m.get("supersededBy"), m.get("possiblyUpdatedBy")) for m in memories} == {
        newer: (None, None),
        older: (newer, None),
    }


async def test_a_hit_says_why_also_where_it_shares_no_word_with_the_query(world: World) -> None:
    turns = ("What do you love most about camping, Ann?", "Waking up to birds and fresh air.")
    speakers = ("Ben", "Ann")
    for text, speaker in zip(turns, speakers, strict=True):
        await world.remember(text, sessionId="s", memoryDetails={"metadata": {"speaker": speaker}})

    memories = (await world.ask("search", query="love most about camping"))["memories"]

    reasons = {memory["content"]: memory["reasons"] for memory in memories}
    assert reasons[turns[1]] == ["replies to a question that matches"]


async def test_a_question_about_what_is_someones_finds_what_they_said(world: World) -> None:
    for text in ("Ann: My plans for the summer are a secret.", "Ben: My plans for the summer are a boat."):
        await world.remember(text)

    first, *_ = (await world.ask("search", query="What are Ben's plans for the summer?"))["memories"]

    assert first["content"].startswith("Ben")
    assert "said by whom the query names" in first["reasons"]


async def test_a_whole_talk_is_said_by_nobody(world: World) -> None:
    await world.remember("Ann: Where is the boat?\nBen: At the lake.\nAnn: Which lake?")

    found = (await world.ask("search", query="Where does Ann say the boat is, at a lake?"))["memories"]

    assert "said by whom the query names" not in found[0]["reasons"]


async def test_what_stands_before_a_colon_in_code_is_no_speaker(world: World) -> None:
    await world.remember("class Pool : public Base {\n  int size() { return 10; }\n};")

    found = (await world.ask("search", query="What is the size of the Pool class?"))["memories"]

    assert "said by whom the query names" not in found[0]["reasons"]
