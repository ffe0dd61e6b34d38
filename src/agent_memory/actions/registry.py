"""The actions by name. A handler's module is imported when it is first asked for: a run pays for one action only."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from ..errors import NotFoundError
from ..text.plain_words import guess
from .base import Action

NAMES: Final = (
    "remember",
    "recall",
    "search",
    "context_pack",
    "brief",
    "get",
    "list",
    "update",
    "approve",
    "propose",
    "reviews",
    "resolve",
    "forget",
    "history",
    "events",
    "revert",
    "restore",
    "purge",
    "stats",
    "prune",
    "lifecycle",
    "doctor",
    "chunk",
    "export",
    "import",
)
ALIASES: Final = {"store": "remember", "delete": "forget"}
_MODULES: Final = {"import": "import_"}  # no module can be imported under a keyword


def find(name: str) -> Action[Any]:
    """The action called `name`, or known by it as an alias.

    Raises:
        NotFoundError: there is none.
    """
    known = ALIASES.get(name, name)
    if known not in NAMES:
        close = guess(name[:60], (*NAMES, *ALIASES))
        message = f"There is no action {name[:60]!r}.{close} Use one of: {', '.join((*NAMES, *ALIASES))}."
        raise NotFoundError(message, field="action")
    action: Action[Any] = import_module(f"..actions.{_MODULES.get(known, known)}", __package__).ACTION
    return action


def all_actions() -> Iterator[Action[Any]]:
    """Every action, in the order of the documentation."""
    return (find(name) for name in NAMES)
