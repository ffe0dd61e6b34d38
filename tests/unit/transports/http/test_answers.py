"""Bodies as JSON and errors by the table."""

import json

from agent_memory.contracts.openapi import codes
from agent_memory.errors import MemoryServiceError
from agent_memory.transports.http.answers import json_response, refusal
from agent_memory.transports.wire import STATUS


def test_half_a_surrogate_pair_is_sent_as_the_escape_that_json_has_for_it() -> None:
    body = {"content": "a\ud800b", "title": "é😀"}

    assert json.loads(bytes(json_response(body).body)) == body
    assert b"\\ud800" in bytes(json_response(body).body)


def test_every_error_is_answered_with_its_own_status_and_code() -> None:
    for kind in MemoryServiceError.__subclasses__():
        response = refusal("/v1/get", "get", kind("No."))
        body = json.loads(bytes(response.body))
        assert (response.status_code, body["error"]["code"]) == (STATUS[kind.code], kind.code)


def test_the_openapi_document_knows_every_code() -> None:
    assert codes() == STATUS.keys()
