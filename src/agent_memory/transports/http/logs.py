"""The log of a server: a line of JSON for each event, on stderr."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

FIELDS: Final = "fields"


class JsonLines(logging.Formatter):
    """`extra={"fields": {...}}` becomes members of the line. An exception's text stays out: it may hold a memory."""

    def format(self, record: logging.LogRecord) -> str:
        """`record` as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, FIELDS, {})
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr() -> None:
    """Show what the server and uvicorn log."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("agent_memory.http", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
