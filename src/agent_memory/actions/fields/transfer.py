"""The fields that say where memories go and come from."""

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints

from .declare import in_section

_STORE_LENGTH: Final = 130

_field = in_section("Transfer")


def _store_on_apify(given: str) -> str:
    """The id, or user~name, of a store on Apify."""
    name = given.strip()
    if not re.fullmatch(r"[\w.-]+(~[\w.-]+)?", name, re.ASCII) or len(name) > _STORE_LENGTH:
        message = "must be the id of a key-value store, as Apify Console shows it, or user~name"
        raise ValueError(message)
    return name


ExportPath = Annotated[
    Annotated[str, StringConstraints(max_length=1_000)],
    _field(
        "textfield",
        "Export to file",
        "export: a file below the folder that the run was started in. Only in runs on your own machine; without "
        "it the export is the record EXPORT of the run's default key-value store.",
    ),
]
ImportPath = Annotated[
    Annotated[str, StringConstraints(max_length=1_000)],
    _field(
        "textfield",
        "Import from file",
        "import: an export, a folder of exports, or the store folder of the original Actor (memory-<id>.json), "
        "below the folder that the run was started in. Only in runs on your own machine; at Apify use "
        "sourceStore.",
    ),
]
SourceStore = Annotated[
    Annotated[str, AfterValidator(_store_on_apify)],
    Field(
        title="Import from store",
        description="import: the id of a key-value store on Apify that holds an export (the default store of the run "
        "that exported) or the memories of the original Actor. It is only read.",
        json_schema_extra={
            "section": "Transfer",
            "editor": "resourcePicker",
            "resourceType": "keyValueStore",
            "resourcePermissions": ["READ"],
        },
    ),
]
