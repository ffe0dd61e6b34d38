"""REST: every action of the registry, with the bodies and codes that a batch run has."""

import json
from typing import Any

import httpx
import pytest

from agent_memory.actions.registry import ALIASES, NAMES
from agent_memory.errors import IncompleteError, StorageUnavailableError
from support.http import Stores, client, token_entry

STORE = "acme~notes"


async def ask(http: httpx.AsyncClient, action: str, /, **fields: Any) -> httpx.Response:
    return await http.post(f"/v1/{action}", json={"memoryStoreId": STORE, **fields})


async def test_what_is_remembered_is_found() -> None:
    async with client() as http:
        written = await ask(http, "remember", content="Deploys are frozen on Fridays.")
        found = await ask(http, "search", query="when are deploys frozen")

    assert (written.status_code, found.status_code) == (200, 200)
    body = found.json()
    assert (body["ok"], body["action"], body["memoryStoreId"]) == (True, "search", STORE)
    assert body["memories"][0]["id"] == written.json()["memory"]["id"]


@pytest.mark.parametrize("name", [*NAMES, *ALIASES])
async def test_every_action_and_alias_has_its_route(name: str) -> None:
    async with client() as http:
        response = await http.post(f"/v1/{name}", json={})

    body = response.json()
    assert (response.status_code, body["action"]) == (400, ALIASES.get(name, name))
    assert body["error"]["details"]["field"] == "memoryStoreId"


async def test_an_unknown_action_is_not_found_and_the_known_ones_are_named() -> None:
    async with client() as http:
        response = await ask(http, "serch")

    body = response.json()
    assert (response.status_code, body["ok"], body["error"]["code"]) == (404, False, "not_found")
    assert "search" in body["error"]["message"]


async def test_the_body_may_repeat_the_action_of_the_path_and_may_not_contradict_it() -> None:
    async with client() as http:
        same = [await ask(http, path, action=said) for path, said in (("stats", "stats"), ("store", "remember"))]
        other = await ask(http, "stats", action="purge")

    assert [response.json()["action"] for response in same] == ["stats", "remember"]
    assert same[0].status_code == 200
    assert (other.status_code, other.json()["error"]["details"]) == (400, {"field": "action"})


async def test_codes_become_the_statuses_of_the_table() -> None:
    async with client() as http:
        await ask(http, "remember", content="One.", idempotencyKey="k")
        answers = {
            "invalid_request": await ask(http, "remember", content="x", contents="x"),
            "not_found": await ask(http, "get", memoryId="nothing"),
            "conflict": await ask(http, "remember", content="Two.", idempotencyKey="k"),
            "too_large": await ask(http, "remember", content="x" * 4_300_000),
        }

    assert {code: response.json()["error"]["code"] for code, response in answers.items()} == {c: c for c in answers}
    assert [response.status_code for response in answers.values()] == [400, 404, 409, 413]


@pytest.mark.parametrize("error", [StorageUnavailableError("No answer."), IncompleteError("A part is missing.")])
async def test_what_may_work_later_says_when_to_try_again(error: StorageUnavailableError | IncompleteError) -> None:
    async with client(Stores(broken=error)) as http:
        response = await ask(http, "stats")

    assert (response.status_code, response.json()["error"]["code"]) == (503, error.code)
    assert int(response.headers["retry-after"]) >= 1


async def test_a_bug_is_answered_without_details_and_logged_without_contents(caplog: pytest.LogCaptureFixture) -> None:
    async with client(Stores(broken=ZeroDivisionError("a memory about otters"))) as http:
        response = await ask(http, "remember", content="otters")

    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal")
    assert "otter" not in response.text
    logged = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [record.__dict__["fields"]["exception"] for record in logged] == ["ZeroDivisionError"]
    assert "support/http.py" in logged[0].__dict__["fields"]["where"]
    assert "otter" not in json.dumps([str(record.__dict__) for record in caplog.records])


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
async def test_another_method_is_refused_with_the_one_that_works(method: str) -> None:
    async with client() as http:
        response = await http.request(method, "/v1/search", json={} if method in ("PUT", "PATCH") else None)

    assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/nothing", "/v1", "/v1/", "/v1/search/", "/v1/a/b", "//v1/search", "/v1/../etc"])
async def test_a_path_that_is_none_of_ours_is_not_found(path: str) -> None:
    async with client() as http:
        response = await http.post(path, json={})

    assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


async def test_the_pages_that_say_what_the_server_is_need_no_token_and_load_nothing_from_elsewhere() -> None:
    async with client(AGENT_MEMORY_TOKENS=[token_entry("ana", "a token", "*")]) as http:
        pages = {path: await http.get(path) for path in ("/", "/health", "/docs", "/v1/openapi.json", "/api/docs")}

    assert {path: page.status_code for path, page in pages.items()} == dict.fromkeys(pages, 200)
    assert pages["/health"].json()["ok"] is True
    docs = pages["/docs"]
    assert "default-src 'none'" in docs.headers["content-security-policy"]
    assert "<script" not in docs.text
    assert "http://" not in docs.text.replace("http://127.0.0.1", "")
    assert all(f"/v1/{name}" in docs.text for name in NAMES)
    assert "/api/memories/{userId}" in pages["/api/docs"].text


async def test_figures_count_routes_and_never_show_a_path_or_a_store() -> None:
    async with client() as http:
        await ask(http, "stats")
        await http.post("/v1/otters", json={})
        await http.get("/otters")
        figures = (await http.get("/metrics")).text

    assert 'agent_memory_requests_total{route="/v1/stats",status="200"} 1.0' in figures
    assert 'agent_memory_requests_total{route="/v1/{action}",status="404"} 1.0' in figures
    assert "otters" not in figures
    assert "acme" not in figures


async def test_a_request_leaves_a_line_without_what_was_sent(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "agent_memory.http")
    async with client() as http:
        await ask(http, "remember", content="otters")
        await http.get("/api/memories/otters")

    lines = [record.__dict__["fields"] for record in caplog.records if record.getMessage() == "request"]
    assert [(line["route"], line["status"], line["caller"]) for line in lines] == [
        ("/v1/remember", 200, "local"),
        ("/api/memories/{userId}", 200, "local"),
    ]
    assert "otters" not in str([record.__dict__ for record in caplog.records if record.name.startswith("agent")])
