"""The routes of the original service, with its shapes and our statuses."""

from typing import Any

import httpx
import pytest

from support.http import client

NOTE = {"userId": "ana", "content": "The tea shop closes at six on Mondays.", "category": "shops", "tags": ["tea"]}


async def remember(http: httpx.AsyncClient, **fields: Any) -> str:
    response = await http.post("/api/memories", json={**NOTE, **fields})
    assert response.status_code == 201, response.text
    return response.json()["memory"]["id"]


async def test_a_memory_is_created_found_listed_changed_and_deleted() -> None:
    async with client() as http:
        created = await http.post("/api/memories", json={**NOTE, "importance": 0.7, "metadata": {"floor": 2}})
        memory = created.json()["memory"]
        found = await http.post("/api/memories/search", json={"userId": "ana", "query": "tea shop", "limit": 5})
        listed = await http.get("/api/memories/ana", params={"category": "shops", "limit": "10"})
        changed = await http.put(f"/api/memories/ana/{memory['id']}", json={"content": "It closes at seven."})
        deleted = await http.delete(f"/api/memories/ana/{memory['id']}")
        left = await http.get("/api/memories/ana")

    assert (created.status_code, created.json()["success"]) == (201, True)
    assert (memory["category"], memory["tags"], memory["importance"], memory["metadata"]) == (
        "shops",
        ["tea"],
        0.7,
        {"floor": 2},
    )
    body = found.json()
    assert (body["success"], body["count"], len(body["results"])) == (True, 1, 1)
    (result,) = body["results"]
    assert 0 < result["score"] <= 1
    assert "tea" in result["matchedTerms"]
    assert result["memory"]["content"] == NOTE["content"]
    assert [m["id"] for m in listed.json()["memories"]] == [memory["id"]]
    assert changed.json()["memory"]["content"] == "It closes at seven."
    assert changed.json()["memory"]["tags"] == ["tea"]
    assert (deleted.status_code, deleted.json()["success"]) == (200, True)
    assert left.json()["memories"] == []


async def test_contents_are_always_whole() -> None:
    long = "Tea. " + "word " * 2_000
    async with client() as http:
        await remember(http, content=long)
        found = await http.post("/api/memories/search", json={"userId": "ana", "query": "tea"})
        listed = await http.get("/api/memories/ana")

    assert found.json()["results"][0]["memory"]["content"] == long
    assert listed.json()["memories"][0]["content"] == long


async def test_a_list_that_is_not_all_says_so() -> None:
    async with client() as http:
        for n in range(3):
            await remember(http, content=f"Note {n} about the number {n}.")
        body = (await http.get("/api/memories/ana?limit=2")).json()

    assert (len(body["memories"]), body["total"], body["truncated"]) == (2, 3, True)


async def test_stats_and_prune() -> None:
    async with client() as http:
        await remember(http)
        stats = await http.get("/api/memories/ana/stats")
        pruned = await http.post("/api/memories/ana/prune", json={"decayConfig": {"enabled": True}})
        plain = await http.post("/api/memories/ana/prune", json={})

    assert (stats.json()["success"], stats.json()["totalMemories"]) == (True, 1)
    assert (pruned.json()["success"], pruned.json()["pruned"]) == (True, 0)
    assert plain.status_code == 200


async def test_users_are_apart_and_their_ids_may_hold_anything() -> None:
    async with client() as http:
        for user in ("a/b", "a", "b%2F", "项目 x", "..", "search", "stats"):
            await remember(http, userId=user, content=f"This belongs to {user}.")
        listed = {
            user: (await http.get(f"/api/memories/{path}")).json()["memories"]
            for user, path in (
                ("a/b", "a%2Fb"),
                ("a", "a"),
                ("b%2F", "b%252F"),
                ("项目 x", "%E9%A1%B9%E7%9B%AE%20x"),
                ("..", "%2E%2E"),
                ("search", "search"),
                ("stats", "stats"),
            )
        }

    assert {user: [m["content"] for m in memories] for user, memories in listed.items()} == {
        user: [f"This belongs to {user}."] for user in listed
    }


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/api/memories", {"content": "x"}, 400, "userId"),
        ("POST", "/api/memories", {"userId": "ana"}, 400, "content"),
        ("POST", "/api/memories", {"userId": "ana", "content": "x", "importance": 7}, 400, "importance"),
        ("POST", "/api/memories", {"userId": "ana", "content": "x", "contents": "x"}, 400, "contents is not a known"),
        ("POST", "/api/memories/search", {"userId": "ana"}, 400, "query"),
        ("POST", "/api/memories/search", {"userId": "ana", "query": "x", "limit": 0}, 400, "limit"),
        ("POST", "/api/memories/search", [], 400, "JSON object"),
        ("PUT", "/api/memories/ana/none", {"content": "x"}, 404, "No memory none in ana"),
        ("PUT", "/api/memories/ana/none", {}, 400, "Nothing to change"),
        ("DELETE", "/api/memories/ana/none", None, 404, "none"),
        ("GET", "/api/memories/ana?limit=x", None, 400, "limit"),
        ("GET", "/api/memories/ana?colour=x", None, 400, "colour is not a known field"),
        ("GET", "/api/memories/ana?limit=1&limit=2", None, 400, "twice"),
        ("GET", "/api/memories/%FF", None, 400, "UTF-8"),
        ("GET", "/api/memories/", None, 404, "nothing at this path"),
        ("GET", "/api/memories/a/b/c", None, 404, "nothing at this path"),
        ("GET", "/api/memories/ana/x", None, 405, "PUT, DELETE"),
        ("PATCH", "/api/memories/ana/x", {}, 405, "POST"),
        ("GET", "/api/nothing", None, 404, "nothing at this path"),
    ],
)
async def test_an_error_is_a_text_with_the_same_status_as_elsewhere(
    method: str, path: str, body: Any, status: int, said: str
) -> None:
    async with client() as http:
        response = await http.request(method, path, json=body)

    assert response.status_code == status, response.text
    assert list(response.json()) == ["error"]
    assert said in response.json()["error"]
    assert "memoryStoreId" not in response.text
