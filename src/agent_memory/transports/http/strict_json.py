"""JSON from strangers, read strictly: what two readers could take for two things is refused."""

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from ...errors import InvalidRequestError
from ...text.plain_words import kind_of

DEPTH: Final = 64
DIGITS: Final = 19
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_SHOWN: Final = 60


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object that `body` holds.

    Raises:
        InvalidRequestError: it holds none, or one with a duplicate key, NaN or Infinity, a number of over 19 digits or
            out of a double's range, over 64 levels, half a surrogate pair, or bytes that are no UTF-8.
    """
    try:
        value = json.loads(
            body.decode("utf-8-sig"),
            object_pairs_hook=_unique,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_float,
        )
        if body.count(b"[") + body.count(b"{") > DEPTH:
            _check_depth(value)
        if _SURROGATE.search(body):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise _refused(f"byte {error.start} is no UTF-8; send it in UTF-8") from None
    except UnicodeEncodeError:
        raise _refused("it holds half of a surrogate pair; repair the encoding of the text") from None
    except RecursionError:
        raise _refused(f"it is nested deeper than {DEPTH} levels") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _refused(f"{error.msg[:1].lower()}{error.msg[1:]} at {where}" if body else "it is empty") from None
    except ValueError as error:
        raise _refused(str(error)) from None
    if not isinstance(value, dict):
        raise InvalidRequestError(
            f"The body must be a JSON object such as {{…}}; it is {kind_of(value)}. Nothing was stored."
        )
    return cast("dict[str, Any]", value)


def _refused(why: str) -> InvalidRequestError:
    return InvalidRequestError(
        f"The body is no JSON that can be taken: {why}. Nothing was stored.",
        brief="The body is no JSON that can be taken. Nothing was stored.",
    )


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    given = dict(pairs)
    if len(given) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        message = f"the key {twice[:_SHOWN]!r} comes twice in one object"
        raise ValueError(message)
    return given


def _constant(word: str) -> Any:
    message = f"{word} is no JSON; use a number or null"
    raise ValueError(message)


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > DIGITS:
        message = f"a number has more than {DIGITS} digits; send it as a text"
        raise ValueError(message)
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        message = "a number is out of range; send it as a text"
        raise ValueError(message)
    return number


def _check_depth(value: Any) -> None:
    level: Iterable[Any] = [value]
    for _ in range(DEPTH + 1):
        level = [below for node in level for below in _children(node)]
        if not level:
            return
    message = f"it is nested deeper than {DEPTH} levels"
    raise ValueError(message)


def _children(node: Any) -> Iterable[Any]:
    if isinstance(node, dict):
        return cast("dict[str, Any]", node).values()
    return cast("list[Any]", node) if isinstance(node, list) else ()
