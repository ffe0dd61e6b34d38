"""Who is let in: Host, Origin, token, rate and body, checked before anything is done."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from support.http import Stores, client, token_entry

JSON = {"content-type": "application/json"}
ANA, BOB, EVE = "am_ana-token", "am_bob-token", "am_eve-token"
TOKENS = [
    token_entry("ana", ANA, "acme~*"),
    token_entry("bob", BOB, "bolt~notes", right="read"),
    token_entry("eve", EVE, right="approve"),
]


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def ask(http: httpx.AsyncClient, action: str, token: str, store: str, **fields: Any) -> httpx.Response:
    return await http.post(f"/v1/{action}", json={"memoryStoreId": store, **fields}, headers=bearer(token))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:4321", "localhost:4321", "LOCALHOST", "localhost:1", "[::1]:4321", "memory.example.com",
     "memory.example.com:8443", "other.example.com:8443", "x1.runs.apify.net", "me--memory.apify.actor:443"],
)  # fmt: skip
async def test_a_host_that_is_ours_is_answered(host: str) -> None:
    async with client(
        AGENT_MEMORY_HOSTS="memory.example.com, other.example.com:8443",
        ACTOR_WEB_SERVER_URL="https://x1.runs.apify.net",
        ACTOR_STANDBY_URL="https://me--memory.apify.actor",
    ) as http:
        response = await http.get("/health", headers={"host": host})

    assert response.status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.com", 403), ("127.0.0.1.evil.com", 403), ("localhost.", 403), ("other.example.com", 403),
     ("other.example.com:1", 403), ("evil.com:4321", 403), ("", 400), ("127.0.0.1:evil.com", 400),
     ("localhost:3000@evil.com", 400), ("localhost:", 400), ("localhost:0", 400), ("localhost:99999", 400),
     ("localhost:+1", 400), ("localhost:１", 400), ("localhost, evil.com", 400), ("localhost/x", 400),
     ("local host", 400), ("[::1", 400), ("user@localhost", 400)],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/health", "/v1/stats", "/nothing"])
async def test_a_host_that_is_not_ours_is_refused_on_every_path(host: str, status: int, path: str) -> None:
    async with client(AGENT_MEMORY_HOSTS="other.example.com:8443") as http:
        response = await http.get(path, headers=[(b"host", host.encode())])

    assert (response.status_code, response.json()["ok"]) == (status, False)


@pytest.mark.parametrize("origin", ["http://127.0.0.1:4321", "https://app.example.com", "https://app.example.com:8443"])
async def test_a_page_that_is_ours_may_call(origin: str) -> None:
    async with client(AGENT_MEMORY_ORIGINS="https://app.example.com,https://app.example.com:8443") as http:
        response = await http.get("/health", headers={"origin": origin})

    assert response.status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://evil.com", "http://localhost:x.evil.com", "http://127.0.0.1:4321.evil.com",
     "http://127.0.0.1:4321@evil.com", "http://127.0.0.1:4322", "http://localhost:4321", "https://127.0.0.1",
     "ftp://127.0.0.1:4321", "127.0.0.1:4321", "http://127.0.0.1:4321/", "file://", "https://app.example.com.evil.com",
     "http://app.example.com"],
)  # fmt: skip
async def test_any_other_page_is_refused_and_told_nothing_a_browser_would_pass_on(origin: str) -> None:
    async with client(AGENT_MEMORY_ORIGINS="https://app.example.com") as http:
        response = await http.post("/v1/stats", json={}, headers={"origin": origin})

    assert (response.status_code, response.json()["error"]["code"]) == (403, "forbidden")
    assert "access-control-allow-origin" not in response.headers


async def test_a_browser_may_read_for_the_pages_that_are_named_and_only_for_those() -> None:
    ask_first = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
    async with client(AGENT_MEMORY_ORIGINS="https://app.example.com") as http:
        named = await http.options("/v1/stats", headers={"origin": "https://app.example.com", **ask_first})
        other = await http.options("/v1/stats", headers={"origin": "https://evil.com", **ask_first})
    async with client() as http:
        unnamed = await http.options("/v1/stats", headers={"origin": "https://app.example.com", **ask_first})

    assert (named.status_code, named.headers["access-control-allow-origin"]) == (200, "https://app.example.com")
    assert "access-control-allow-credentials" not in named.headers
    assert (other.status_code, unnamed.status_code) == (403, 403)
    assert not {"access-control-allow-origin"} & {*other.headers, *unnamed.headers}


async def test_a_refusal_can_be_read_by_the_pages_that_are_named() -> None:
    async with client(AGENT_MEMORY_ORIGINS="https://app.example.com", AGENT_MEMORY_TOKENS=TOKENS) as http:
        response = await http.post("/v1/stats", json={}, headers={"origin": "https://app.example.com"})

    assert (response.status_code, response.headers["access-control-allow-origin"]) == (401, "https://app.example.com")


async def test_two_hosts_or_two_origins_are_one_too_many() -> None:
    async with client() as http:
        two = [(b"host", b"localhost"), (b"host", b"127.0.0.1")]
        hosts = await http.get("/health", headers=two)
        origins = await http.get("/health", headers=[(b"origin", b"http://127.0.0.1:4321")] * 2)

    assert (hosts.status_code, origins.status_code) == (400, 400)


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": ""}, {"authorization": "Bearer"}, {"authorization": "Bearer "}, {"authorization": ANA},
     {"authorization": f"Basic {ANA}"}, bearer("am_wrong"), bearer(ANA + "x"), bearer(ANA[:-1]), bearer(f" {ANA} x"),
     {"x-agent-memory-token": "am_wrong"}, {"cookie": f"token={ANA}"}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/stats", "/v1/nothing", "/api/memories/ana/prune", "/nothing"])
async def test_without_a_known_token_nothing_is_told(headers: dict[str, str], path: str) -> None:
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        response = await http.post(path, json={"memoryStoreId": "acme~notes"}, headers=headers)

    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert "acme" not in response.text


async def test_no_figures_without_a_token_for_everything() -> None:
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        answers = [await http.get("/metrics", headers=headers) for headers in ({}, bearer(ANA), bearer(EVE))]

    assert [answer.status_code for answer in answers] == [401, 403, 200]


@pytest.mark.parametrize("name", [b"Authorization", b"X-Agent-Memory-Token"])
@pytest.mark.parametrize("path", ["/v1/stats", "/mcp", "/metrics"])
async def test_two_tokens_under_one_name_are_refused_whichever_comes_first(name: bytes, path: str) -> None:
    values = [f"Bearer {token}".encode() if name == b"Authorization" else token.encode() for token in (ANA, "am_no")]
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        for order in (values, values[::-1], values[:1] * 2):
            given = [(name, value) for value in order] + [(b"Content-Type", b"application/json")]
            response = await http.post(path, headers=given, json={"memoryStoreId": "acme~notes"})
            assert response.status_code == 400
            assert "once" in response.text


@pytest.mark.parametrize("headers", [bearer(ANA), {"x-agent-memory-token": ANA, "authorization": "Bearer platform"}])
async def test_a_token_signs_what_its_bearer_writes(headers: dict[str, str]) -> None:
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        body = {"memoryStoreId": "acme~notes", "content": "One."}
        written = await http.post("/v1/remember", json=body, headers=headers)
        memory = written.json()["memory"]["id"]
        history = await ask(http, "history", ANA, "acme~notes", memoryId=memory)

    assert [line["by"] for line in history.json()["revisions"]] == ["ana"]


async def test_a_token_for_one_store_learns_nothing_of_another() -> None:
    """Whether the other store is there, empty, full, or its memory has this id: the answers are the same bytes."""
    routes = {
        "search": {"query": "otters"},
        "stats": {},
        "list": {},
        "export": {},
        "remember": {"content": "otters"},
        "get": {"memoryId": "ID"},
        "history": {"memoryId": "ID"},
        "forget": {"memoryId": "ID"},
        "restore": {"memoryId": "ID"},
        "update": {"memoryId": "ID", "content": "x"},
        "purge": {"memoryId": "ID", "confirm": "DELETE ID"},
    }
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        written = await ask(http, "remember", EVE, "bolt~notes", content="A secret about otters.")
        memory = written.json()["memory"]["id"]
        for name, fields in routes.items():
            given = {key: value.replace("ID", memory) for key, value in fields.items()}
            there, nowhere = [await ask(http, name, ANA, store, **given) for store in ("bolt~notes", "bolt~nothing")]
            assert (there.status_code, there.content) == (403, nowhere.content), name
            assert "bolt" not in there.text
            assert "otters" not in there.text
        for method, path in (
            ("GET", ""),
            ("GET", "/stats"),
            ("PUT", f"/{memory}"),
            ("DELETE", f"/{memory}"),
        ):
            body = {"content": "x"} if method == "PUT" else None
            there, nowhere = [
                await http.request(method, f"/api/memories/bolt~{name}{path}", json=body, headers=bearer(ANA))
                for name in ("notes", "nothing")
            ]
            assert (there.status_code, there.content) == (403, nowhere.content), path
        still = await ask(http, "list", EVE, "bolt~notes")

    assert still.json()["total"] == 1


async def test_a_reader_reads_and_writes_nothing() -> None:
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        read = await ask(http, "search", BOB, "bolt~notes", query="x")
        written = await ask(http, "remember", BOB, "bolt~notes", content="x")

    assert (read.status_code, written.status_code) == (200, 403)
    assert written.json()["error"]["details"] == {"right": "write"}


@pytest.mark.parametrize(("at_home", "status"), [({}, 200), ({"APIFY_IS_AT_HOME": "1"}, 403)])
async def test_a_token_that_may_approve_makes_a_rule_stand_and_so_does_who_is_at_this_machine(
    at_home: dict[str, Any], status: int
) -> None:
    rule = {"content": "Never deploy on a Friday.", "memoryDetails": {"memoryType": "rule"}}
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        written = await ask(http, "remember", ANA, "acme~notes", **rule)
        memory = written.json()["memory"]["id"]
        got = await ask(http, "get", EVE, "acme~notes", memoryId=memory)
        seen = {"memoryId": memory, "ifRevision": got.json()["memories"][0]["revision"]}
        answers = [await ask(http, "approve", token, "acme~notes", **seen) for token in (ANA, EVE)]
    async with client(**at_home) as http:
        written = await http.post("/v1/remember", json={"memoryStoreId": "a", **rule})
        body = {"memoryStoreId": "a", "memoryId": written.json()["memory"]["id"]}
        got = await http.post("/v1/get", json=body)
        body["ifRevision"] = got.json()["memories"][0]["revision"]
        nobody = await http.post("/v1/approve", json=body)

    assert [answer.status_code for answer in answers] == [403, 200]
    assert nobody.status_code == status


async def test_each_token_has_a_rate_of_its_own() -> None:
    async with client(AGENT_MEMORY_TOKENS=TOKENS, AGENT_MEMORY_RATE_LIMIT="3/hour") as http:
        ana = [await ask(http, "stats", ANA, "acme~notes") for _ in range(5)]
        eve = await ask(http, "stats", EVE, "acme~notes")
        health = await http.get("/health")

    assert [answer.status_code for answer in ana] == [200, 200, 200, 429, 429]
    assert 1 <= int(ana[3].headers["retry-after"]) <= 3600
    assert ana[3].json()["error"]["code"] == "rate_limited"
    assert (eve.status_code, health.status_code) == (200, 200)


@pytest.mark.parametrize(
    "headers",
    [{"content-type": "text/plain"}, {"content-type": "application/x-www-form-urlencoded"}, {},
     {"content-type": "application/json; charset=latin-1"}, {"content-type": "multipart/form-data"},
     {"content-type": "application/jsonx"}, {**JSON, "content-encoding": "gzip"}, {**JSON, "content-encoding": "br"}],
    ids=str,
)  # fmt: skip
async def test_only_plain_json_is_taken(headers: dict[str, str]) -> None:
    async with client() as http:
        response = await http.post("/v1/stats", content=b'{"memoryStoreId": "a"}', headers=headers)

    assert (response.status_code, response.json()["error"]["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
async def test_json_by_any_of_its_names_is_taken(kind: str) -> None:
    async with client() as http:
        response = await http.post("/v1/stats", content=b'{"memoryStoreId": "a"}', headers={"content-type": kind})

    assert response.status_code == 200


async def test_a_small_body_that_would_become_a_large_one_is_not_unpacked() -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    async with client() as http:
        response = await http.post("/v1/stats", content=bomb, headers={**JSON, "content-encoding": "gzip"})

    assert response.status_code == 415


async def test_a_body_ends_at_4_mib_said_or_streamed() -> None:
    sent = 0

    async def stream() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1_000):
            sent += 1
            yield b" " * 65_536

    most = json.dumps({"memoryStoreId": "a", "x": ""}).encode()
    async with client() as http:
        said = await http.post("/v1/stats", content=b" " * 4_194_305, headers=JSON)
        streamed = await http.post("/v1/stats", content=stream(), headers=JSON)
        just = await http.post("/v1/stats", content=most + b" " * (4_194_304 - len(most)), headers=JSON)

    assert (said.status_code, streamed.status_code) == (413, 413)
    assert just.json()["error"]["details"] == {"field": "x"}
    assert said.headers["connection"] == "close"


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def stream() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(60)

    async with client(AGENT_MEMORY_REQUEST_SECONDS="0.05") as http:
        response = await http.post("/v1/stats", content=stream(), headers=JSON)

    assert (response.status_code, response.json()["error"]["code"]) == (408, "request_timeout")


async def test_a_body_is_not_read_before_its_sender_is_known() -> None:
    async def stream() -> AsyncIterator[bytes]:
        raise AssertionError("the body was asked for")
        yield b""

    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        response = await http.post("/v1/stats", content=stream(), headers=JSON)

    assert response.status_code == 401


@pytest.mark.parametrize("body", [b'{"memoryStoreId": "a", "memoryStoreId": "b"}', b"[" * 100_000, b'{"a": NaN}'])
async def test_json_that_could_mean_two_things_is_refused(body: bytes) -> None:
    stores = Stores()
    async with client(stores) as http:
        response = await http.post("/v1/remember", content=body, headers=JSON)

    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid_request")
    assert stores.by_id == {}


async def test_the_readiness_probe_is_answered_whatever_else_is_asked() -> None:
    async with client(AGENT_MEMORY_TOKENS=TOKENS) as http:
        probe = {"x-apify-container-server-readiness-probe": "1", "host": "10.0.0.7:4321"}
        response = await http.get("/", headers=probe)

    assert response.status_code == 200
