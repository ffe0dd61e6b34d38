"""supersedes: a memory that is said to replace another one ranks before it, and the older one says so."""

from typing import Any

import pytest

from agent_memory.models.vocabulary import Channel
from support.world import World

OLD, NEW = "We use port 22 for ssh on the build host.", "sshd on the build host listens on port 49222."


async def replaced(world: World, **fields: Any) -> tuple[str, str]:
    old = await world.remember(OLD, **fields)
    world.wait(days=1)
    new = await world.remember(NEW, **fields, memoryDetails={"supersedes": old})
    return old, new


async def test_the_older_one_ranks_behind_and_says_by_what_it_was_superseded(world: World) -> None:
    old, new = await replaced(world)
    query = "which port do we use for ssh on the build host"
    found = await world.ask("search", query=query, explain=True)

    assert [memory["id"] for memory in found["memories"]] == [new, old]
    newer, older = found["memories"]
    assert older["supersededBy"] == new
    assert newer["supersedes"] == old
    assert "supersededBy" not in newer
    assert older["score"] <= newer["score"]
    assert abs(sum(older["explain"].values()) - older["score"]) < 1e-3
    recalled = await world.ask("recall", query=query)
    assert [memory["id"] for memory in recalled["memories"]] == [new, old]
    packed = await world.ask("context_pack", query=query)
    assert [used["id"] for used in packed["memoriesUsed"]] == [new, old]
    got = await world.ask("get", memoryId=old)
    assert got["memories"][0]["supersededBy"] == new


async def test_a_chain_keeps_the_newest_first(world: World) -> None:
    old, new = await replaced(world)
    world.wait(days=1)
    newest = await world.remember("ssh on the build host is off.", memoryDetails={"supersedes": new})
    found = await world.ask("search", query="port for ssh on the build host")

    assert [memory["id"] for memory in found["memories"]] == [newest, new, old]


async def test_an_update_can_say_so_and_take_it_back(world: World) -> None:
    old = await world.remember(OLD)
    new = await world.remember(NEW)
    said = await world.ask("update", memoryId=new, memoryDetails={"supersedes": old})
    assert said["changed"] == ["supersedes"]
    assert (await world.ask("get", memoryId=old))["memories"][0]["supersededBy"] == new
    await world.ask("update", memoryId=new, memoryDetails={"supersedes": None})
    assert "supersededBy" not in (await world.ask("get", memoryId=old))["memories"][0]


async def test_it_must_name_another_memory_that_is_there(world: World) -> None:
    old = await world.remember(OLD)
    unknown = await world.ask("remember", content=NEW, memoryDetails={"supersedes": "nope"})
    itself = await world.ask("update", memoryId=old, memoryDetails={"supersedes": old})

    assert unknown["error"]["code"] == "not_found"
    assert unknown["error"]["details"]["field"] == "memoryDetails.supersedes"
    assert itself["error"]["code"] == "invalid_request"
    assert (await world.ask("stats"))["totalMemories"] == 1
    bulk = await world.ask(
        "remember", memories=[{"content": NEW, "memoryDetails": {"supersedes": i}} for i in ("nope", old)]
    )
    assert [result["ok"] for result in bulk["results"]] == [False, True]


async def test_two_that_supersede_each_other_go_by_age(world: World) -> None:
    old, new = await replaced(world)
    world.wait(days=1)
    await world.ask("update", memoryId=old, content=OLD + " Again.", memoryDetails={"supersedes": new})
    found = await world.ask("search", query="port ssh build host")

    assert [memory["id"] for memory in found["memories"]] == [old, new]


async def test_once_the_newer_one_is_forgotten_the_older_one_holds_again(world: World) -> None:
    old, new = await replaced(world)
    await world.ask("forget", memoryId=new)
    found = await world.ask("search", query="port ssh build host")

    assert [memory["id"] for memory in found["memories"]] == [old]
    assert "supersededBy" not in found["memories"][0]


async def test_a_memory_out_of_reach_neither_shows_nor_supersedes(world: World) -> None:
    old = await world.remember(OLD)
    mine = {"scope": "session", "supersedes": old}
    new = await world.remember(NEW, sessionId="monday", memoryDetails=mine)
    theirs = await world.ask("search", query="port ssh build host")
    ours = await world.ask("search", query="port ssh build host", sessionId="monday")

    assert new not in str(theirs["memories"])
    assert ours["memories"][1]["supersededBy"] == new
    hidden = await world.ask("remember", content="Port 1.", memoryDetails={"supersedes": new})
    assert hidden["error"]["code"] == "not_found"


async def test_brief_leaves_out_what_was_superseded(world: World) -> None:
    old, new = await replaced(world)
    body = await world.ask("brief")

    assert [entry["id"] for entry in body["digest"]] == [new]
    assert old not in body["markdown"]


async def test_saying_it_of_a_text_that_is_there_already_changes_nothing_and_says_so(world: World) -> None:
    old, new = await world.remember(OLD), await world.remember(NEW)
    again = await world.ask("remember", content=NEW, memoryDetails={"supersedes": old})

    assert (again["status"], again["memory"]["id"]) == ("duplicate", new)
    assert any("Use update" in warning for warning in again["warnings"])


