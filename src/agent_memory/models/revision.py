"""One immutable change of one memory: the unit that is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from .memory import NOTHING, SCHEMA_VERSION, Memory, from_record, to_record
from .review import Claim, Settlement, claim_body, read_claim, read_settlement, settlement_body
from .vocabulary import Channel, State

FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How a memory was born; carried unchanged by all its revisions.

    `at` and `index` give the commit order: when the first revision was written, and its place in that write.
    `keys` maps the idempotency keys that stand for this memory to fingerprints of what was asked under them.
    """

    at: str
    index: int = 0
    keys: Mapping[str, str] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The whole memory after one change. `parents` are the hashes of the revisions that the writer had seen.

    One that `reinforces` says that the memory was written down again: it changes nothing, so it keeps its parent's
    number and never wins over a change. So does a `claim`, of which a proposal may have several; `settlement` tells how
    one was settled.

    `by` is the writer: a run, a token or a client. `channel` is the way in of this change, `tool_call_id` the call of
    an agent's tool that made it, both where they are known.
    """

    number: int
    parents: tuple[str, ...]
    at: str
    by: str
    state: State
    memory: Memory
    origin: Origin
    reinforces: bool = False
    channel: Channel | None = None
    tool_call_id: str | None = None
    claim: Claim | None = None
    settlement: Settlement | None = None

    @property
    def is_note(self) -> bool:
        """Whether it changes nothing, and says something beside what the memory is."""
        return self.reinforces or self.claim is not None


def to_body(revision: Revision) -> dict[str, Any]:
    """`revision` as a JSON object."""
    origin = revision.origin
    known = {"channel": revision.channel and revision.channel.value, "toolCallId": revision.tool_call_id}
    return {
        "format": FORMAT,
        "number": revision.number,
        "parents": list(revision.parents),
        "at": revision.at,
        "by": revision.by,
        **{name: value for name, value in known.items() if value is not None},
        "state": revision.state.value,
        "origin": {
            "at": origin.at,
            "index": origin.index,
            "keys": dict(origin.keys),
        },
        **({"reinforces": True} if revision.reinforces else {}),
        **({"claim": claim_body(revision.claim)} if revision.claim else {}),
        **({"settlement": settlement_body(revision.settlement)} if revision.settlement else {}),
        "memory": to_record(revision.memory, archived=revision.state is State.ARCHIVED),
    }


def from_body(body: Mapping[str, Any]) -> Revision:
    """The revision that `body` describes.

    Raises:
        KeyError, TypeError, ValueError: `body` is not what `to_body` writes.
    """
    if body["format"] != FORMAT:
        message = f"revision format {body['format']}, this version reads {FORMAT}"
        raise ValueError(message)
    origin = body["origin"]
    return Revision(
        number=body["number"],
        parents=tuple(body["parents"]),
        at=body["at"],
        by=body["by"],
        state=State(body["state"]),
        memory=from_record(body["memory"]),
        origin=Origin(at=origin["at"], index=origin["index"], keys=origin["keys"]),
        reinforces=body.get("reinforces", False),
        channel=Channel(body["channel"]) if "channel" in body else None,
        tool_call_id=body.get("toolCallId"),
        claim=read_claim(body["claim"]) if "claim" in body else None,
        settlement=read_settlement(body["settlement"]) if "settlement" in body else None,
    )


def newer_version(body: Any) -> str | None:
    """That a newer version has written `body`, in words; None when it was this one or an older one."""
    found = {"format": _number(body, "format"), "schemaVersion": _number(_of(body, "memory"), "schemaVersion")}
    known = {"format": FORMAT, "schemaVersion": SCHEMA_VERSION}
    newer = (name for name in known if found[name] > known[name])
    return next((f"{name} {found[name]}, this version reads {known[name]}" for name in newer), None)


def _of(value: Any, name: str) -> Any:
    return cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None


def _number(value: Any, name: str) -> int:
    number = _of(value, name)
    return number if isinstance(number, int) else 0
