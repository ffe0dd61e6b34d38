"""The fields of actions that look after a store."""

from typing import Annotated, Final

from pydantic import BeforeValidator

from ..common.coerce import json_text
from ..objects import ChangeFilter, DecayConfig, Number
from .declare import in_section

DEFAULT_IDLE_DAYS: Final = 30

_field = in_section("Upkeep")

Repair = Annotated[
    bool, _field("checkbox", "Repair", "doctor: also mend what can be mended; without it only the findings.")
]
DecayOptions = Annotated[
    DecayConfig,
    BeforeValidator(json_text),
    _field(
        "json",
        "Decay",
        "recall, search, context_pack, prune: {enabled, halfLifeDays (30), minImportance 0-1 (0.1), "
        "pruneThreshold 0-1 (0.05), maxMemoriesPerUser}. Memories fade by half each half-life since they were "
        "last read or changed.",
    ),
]
IdleDays = Annotated[
    Number,
    _field("number", "Idle days", "lifecycle: a rule unused for so many days is idle, 1-3650 (30).", ge=1, le=3_650),
]
Limit = Annotated[
    Number, _field("number", "Limit", "lifecycle: how many rules of each kind to name, 1-1000 (20).", ge=1, le=1_000)
]
Changes = Annotated[
    ChangeFilter,
    BeforeValidator(json_text),
    _field(
        "json",
        "Changes",
        "events, revert: which changes, {writer, source agent|human|crawl|import, channel "
        "console|api|rest|mcp|stdio, toolCallId, since, until}; all that is given must hold. revert needs at "
        "least one of them, or memoryId.",
    ),
]
Apply = Annotated[bool, _field("checkbox", "Apply", "revert: carry out the plan; without it only the plan is shown.")]
