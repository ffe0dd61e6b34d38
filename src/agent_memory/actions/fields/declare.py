"""How a field of INPUT is declared: one pydantic Field that also says where Apify Console shows it."""

from functools import partial
from typing import Any

from pydantic import Field


def field(section: str | None, editor: str, title: str, description: str, **more: Any) -> Any:
    """A field of `section` (None: before all sections), edited by Console's `editor`; `more` is what Field takes."""
    return Field(title=title, description=description, json_schema_extra={"section": section, "editor": editor}, **more)


def in_section(section: str) -> partial[Any]:
    """`field` for the fields of one section."""
    return partial(field, section)
