"""From an untrusted payload to a typed request, or one clear error."""

import re
from collections.abc import Iterable, Mapping, Sequence
from json import dumps
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from ..errors import InvalidRequestError, TooLargeError
from ..text.plain_words import closest, kind_of, reason
from .common.coerce import check_json, without
from .fields import INPUT_FIELDS
from .fields.write import BULK_BYTES
from .objects import DecayConfig, MemoryDetails, SearchOptions

R = TypeVar("R", bound=BaseModel)

EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
BULK: Final = frozenset(("memories", "candidates"))
"""Fields whose items are checked one by one by their action, so that a bad one does not stop the others."""
_NO_ITEMS: Final = ("[]", "null")
"""An empty list that came as text, as `EMPTY` are ones that did not."""
REQUEST_BYTES: Final = 4_194_304
_SHOWN: Final = 60
_ACTIONS: Final = re.compile(r"^[a-z_]+(?:, [a-z_]+)*: ")


def parse(request: type[R], payload: Mapping[str, Any]) -> R:
    """The `request` in `payload`.

    Fields that only other actions use are ignored, and so are empty ones: wrappers fill in what they do not need.

    Raises:
        InvalidRequestError: a field is unknown, missing or out of bounds; its message names the first one.
        TooLargeError: the payload is over 4 MB, or its `memories` over 8 MB.
    """
    used = _known(request, ())
    for name in payload:
        if name != "action" and name not in INPUT_FIELDS:
            raise _unknown(name, name, ["action", *used])
    given = {name: value for name, value in without(payload, EMPTY).items() if name in used}
    given = {name: value for name, value in given.items() if name not in BULK or value not in _NO_ITEMS}
    _check(given)
    try:
        return request.model_validate(given)
    except ValidationError as error:
        raise invalid(error, request) from None


def invalid(error: ValidationError, request: type[BaseModel], at: str = "") -> InvalidRequestError:
    """The first problem of `error` in words: the field, what came, what is allowed."""
    problems = error.errors(include_url=False)
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    path = _path(first["loc"], at)
    if first["type"] == "extra_forbidden":
        *parents, name = first["loc"]
        return _unknown(path, str(name), _known(request, parents))
    if first["type"] == "missing":
        return InvalidRequestError(f"{path} is required{_hint(path)}.", field=path)
    said = first["type"] in ("value_error", "too_long", "too_short")
    came = "" if said else f", not {_show(first['input'], first['type'])}"
    why = reason(first)
    brief = f"{path}: {'is not valid' if first['type'] == 'value_error' else why}. The answer says more."
    return InvalidRequestError(_without_secrets(f"{path}: {why}{came}."), brief=brief, field=path)


_INSIDE: Final = {
    holder: frozenset(field.alias or name for name, field in model.model_fields.items())
    for holder, model in (
        ("memoryDetails", MemoryDetails),
        ("searchOptions", SearchOptions),
        ("decayConfig", DecayConfig),
    )
}
"""The fields inside objects, which are easily put beside them."""


_MEANT: Final[Mapping[str, str]] = MappingProxyType({
    "q": "query",
    "question": "query",
    "text": "content",
    "memory": "content",
    "message": "content",
    "id": "memoryId",
    "ids": "memoryIds",
    "store": "memoryStoreId",
    "userId": "memoryStoreId",
    "user_id": "memoryStoreId",
    "project": "projectId",
    "session": "sessionId",
})  # fmt: skip
"""What other memory tools call the same fields."""


def _unknown(path: str, name: str, known: Sequence[str]) -> InvalidRequestError:
    """That `name` is no field at `path`, where those `known` are, and which one was meant."""
    inside = [holder for holder in known if name in _INSIDE.get(holder, ())]
    if inside:
        message = f'{path} belongs into {inside[0]}: {{"{inside[0]}": {{"{name}": …}}}}.'
        return InvalidRequestError(message, field=path)
    shown = path[:_SHOWN].encode(errors="backslashreplace").decode()
    meant = _MEANT.get(name)
    close = meant if meant in known else closest(name, sorted({*known, *INPUT_FIELDS}) if path == name else known)
    guess = f" Did you mean {close}?" if close else ""
    message = f"{shown} is not a known field.{guess} Known: {', '.join(sorted(known))}."
    return InvalidRequestError(message, field=shown)


def _known(request: type[BaseModel], parents: Iterable[int | str]) -> list[str]:
    """The names allowed at the place that `parents` lead to."""
    model: Any = request
    for step in parents:
        if isinstance(step, str):
            field = next((f for n, f in model.model_fields.items() if step in (f.alias, n)), None)
            model = _model_in(field.annotation) if field else model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> Any:
    """The first model inside `annotation`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    arguments = get_args(annotation)
    return next((found for argument in arguments if (found := _model_in(argument))), None)


def _check(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        try:
            if name not in BULK:
                check_json(value)
        except ValueError as error:
            message = f"{name} {error}. Nothing was stored."
            raise InvalidRequestError(message, field=name) from None
    try:
        size = len(dumps(given, ensure_ascii=False).encode(errors="surrogatepass"))
    except RecursionError:
        message = "The input is nested too deep. Nothing was stored."
        raise InvalidRequestError(message) from None
    limit = BULK_BYTES if "memories" in given else REQUEST_BYTES
    if size > limit:
        message = (
            f"The input takes {size / 1e6:.1f} MB, up to {limit / 1e6:.1f} MB are allowed. "
            "Send it in several calls; nothing was stored."
        )
        raise TooLargeError(message, limit=limit)


def _path(loc: Iterable[int | str], at: str) -> str:
    path = at
    for step in loc:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path or "input"


def _show(value: Any, problem: str) -> str:
    """What came, for the person who must mend it; no text where a list or an object belongs: it may be a memory."""
    if isinstance(value, str):
        short = len(value) <= _SHOWN and not problem.endswith("_type")
        return repr(value) if short else f"a text of length {len(value)}"
    return dumps(value) if isinstance(value, int | float) else kind_of(value)


def _without_secrets(message: str) -> str:
    """`message`, which may say what came, without secrets that came in a field that cannot hold them."""
    from ..safety.secrets import redact  # only a refusal needs it

    return redact(message)


def _hint(path: str) -> str:
    """The first sentence of what a field is, in brackets, without the actions that it is for."""
    metadata = getattr(INPUT_FIELDS.get(path), "__metadata__", ())
    texts = (getattr(entry, "description", None) for entry in reversed(metadata))
    description = next((text for text in texts if text), "")
    first = _ACTIONS.sub("", description.split(". ")[0].rstrip("."))
    return f" ({first})" if first else ""
