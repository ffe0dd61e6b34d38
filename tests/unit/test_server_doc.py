"""docs/server.md says what the code does."""

import re
from pathlib import Path

from pydantic import AliasChoices

from agent_memory.settings import Settings
from agent_memory.transports.wire import STATUS

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "server.md").read_text("utf-8")
PLATFORM = {"APIFY_IS_AT_HOME", "APIFY_META_ORIGIN", "ACTOR_RUN_ID", "APIFY_ACTOR_RUN_ID", "ACTOR_WEB_SERVER_URL",
            "ACTOR_STANDBY_URL"}  # fmt: skip


def test_the_table_of_errors_is_the_one_of_the_code() -> None:
    rows = re.findall(r"^\| (\d{3}) \| ([^|]+) \|", DOC, re.MULTILINE)
    said = {code: int(status) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}

    assert said == STATUS


def test_every_setting_is_explained_somewhere() -> None:
    names: set[str] = set()
    for field in Settings.model_fields.values():
        alias = field.validation_alias
        assert alias is not None
        names |= {str(choice) for choice in alias.choices} if isinstance(alias, AliasChoices) else {str(alias)}
    guides = "".join(path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))))

    assert [name for name in sorted(names - PLATFORM) if name not in guides] == []
