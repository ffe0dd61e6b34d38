"""The batch run: reads INPUT, carries out one action, writes OUTPUT and one dataset row."""

import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from apify import Actor

from ..actions.base import Context, Exchange
from ..actions.registry import ALIASES, NAMES
from ..actions.run import run_action
from ..errors import InvalidRequestError, MemoryServiceError
from ..models.vocabulary import Channel
from ..settings import Settings
from ..store.backends.apify import local_folder, open_records, open_source
from ..store.backends.storage_errors import storage_errors
from ..store.files import Files
from ..store.memory_store import MemoryStore
from ..store.names import storage_name
from ..store.open import key_value_stores
from ..text.plain_words import closest, kind_of
from ..text.render import visible
from .input_file import read_input
from .progress import make_progress
from .surroundings import clock, new_id
from .terminal import show
from .wire import error_body, internal_body

if TYPE_CHECKING:
    from ..store.kv import KeyValue

log = logging.getLogger("apify")

EVENT: Final = "action"


async def run(settings: Settings) -> None:
    """One Actor run; the process ends with code 1 when the action failed."""
    async with AsyncExitStack() as stack:
        input_key = Actor.configuration.input_key
        with suppress(OSError):  # a folder that refuses is named where the answer cannot be written
            await _start()
        stack.push_async_exit(Actor)
        body, status = await _answer_input(input_key, settings)
        if body["ok"]:
            await _charge(body)
        Actor.status_message = status
        Actor.exit_code = 0 if body["ok"] else 1
        await _deliver(body)
        if not Actor.is_at_home():
            show(body)


async def _deliver(body: dict[str, Any]) -> None:
    """Write the answer to OUTPUT and as one row; where that fails, the status says so and the run fails."""
    try:
        with storage_errors(_place_of("the answer")):
            await Actor.set_value("OUTPUT", body)
            await Actor.push_data(body)  # pyright: ignore[reportUnknownMemberType]  # the SDK leaves its dict untyped
    except MemoryServiceError as error:
        Actor.status_message = f"{Actor.status_message} But the answer could not be written: {error.brief}"
        Actor.exit_code = 1


def _place_of(what: str) -> str:
    """`what` on the platform, else the folder that holds it."""
    return what if Actor.is_at_home() else str(local_folder(None).absolute())


async def _start() -> None:
    """Start the Actor. An INPUT file that the SDK cannot read stops it when all else is up."""
    try:
        await Actor.init()
    except (ValueError, RuntimeError):
        configuration = Actor.configuration
        emptied = configuration.purge_on_start
        # Opened under another key the store would be emptied of that file, too.
        configuration.input_key, configuration.purge_on_start = "NO_INPUT", False
        await Actor.open_key_value_store()
        configuration.purge_on_start = emptied


async def _answer_input(key: str, settings: Settings) -> tuple[dict[str, Any], str]:
    try:
        with storage_errors(_place_of("INPUT")):
            given = await Actor.get_input() if Actor.is_at_home() else read_input(local_folder(None), key)
    except MemoryServiceError as error:
        return _failed(None, error)
    return await answer(given, settings)


async def answer(payload: Any, settings: Settings) -> tuple[dict[str, Any], str]:
    """The body that answers `payload`, whatever happens, and the status line; neither log nor status hold its texts.

    A bug is logged and answered as `internal`.
    """
    name: str | None = None
    try:
        given = _object(payload)
        name = _action_name(given)
        async with key_value_stores(settings.storage) as open_kv:
            body = await run_action(name, given, lambda store_id: _open(store_id, settings, open_kv))
            return body, body["message"]
    except MemoryServiceError as error:
        return _failed(name, error)
    except Exception as error:  # noqa: BLE001  # the outermost edge: a bug must still be answered
        where = "".join(traceback.format_tb(error.__traceback__))
        log.error("An action failed in a way that it should not: %s\n%s", type(error).__name__, where)  # noqa: TRY400  # an exception's text may hold a memory
        body = internal_body(name)
        return body, body["error"]["message"]


def _failed(action: str | None, error: MemoryServiceError) -> tuple[dict[str, Any], str]:
    return error_body(action, error), visible(error.brief)


def _object(payload: Any) -> Mapping[str, Any]:
    if isinstance(payload, Mapping):
        return cast("Mapping[str, Any]", payload)
    message = "INPUT must be a JSON object with action and memoryStoreId; it is " + (
        "missing or no valid JSON." if payload is None or isinstance(payload, bytes) else f"{kind_of(payload)}."
    )
    raise InvalidRequestError(message)


def _action_name(payload: Mapping[str, Any]) -> str:
    action = payload.get("action")
    if isinstance(action, str) and action.strip():
        return action.strip()
    problem = "is required" if action in (None, "") else "must be a text"
    near = closest("action", payload) if action is None else None
    problem += f"; {near[:60]!r} is not a known field" if near else ""
    message = f"action {problem}. Use one of: {', '.join((*NAMES, *ALIASES))}."
    raise InvalidRequestError(message, field="action")


async def _open(store_id: str, settings: Settings, open_kv: "Callable[[str], Awaitable[KeyValue]]") -> Context:
    at_home = Actor.is_at_home()
    channel = Channel.CONSOLE if not at_home or Actor.configuration.meta_origin == "WEB" else Channel.API
    store = MemoryStore(store_id=store_id, kv=await open_kv(storage_name(store_id)), now=clock, new_id=new_id)
    return Context(
        store=store,
        clock=clock,
        new_id=new_id,
        channel=channel,
        writer=Actor.configuration.actor_run_id or "local",
        decay_on=settings.decay_on,
        may_approve=channel is Channel.CONSOLE,
        policy=settings.policy,
        progress=make_progress(),
        exchange=Exchange(
            open_records=open_records, open_source=open_source, files=None if at_home else Files(Path.cwd())
        ),
    )


async def _charge(body: dict[str, Any]) -> None:
    """One `action` event for a successful action, where the Actor is priced per event; else nothing."""
    pricing = Actor.get_charging_manager().get_pricing_info()
    if not pricing.is_pay_per_event or EVENT not in pricing.per_event_prices:
        return
    charged = await Actor.charge(EVENT)
    if charged.charged_count == 0:
        body["warnings"].append("This run's charge limit is reached; the action was carried out and not charged.")
