"""What the revisions of a proposal say beside the memory that is proposed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .vocabulary import Resolution


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """That somebody is about to settle a proposal; `attempt` names one attempt, a `withdrawn` one came to nothing.

    `decision` is a digest of who decides what.
    """

    attempt: str
    decision: str
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """How a proposal was settled. `memory_id` is the memory that was changed, where it was not the proposal itself."""

    resolution: Resolution
    decision: str
    memory_id: str | None = None
    reason: str | None = None


def claim_body(claim: Claim) -> dict[str, Any]:
    """`claim` as a JSON object."""
    return {"attempt": claim.attempt, "decision": claim.decision, "withdrawn": claim.withdrawn}


def read_claim(body: Mapping[str, Any]) -> Claim:
    """The claim that `body` describes; raises KeyError where it describes none."""
    return Claim(attempt=body["attempt"], decision=body["decision"], withdrawn=body["withdrawn"])


def settlement_body(settlement: Settlement) -> dict[str, Any]:
    """`settlement` as a JSON object."""
    known = {"memoryId": settlement.memory_id, "reason": settlement.reason}
    return {
        "resolution": settlement.resolution.value,
        "decision": settlement.decision,
        **{name: value for name, value in known.items() if value is not None},
    }


def read_settlement(body: Mapping[str, Any]) -> Settlement:
    """The settlement that `body` describes; raises KeyError or ValueError where it describes none."""
    return Settlement(
        resolution=Resolution(body["resolution"]),
        decision=body["decision"],
        memory_id=body.get("memoryId"),
        reason=body.get("reason"),
    )
