"""A process that keeps an index between requests answers as one that reads everything each time."""

import json
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory.store.kv import InMemoryKeyValue
from support.kept_warm import WarmWorld
from support.world import STORE, World

WORDS = ("nginx", "pool", "deploys", "Deploy", "getUserById", "café", "支付服务", "v2.3.1", "the", "15", "October")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
projects = st.sampled_from([None, "p", "q"])
sessions = st.sampled_from([None, "s", "t"])


def given_only(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


details = st.builds(
    given_only,
    tags=st.sampled_from([None, ["a"], ["A", "b"]]),
    confidence=st.sampled_from([None, 0.1, 0.5, 0.95]),
    memoryType=st.sampled_from([None, "decision", "rule"]),
    pinned=st.sampled_from([None, True]),
)
writes = st.one_of(
    st.tuples(
        st.just("remember"),
        st.builds(
            given_only,
            content=texts,
            projectId=projects,
            sessionId=sessions,
            url=st.sampled_from([None, "https://a.example/x"]),
            memoryDetails=details,
        ),
    ),
    st.tuples(st.just("update"), st.builds(given_only, content=st.none() | texts, memoryDetails=details)),
    st.tuples(st.sampled_from(["forget", "restore", "purge"]), st.just(dict[str, Any]())),
    st.tuples(st.just("prune"), st.just(dict[str, Any]())),
)
reads = st.tuples(
    st.sampled_from(["search", "recall", "context_pack"]),
    st.builds(
        given_only,
        query=texts,
        url=st.sampled_from([None, "https://a.example/y"]),
        projectId=projects,
        sessionId=sessions,
        explain=st.just(True),  # noqa: FBT003  # a field's value
        searchOptions=st.builds(
            given_only,
            includeArchived=st.sampled_from([None, True]),
            tags=st.sampled_from([None, ["a"]]),
            minScore=st.sampled_from([None, 0.3]),
            limit=st.sampled_from([None, 1, 2]),
            since=st.sampled_from([None, "2026-03-10"]),
            ranking=st.sampled_from([None, "recent"]),
        ),
        decayConfig=st.builds(given_only, enabled=st.sampled_from([None, False])),
    ),
)
steps = st.lists(st.tuples(st.one_of(writes, reads), st.integers(0, 5), st.integers(0, 90)), max_size=14)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps, st.booleans())
async def test_reads_of_a_store_that_is_kept_equal_those_of_one_that_is_read(
    steps: list[tuple[tuple[str, dict[str, Any]], int, int]], decay_on: bool
) -> None:
    cold = World(decay_on=decay_on, tick=timedelta())
    warm = WarmWorld(decay_on=decay_on, tick=timedelta())
    ids: list[str] = []
    further: list[tuple[str, dict[str, Any]]] = []
    for (action, fields), which, days in steps:
        cold.now = warm.now = cold.now + timedelta(days=days)
        asked = dict(fields)
        if action in ("update", "forget", "restore", "purge"):
            if not ids:
                continue
            asked["memoryId"] = ids[which % len(ids)]
        if action == "remember" and ids and which % 2:
            asked["content"] += f" note {len(ids)}"
            asked["memoryDetails"] = {**asked["memoryDetails"], "supersedes": ids[which % len(ids)]}
        if action == "update" and which % 2:
            asked["memoryDetails"] = {**asked["memoryDetails"], "supersedes": ids[(which + 1) % len(ids)]}
        cold.stores = {STORE: copied(warm.values())}
        body = await warm.ask(action, **asked)
        if action in ("search", "recall", "context_pack"):
            assert _plain(body) == _plain(await cold.ask(action, **asked))
            if cursor := body.get("nextCursor"):
                options = {**asked.get("searchOptions", {}), "cursor": cursor}
                further.append((action, {**asked, "searchOptions": options}))
        elif action == "remember" and body["ok"]:
            ids.append(body["memory"]["id"])
        for name, page in further:
            cold.stores = {STORE: copied(warm.values())}
            assert _plain(await warm.ask(name, **page)) == _plain(await cold.ask(name, **page))


def copied(values: dict[str, bytes]) -> InMemoryKeyValue:
    kv = InMemoryKeyValue()
    kv.values = dict(values)
    return kv


def _plain(body: dict[str, Any]) -> Any:
    """`body` without what is made up anew for each answer, its numbers to nine digits."""
    kept = {name: value for name, value in body.items() if name != "contextMarkdown"}
    return json.loads(json.dumps(kept), parse_float=lambda text: round(float(text), 9))