@pytest.mark.parametrize("named", ["id", "key"])
async def test_saying_it_again_of_the_same_memory_needs_no_warning(world: World, named: str) -> None:
    old = (await world.ask("remember", content=OLD, idempotencyKey="old"))["memory"]["id"]
    details = {"supersedes": old if named == "id" else "old"}
    await world.ask("remember", content=NEW, memoryDetails=details)
    again = await world.ask("remember", content=NEW, memoryDetails=details)

    assert (again["status"], again["warnings"]) == ("duplicate", [])


@pytest.mark.parametrize("way", ["remember", "bulk", "update"])
@pytest.mark.parametrize("source", ["agent", "crawl"])
async def test_what_is_less_trusted_is_told_that_it_pushes_nothing_aside(world: World, way: str, source: str) -> None:
    world.channel = Channel.CONSOLE
    mine = await world.remember(OLD, memoryDetails={"source": "human"})
    world.channel = Channel.API
    details = {"supersedes": mine, "source": source}
    match way:
        case "remember":
            body = await world.ask("remember", content=NEW, memoryDetails=details)
        case "bulk":
            body = await world.ask("remember", memories=[{"content": NEW, "memoryDetails": details}])
        case _:
            other = await world.remember(NEW)
            body = await world.ask("update", memoryId=other, memoryDetails=details)

    assert any(mine in warning and "trusted more" in warning for warning in body["warnings"]), body
    assert "supersededBy" not in (await world.ask("get", memoryId=mine))["memories"][0]


async def test_what_is_trusted_as_much_supersedes_without_a_word(world: World) -> None:
    old = await world.remember(OLD)
    body = await world.ask("remember", content=NEW, memoryDetails={"supersedes": old})

    assert body["warnings"] == []


async def test_an_item_can_supersede_an_earlier_one_of_the_same_write_by_its_key(world: World) -> None:
    items = [
        {"content": NEW, "memoryDetails": {"supersedes": "old"}},
        {"content": OLD, "idempotencyKey": "old"},
        {"content": NEW, "idempotencyKey": "new", "memoryDetails": {"supersedes": "old"}},
        {"content": "ssh on the build host is off.", "memoryDetails": {"supersedes": "new"}},
    ]
    first, old, new, newest = (await world.ask("remember", memories=items))["results"]

    assert first["error"]["code"] == "not_found"
    found = (await world.ask("search", query="port for ssh on the build host"))["memories"]
    assert [memory["id"] for memory in found] == [newest["memoryId"], new["memoryId"], old["memoryId"]]
    assert [memory.get("supersedes") for memory in found] == [new["memoryId"], old["memoryId"], None]
    again = await world.ask("remember", memories=items[1:3])
    assert (again["counts"]["replayed"], again["warnings"]) == (2, [])


async def test_a_key_names_a_memory_that_was_stored_before_unless_it_is_out_of_reach(world: World) -> None:
    mine = {"scope": "session"}
    old = (await world.ask("remember", content=OLD, idempotencyKey="old"))["memory"]["id"]
    await world.ask("remember", content=OLD, idempotencyKey="hers", sessionId="monday", memoryDetails=mine)
    body = await world.ask("remember", content=NEW, memoryDetails={"supersedes": "old"})
    hidden = await world.ask("remember", content="Port 1.", memoryDetails={"supersedes": "hers"})

    assert body["memory"]["supersedes"] == old
    assert hidden["error"]["code"] == "not_found"
    await world.ask("forget", memoryId=old)
    gone = await world.ask("remember", content="Port 2.", memoryDetails={"supersedes": "old"})
    assert gone["error"]["code"] == "not_found"


@pytest.mark.parametrize("how", ["forget", "purge"])
@pytest.mark.parametrize("by", ["id", "key"])
async def test_what_was_forgotten_or_purged_is_not_there_to_be_superseded(world: World, how: str, by: str) -> None:
    old = (await world.ask("remember", content=OLD, idempotencyKey="old"))["memory"]["id"]
    assert (await world.ask(how, memoryId=old, **({"confirm": f"DELETE {old}"} if how == "purge" else {})))["ok"]
    named = old if by == "id" else "old"
    body = await world.ask("remember", content=NEW, memoryDetails={"supersedes": named})

    assert (body["ok"], body["error"]["code"]) == (False, "not_found")
    assert (await world.ask("stats"))["totalMemories"] == 0


async def test_what_is_said_again_after_it_was_superseded_stands_again(world: World) -> None:
    old, new = await replaced(world)
    world.wait(days=1)
    again = await world.ask("remember", content=OLD)

    assert again["status"] == "created"
    assert again["memory"]["id"] not in {old, new}
    (warning,) = again["warnings"]
    assert old in warning
    assert new in warning
    assert (await world.ask("remember", content=OLD))["memory"]["id"] == again["memory"]["id"]
    assert (await world.ask("remember", content=OLD, reinforce=True))["status"] == "reinforced"
    found = await world.ask("search", query="which port do we use for ssh on the build host")
    assert "supersededBy" not in found["memories"][0]
    assert (await world.ask("doctor", repair=True))["repaired"] == 0
    assert (await world.ask("get", memoryId=again["memory"]["id"]))["memories"]


