"""The OpenAPI document of the warm server, from the registry: what /v1 takes and answers."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from .. import __version__
from ..actions.base import Action
from ..actions.common.schema import Schema
from ..actions.registry import all_actions
from .fields import field_schemas, required_by

_REF: Final = "#/components/schemas/{model}"
_INTERNAL: Final = frozenset(("section", "editor", "used_by"))
_ENVELOPE: Final[Mapping[str, Schema]] = {
    "ok": {"const": True},
    "action": {"type": "string", "description": "The action that was carried out."},
    "memoryStoreId": {"type": "string", "description": "The memory store, as it was asked for."},
    "storeName": {"type": "string", "description": "The key-value store that holds it."},
    "tookMs": {"type": "integer", "description": "How long it took, in milliseconds."},
}
_REFUSALS: Final = {
    "400": ("A field, the JSON, a cursor, a date or a header is wrong.", ("invalid_request",)),
    "401": ("No token came, or one that is not known.", ("unauthenticated",)),
    "403": ("The token, the Host or the Origin may not do this.", ("forbidden",)),
    "404": ("No such memory, document or action.", ("not_found",)),
    "405": ("The path takes another method.", ("method_not_allowed",)),
    "408": ("The request did not arrive in time.", ("request_timeout",)),
    "409": ("The store already holds something else under that key or revision.", ("conflict",)),
    "413": ("Over a stated limit; a body may take 4 MiB.", ("too_large",)),
    "415": ("The body is something else than plain JSON in UTF-8.", ("unsupported_media_type",)),
    "422": ("A text holds a secret; it was not stored.", ("secret_refused",)),
    "429": ("Too many requests with this token; Retry-After says when to come back.", ("rate_limited",)),
    "500": ("Something went wrong on the server's side; its log says more.", ("internal",)),
    "503": ("The storage did not answer; Retry-After says when to try again.", ("storage_unavailable", "incomplete")),
}
"""By status: what it means and the codes that it goes with."""


def openapi() -> Schema:
    """The whole document, OpenAPI 3.1."""
    actions = list(all_actions())
    results, definitions = TypeAdapter.json_schemas(
        [(action.name, "serialization", TypeAdapter(action.result)) for action in actions], ref_template=_REF
    )
    fields = field_schemas()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Agent Memory",
            "version": __version__,
            "description": "Long-term memory for AI agents. Each action is one POST; the body is the INPUT of a run, "
            "without its action. MCP (streamable HTTP) is at /mcp.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {}],
        "paths": {
            **{
                f"/v1/{action.name}": {"post": _operation(action, fields, results[action.name, "serialization"])}
                for action in actions
            },
            "/health": {"get": _health()},
        },
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "At Apify your API token; on a server of your own one that `agent-memory token` "
                    "made. A server on a loopback address may do without.",
                }
            },
            "schemas": {
                **{_component(name): _without_internals(schema) for name, schema in fields.items()},
                **definitions.get("$defs", {}),
                "Failure": _failure(),
            },
            "responses": {f"Refused{status}": _refusal(text) for status, (text, _) in _REFUSALS.items()},
        },
    }


def codes() -> set[str]:
    """All error codes that the document knows."""
    return {code for _, codes in _REFUSALS.values() for code in codes}


def _operation(action: Action[Any], fields: Mapping[str, Schema], result: Any) -> Schema:
    used = [name for name, schema in fields.items() if action.name in schema["used_by"]]
    example = {name: value for name, value in action.example.items() if name != "action"}
    return {
        "operationId": action.name,
        "summary": action.summary,
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": {name: {"$ref": _REF.format(model=_component(name))} for name in used},
                        "required": [name for name in used if action.name in required_by(name)],
                        "additionalProperties": False,
                    },
                    "example": example,
                }
            },
        },
        "responses": {
            "200": {
                "description": "Done.",
                "content": {"application/json": {"schema": {"allOf": [_envelope(), result]}}},
            },
            **{status: {"$ref": f"#/components/responses/Refused{status}"} for status in _REFUSALS},
        },
    }


def _component(field: str) -> str:
    """The name under which the schema of a field of INPUT stands."""
    return f"{field[:1].upper()}{field[1:]}Field"


def _without_internals(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in _INTERNAL}


def _envelope() -> Schema:
    return {"type": "object", "properties": dict(_ENVELOPE), "required": list(_ENVELOPE)}


def _failure() -> Schema:
    error = {
        "code": {"type": "string", "enum": sorted(codes())},
        "message": {"type": "string", "description": "What came, what is allowed and what to do."},
        "details": {"type": "object"},
    }
    return {
        "type": "object",
        "properties": {
            "ok": {"const": False},
            "action": {"type": ["string", "null"]},
            "error": {"type": "object", "properties": error, "required": list(error)},
        },
        "required": ["ok", "action", "error"],
    }


def _refusal(text: str) -> Schema:
    return {
        "description": text,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
    }


def _health() -> Schema:
    properties = {"ok": {"const": True}, "status": {"const": "ok"}, "version": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {
        "operationId": "health",
        "summary": "Say that the server is up.",
        "security": [],
        "responses": {
            "200": {"description": "It is.", "content": {"application/json": {"schema": schema}}},
            **{status: {"$ref": f"#/components/responses/Refused{status}"} for status in ("400", "403", "405")},
        },
    }
