"""Generated requests against the OpenAPI document: what is answered must be what is declared, and never a 5xx."""

from collections import Counter
from typing import Any, Final, cast

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import checks
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi import checks as openapi_checks

from support.http import Stores, make_app

STORE = "acme~fuzzed"
_GENERAL: Any = checks  # their types are partly unknown
_OPENAPI: Any = openapi_checks
CHECKS: Final = [
    _GENERAL.not_a_server_error,
    _OPENAPI.status_code_conformance,
    _OPENAPI.content_type_conformance,
    _OPENAPI.response_headers_conformance,
    _OPENAPI.response_schema_conformance,
]


def fuzz(cases: int, *, derandomize: bool) -> Counter[str]:
    """Send `cases` generated requests, the same number to each operation; how often each status came back.

    Half of them obey the schemas and half do not. Every other one is led to a store that has memories, and to one of
    them.
    """
    app = make_app(Stores(), AGENT_MEMORY_RATE_LIMIT="1000000/second", AGENT_MEMORY_HOSTS="testserver")
    schema: Any = schemathesis.openapi.from_asgi("/v1/openapi.json", app)
    operations: list[Any] = [result.ok() for result in schema.include(method="POST").get_all_operations()]
    assert len(operations) > len(CHECKS)
    statuses: Counter[str] = Counter()
    known: list[str] = []

    @settings(
        max_examples=-(-cases // (2 * len(operations))),
        deadline=None,
        database=None,
        derandomize=derandomize,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    @given(st.data())
    def send(operation: Any, mode: GenerationMode, data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        lead, place = data.draw(st.booleans()), data.draw(st.integers(0, 10_000))
        if lead and isinstance(case.body, dict):
            _lead(cast("dict[str, Any]", case.body), known, place)
        response = case.call()
        statuses[f"{operation.label} {response.status_code}"] += 1
        case.validate_response(response, checks=CHECKS)
        body: Any = response.json()
        if body["ok"] is True and "memory" in body:
            known.append(body["memory"]["id"])

    for operation in operations:
        for mode in GenerationMode.POSITIVE, GenerationMode.NEGATIVE:
            send(operation, mode)
    return statuses


def _lead(body: dict[str, Any], known: list[str], place: int) -> None:
    """Name the store, and a memory that is there."""
    body["memoryStoreId"] = STORE
    if known and "memoryId" in body:
        body["memoryId"] = known[place % len(known)]
        if "confirm" in body:
            body["confirm"] = f"DELETE {body['memoryId']}"
    if known and "memoryIds" in body:
        body["memoryIds"] = known[place % len(known) :][:100]