async def test_a_fact_that_changes_back_supersedes_what_it_says_it_does(world: World) -> None:
    _, new = await replaced(world)
    back = await world.ask("remember", content=OLD, reinforce=True, memoryDetails={"supersedes": new})
    back_id = back["memory"]["id"]

    assert (back["status"], back["memory"]["supersedes"], back["warnings"]) == ("created", new, [])
    found = await world.ask("search", query="which port do we use for ssh on the build host")
    assert found["memories"][0]["id"] == back_id
    assert {m["id"]: m.get("supersededBy") for m in found["memories"]}.get(new) == back_id
    assert (await world.ask("brief"))["counts"]


async def test_what_stands_beside_it_is_the_end_of_the_chain(world: World) -> None:
    _, new = await replaced(world)
    newest = await world.remember("ssh on the build host is off.", memoryDetails={"supersedes": new})
    again = await world.ask("remember", content=OLD)
    assert newest in again["warnings"][0]
    await world.ask("update", memoryId=again["memory"]["id"], memoryDetails={"supersedes": newest})
    assert (await world.ask("get", memoryId=newest))["memories"][0]["supersededBy"] == again["memory"]["id"]


async def test_many_written_at_once_may_change_back_too(world: World) -> None:
    said = await world.ask(
        "remember",
        memories=[
            {"content": OLD, "idempotencyKey": "first"},
            {"content": NEW, "idempotencyKey": "second", "memoryDetails": {"supersedes": "first"}},
            {"content": OLD, "idempotencyKey": "third", "memoryDetails": {"supersedes": "second"}},
            {"content": OLD},
        ],
    )
    ids = [result["memoryId"] for result in said["results"]]

    assert [result["status"] for result in said["results"]] == ["created", "created", "created", "duplicate"]
    assert ids[3] == ids[2]
    found = await world.ask("search", query="which port do we use for ssh on the build host")
    assert found["memories"][0]["id"] == ids[2]


async def test_a_review_is_queued_for_what_was_superseded(world: World) -> None:
    await replaced(world)
    proposed = await world.ask("propose", candidates=[{"content": OLD}, {"content": NEW}])

    assert [result["status"] for result in proposed["results"]] == ["queued", "duplicate"]


async def test_what_is_trusted_less_does_not_come_back_by_being_said_again(world: World) -> None:
    old = await world.remember(OLD, memoryDetails={"source": "crawl"}, url="https://a.example/ssh")
    world.channel = Channel.CONSOLE
    new = await world.remember(NEW, memoryDetails={"source": "human", "supersedes": old})
    world.channel = Channel.API
    again = await world.ask("remember", content=OLD, memoryDetails={"source": "crawl"}, url="https://a.example/ssh")

    assert (again["status"], again["memory"]["id"]) == ("duplicate", old)
    assert any("trusted more" in warning and new in warning for warning in again["warnings"])
    assert (await world.ask("get", memoryId=old))["memories"][0]["supersededBy"] == new


async def test_doctor_keeps_the_twin_that_supersedes_and_has_the_key(world: World) -> None:
    old, new = await replaced(world)
    back = await world.ask("remember", content=OLD, idempotencyKey="k", memoryDetails={"supersedes": new})
    await world.ask("forget", memoryId=new)
    assert (await world.ask("doctor", repair=True))["repaired"] == 1
    await world.ask("restore", memoryId=new)

    assert (await world.ask("get", memoryId=new))["memories"][0]["supersededBy"] == back["memory"]["id"]
    assert (await world.ask("get", memoryId=old))["error"]["code"] == "not_found"
    again = await world.ask("remember", content=OLD, idempotencyKey="k", memoryDetails={"supersedes": new})
    assert (again["status"], again["memory"]["id"]) == ("replayed", back["memory"]["id"])


async def test_who_cannot_see_what_superseded_a_text_finds_it_known(world: World) -> None:
    said = await world.ask(
        "remember",
        memories=[
            {"content": OLD, "idempotencyKey": "a"},
            {"content": NEW, "projectId": "secret", "memoryDetails": {"supersedes": "a", "scope": "project"}},
            {"content": OLD},
        ],
    )
    assert [result["status"] for result in said["results"]] == ["created", "created", "duplicate"]
    assert said["warnings"] == []


async def test_a_person_who_settles_into_what_was_superseded_is_told(world: World) -> None:
    old, new = await replaced(world)
    await world.ask("propose", candidates=[{"content": OLD}])
    review = (await world.ask("reviews"))["reviews"][0]["id"]
    world.channel = Channel.CONSOLE
    settled = await world.ask("resolve", reviewId=review, resolution="update", memoryId=old)
    assert any(new in warning and "stays behind" in warning for warning in settled["warnings"])
    await world.ask("update", memoryId=old, memoryDetails={"supersedes": new})
    assert (await world.ask("get", memoryId=new))["memories"][0]["supersededBy"] == old
