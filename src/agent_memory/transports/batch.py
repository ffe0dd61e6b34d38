"""The batch run: reads INPUT, carries out one action, writes OUTPUT and one dataset row."""

import logging
import uuid
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any, Final, cast

from apify import Actor

from ..actions.base import Context
from ..actions.registry import ALIASES, NAMES
from ..actions.run import run_action
from ..errors import InvalidRequestError, MemoryServiceError
from ..models.vocabulary import Channel
from ..settings import Settings
from ..store.apify_kv import open_key_value
from ..store.memory_store import MemoryStore
from ..store.names import storage_name
from .progress import make_progress
from .terminal import show
from .wire import error_body, internal_body

log = logging.getLogger("apify")

EVENT: Final = "action"


async def run(settings: Settings) -> None:
    """One Actor run; the process ends with code 1 when the action failed."""
    async with AsyncExitStack() as stack:
        problem = await _start()
        stack.push_async_exit(Actor)
        body = error_body(None, problem) if problem else await answer(await Actor.get_input(), settings)
        if body["ok"]:
            await _charge(body)
        await Actor.set_value("OUTPUT", body)
        await Actor.push_data(body)  # pyright: ignore[reportUnknownMemberType]  # the SDK leaves its dict untyped
        Actor.status_message = body["message"] if body["ok"] else body["error"]["message"]
        Actor.exit_code = 0 if body["ok"] else 1
        if not Actor.is_at_home():
            show(body)


async def _start() -> InvalidRequestError | None:
    """Start the Actor. A local INPUT file that is no JSON stops the SDK when all else is up: then OUTPUT can say so."""
    try:
        await Actor.init()
    except ValueError as error:
        Actor.configuration.input_key = "NO_INPUT"
        return InvalidRequestError(f"INPUT is no valid JSON in UTF-8: {error}. Nothing was stored.")
    return None


async def answer(payload: Any, settings: Settings) -> dict[str, Any]:
    """The body that answers `payload`, whatever happens; a bug is logged and answered as `internal`."""
    name: str | None = None
    try:
        given = _object(payload)
        name = _action_name(given)
        return await run_action(name, given, lambda store_id: _open(store_id, settings))
    except MemoryServiceError as error:
        return error_body(name, error)
    except Exception:
        log.exception("An action failed in a way that it should not.")
        return internal_body(name)


def _object(payload: Any) -> Mapping[str, Any]:
    if isinstance(payload, Mapping):
        return cast("Mapping[str, Any]", payload)
    message = "INPUT must be a JSON object with action and memoryStoreId; it is " + (
        "missing or no valid JSON." if payload is None else f"a {type(payload).__name__}."
    )
    raise InvalidRequestError(message)


def _action_name(payload: Mapping[str, Any]) -> str:
    action = payload.get("action")
    if isinstance(action, str) and action.strip():
        return action.strip()
    message = f"action is required. Use one of: {', '.join((*NAMES, *ALIASES))}."
    raise InvalidRequestError(message, field="action")


async def _open(store_id: str, settings: Settings) -> Context:
    at_home = Actor.is_at_home()
    store = MemoryStore(store_id=store_id, kv=await open_key_value(storage_name(store_id)), now=_clock, new_id=_new_id)
    return Context(
        store=store,
        clock=_clock,
        new_id=_new_id,
        channel=Channel.CONSOLE if not at_home or Actor.configuration.meta_origin == "WEB" else Channel.API,
        writer=Actor.configuration.actor_run_id or "local",
        decay_on=at_home if settings.decay_enabled is None else settings.decay_enabled,
        progress=make_progress(),
    )


async def _charge(body: dict[str, Any]) -> None:
    """One `action` event for a successful action, where the Actor is priced per event; else nothing."""
    pricing = Actor.get_charging_manager().get_pricing_info()
    if not pricing.is_pay_per_event or EVENT not in pricing.per_event_prices:
        return
    charged = await Actor.charge(EVENT)
    if charged.charged_count == 0:
        body["warnings"].append("This run's charge limit is reached; the action was carried out and not charged.")


def _clock() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return uuid.uuid4().hex
