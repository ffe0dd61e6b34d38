"""What the text of an environment variable means, and what to say of one that means nothing."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from .lifecycle.briefing import DEFAULT_LIMITS
from .models.vocabulary import MemoryType
from .store.database import Database, parse_database

_RATE: Final = re.compile(r"([1-9][0-9]{0,6})/(second|minute|hour)")


def _matching(pattern: str, allowed: str) -> AfterValidator:
    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            message = f"should be {allowed}."
            raise ValueError(message)
        return text

    return AfterValidator(check)


class TokenEntry(BaseModel):
    """A bearer token that the server knows: its hash and what it may do; never the token itself."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    name: Annotated[
        str, _matching(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,59}", "1-60 letters, digits and . _ @ -, no sign first")
    ]
    sha256: Annotated[str, _matching(r"[0-9a-f]{64}", "64 digits of 0-9a-f")]
    stores: Annotated[tuple[Annotated[str, StringConstraints(min_length=1, max_length=200)], ...], Field(min_length=1)]
    right: Literal["read", "write", "approve"] = "read"


TOKENS: Final = TypeAdapter(tuple[TokenEntry, ...])
_NO_ENTRIES: Final = "must be a JSON array of {name, sha256, stores, right}. `agent-memory token` makes an entry."


def to_database(text: str | None) -> Database | None:
    """The database that `text` names."""
    return None if text is None else parse_database(text)


def to_upper(text: Any) -> Any:
    """`text` in capitals."""
    return text.upper() if isinstance(text, str) else text


def to_words(text: Any) -> Any:
    """The words of a list that is separated by commas."""
    return tuple(word for word in re.split(r"[,\s]+", text.lower()) if word) if isinstance(text, str) else text


def to_memory_types(given: Any) -> Any:
    """The memory types in a list that is separated by commas."""
    words = to_words(given)
    for word in words:
        if word not in tuple(MemoryType):
            from .text.plain_words import guess

            message = f"{word[:60]!r} is no memory type.{guess(word, MemoryType)} Use some of: {', '.join(MemoryType)}."
            raise ValueError(message)
    return words


def to_brief_limits(given: Any) -> Any:
    """The limits in a JSON object of them; bounds are those of a request."""
    if not isinstance(given, str):
        return given
    from .actions.objects import BriefOptions  # not before it is needed: a server that starts answers at once

    try:
        return BriefOptions.model_validate(json.loads(given), by_name=True).over(DEFAULT_LIMITS)
    except ValidationError as error:
        if (problem := _first(error))["loc"]:
            raise ValueError(_said(problem, BriefOptions)) from None
    except ValueError:
        pass
    message = 'should be a JSON object such as {"rules": 20, "digest": 10}.'
    raise ValueError(message)


def _first(error: ValidationError) -> Mapping[str, Any]:
    return error.errors(include_url=False, include_input=False)[0]


def _said(problem: Mapping[str, Any], parts: type[BaseModel]) -> str:
    """What is wrong and where, inside an object of `parts`."""
    from .text.plain_words import guess, reason

    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in problem["loc"]).removeprefix(".")
    if problem["type"] == "extra_forbidden":
        known = parts.model_fields
        return f"{where} is not known.{guess(str(problem['loc'][-1]), known)} Known: {', '.join(known)}."
    return f"{where}: {reason(problem)}."


def each(pattern: re.Pattern[str], allowed: str) -> AfterValidator:
    """A check that `pattern` matches each word, which says what is `allowed` where it does not."""

    def check(words: tuple[str, ...]) -> tuple[str, ...]:
        for word in words:
            if not pattern.fullmatch(word):
                message = f"{word[:100]!r} is not understood. Use {allowed}, separated by commas."
                raise ValueError(message)
        return words

    return AfterValidator(check)


def checked_rate(text: str) -> str:
    """`text`, if it is a rate."""
    if not _RATE.fullmatch(text):
        message = f"{text[:40]!r} is not understood. Use a number for each second, minute or hour, such as 100/second."
        raise ValueError(message)
    return text


def parse_tokens(given: Any) -> Any:
    """The entries of a JSON array; no message repeats what came.

    Raises:
        ValueError: it is no such array, or two entries share a name.
    """
    if not isinstance(given, str):
        return given
    try:
        entries = TOKENS.validate_python(json.loads(given))
    except ValidationError as error:
        if (problem := _first(error))["loc"]:
            message = f"entry {_said(problem, TokenEntry)} `agent-memory token --help` says what an entry is."
            raise ValueError(message) from None
        raise ValueError(_NO_ENTRIES) from None
    except ValueError:
        raise ValueError(_NO_ENTRIES) from None
    if not entries:
        message = "holds no token, which would leave the server open. Make one with `agent-memory token`, or unset it."
        raise ValueError(message)
    names = [entry.name for entry in entries]
    if len(set(names)) < len(names):
        message = "two entries have the same name; revisions are signed with it, so each needs one of its own."
        raise ValueError(message)
    return entries
