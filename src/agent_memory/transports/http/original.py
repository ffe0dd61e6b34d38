"""The routes of the original service, as its users call them; a userId names a memory store.

Ids stand in the path as one segment each: `%2F` is a slash inside an id and never a border between two.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from ...errors import InvalidRequestError, MemoryServiceError, MethodNotAllowedError, NotFoundError
from .answers import json_response
from .routing import Ready, caller_of, payload_of, route

PREFIX: Final = "/api/memories"
_USER: Final = "{userId}"
_MEMORY: Final = "{memoryId}"
_CREATED: Final = 201
_MOST: Final = 1_000
_DETAILS: Final = ("category", "tags", "importance", "metadata")
_FOUND: Final = ("category", "limit", "minScore")
_ENVELOPE: Final = frozenset(("ok", "action", "memoryStoreId", "storeName", "tookMs"))
_WORDS: Final = {"memoryStoreId": "userId", "memoryDetails.": "", "searchOptions.": ""}
_SHOWN: Final = 60

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A route of the original: our action, the fields it takes, and how they and the answer are said here.

    `ask` makes our request, without the ids of the path, from the fields; `show` the answer from ours.
    """

    method: str
    path: str
    action: str
    fields: tuple[str, ...] = ()
    ask: Callable[[Fields], Fields] = lambda _: {}
    show: Callable[[Fields], Fields]
    status: int = 200


def _details(given: Fields) -> Fields:
    return {"content": given.get("content"), "memoryDetails": _pick(given, _DETAILS)}


def _query(given: Fields) -> Fields:
    return {"query": given.get("query"), "searchOptions": {**_pick(given, _FOUND), "fullContent": True}}


def _narrow(given: Fields) -> Fields:
    return {"searchOptions": {"limit": _MOST, **_pick(given, _FOUND), "fullContent": True}}


def _one(body: Fields) -> Fields:
    return {"success": True, "memory": body["memory"]}


def _results(body: Fields) -> Fields:
    results = [{"score": m["score"], "matchedTerms": m["matchedTerms"], "memory": m} for m in body["memories"]]
    return {"success": True, "count": len(results), "results": results}


def _rest(body: Fields) -> Fields:
    return {"success": True, **{name: value for name, value in body.items() if name not in _ENVELOPE}}


CALLS: Final = (
    Call(method="POST", path="", action="remember", fields=("userId", "content", *_DETAILS), ask=_details, show=_one,
         status=_CREATED),
    Call(method="POST", path="/search", action="search", fields=("userId", "query", *_FOUND), ask=_query,
         show=_results),
    Call(method="GET", path=f"/{_USER}", action="list", fields=("category", "limit"), ask=_narrow,
         show=lambda body: {name: body[name] for name in ("memories", "total", "truncated")}),
    Call(method="GET", path=f"/{_USER}/stats", action="stats", show=_rest),
    Call(method="POST", path=f"/{_USER}/prune", action="prune", fields=("decayConfig",), ask=lambda given: given,
         show=_rest),
    Call(method="PUT", path=f"/{_USER}/{_MEMORY}", action="update", fields=("content", *_DETAILS), ask=_details,
         show=_one),
    Call(method="DELETE", path=f"/{_USER}/{_MEMORY}", action="forget",
         show=lambda body: {"success": True, "message": body["message"]}),
)  # fmt: skip


def original_routes(ready: Ready) -> Iterator[BaseRoute]:
    """All of `CALLS`."""

    async def answer(request: Request) -> Response:
        call, ids = _find(request.method, _segments(request.scope["raw_path"]))
        request.scope["state"] |= {"route": f"{PREFIX}{call.path}", "action": call.action}
        given = payload_of(request) if request.method != "GET" else _parameters(request.scope["query_string"])
        payload = _payload(call, ids, given)
        service = await ready()
        try:
            body = await service.ask(call.action, payload, caller_of(request))
        except MemoryServiceError as error:
            raise _theirs(error) from None
        return json_response(call.show(body), call.status)

    methods = {call.method: answer for call in CALLS}
    yield route(PREFIX, **methods)
    yield route(f"{PREFIX}/{{rest:path}}", **methods)


def _find(method: str, segments: Sequence[str]) -> tuple[Call, dict[str, str]]:
    """The call at this path, and the ids in it."""
    found = [(call, ids) for call in CALLS if (ids := _match(call.path.split("/")[1:], segments)) is not None]
    for call, ids in found:
        if call.method == method:
            return call, ids
    if found:
        allow = ", ".join(call.method for call, _ in found)
        raise MethodNotAllowedError(f"This path takes {allow}.", allow=allow)
    raise NotFoundError("There is nothing at this path. GET /api/docs lists what is there.")


def _match(pattern: Sequence[str], segments: Sequence[str]) -> dict[str, str] | None:
    """What stands at the places of the pattern; None when it does not fit."""
    if len(pattern) != len(segments) or not all(segment.strip() for segment in segments):
        return None
    pairs = list(zip(pattern, segments, strict=True))
    if any(expected != came for expected, came in pairs if not expected.startswith("{")):
        return None
    return {expected: came for expected, came in pairs if expected.startswith("{")}


def _segments(raw: bytes) -> list[str]:
    """The parts of a path below the prefix, as it came."""
    below = raw.partition(b"?")[0].removeprefix(PREFIX.encode())
    try:
        return [unquote_to_bytes(part).decode() for part in below.split(b"/")[1:]]
    except UnicodeDecodeError:
        raise InvalidRequestError("An id in the path is no UTF-8, percent-encoded.") from None


def _parameters(query: bytes) -> Fields:
    """What the query string gives, each parameter at most once."""
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    given = dict(pairs)
    if len(given) < len(pairs):
        raise InvalidRequestError("A query parameter comes twice. Give each once.")
    return given


def _payload(call: Call, ids: Fields, given: Fields) -> Fields:
    unknown = next((name for name in given if name not in call.fields), None)
    if unknown is not None:
        known = ", ".join(call.fields) or "none"
        raise InvalidRequestError(f"{unknown[:_SHOWN]} is not a known field. Known: {known}.")
    asked = {name: value for name, value in call.ask(given).items() if value is not None}
    memory = {"memoryId": ids[_MEMORY]} if _MEMORY in ids else {}
    return {"memoryStoreId": ids.get(_USER, given.get("userId")), **memory, **asked}


def _pick(given: Fields, names: Iterable[str]) -> dict[str, Any]:
    return {name: given[name] for name in names if given.get(name) is not None}


def _theirs(error: MemoryServiceError) -> MemoryServiceError:
    """`error` in the words of the original's fields."""
    message = error.message
    for ours, theirs in _WORDS.items():
        message = message.replace(ours, theirs)
    return type(error)(message, brief=error.brief, **error.details)
