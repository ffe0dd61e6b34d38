"""The items of a bulk write, each validated on its own, so that a bad one does not stop the others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError

from ...errors import InvalidRequestError, MemoryServiceError, SecretRefusedError
from ...text.plain_words import kind_of
from ..objects import MemoryItem
from ..parse import EMPTY, invalid
from .coerce import check_json, without
from .screening import screen


def parse_items(
    field: str, raw: Sequence[Any], root: Mapping[str, Any], *, redacting: bool
) -> Iterator[tuple[MemoryItem | None, MemoryServiceError | None]]:
    """Each of `raw`, which came in `field`, or why it is refused; `root` stands in for what an item does not say."""
    for index, value in enumerate(raw):
        at = f"{field}[{index}]"
        if not isinstance(value, dict):
            message = f'{at} must be an object such as {{"content": "…"}}, not {kind_of(value)}.'
            yield None, InvalidRequestError(message, field=at)
            continue
        given = {**root, **without(cast("dict[str, Any]", value), EMPTY)}
        try:
            item = MemoryItem.model_validate(check_json(given))
            yield screen(item, redacting=redacting, at=at), None
        except SecretRefusedError as refusal:
            yield None, refusal
        except ValidationError as error:
            yield None, invalid(error, MemoryItem, at)
        except ValueError as error:
            yield None, InvalidRequestError(f"{at} {error}.", field=at)
