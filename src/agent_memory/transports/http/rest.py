"""REST: POST /v1/<action>, with a body as INPUT."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from ...errors import InvalidRequestError
from .answers import json_response
from .routing import Ready, caller_of, payload_of, route

PREFIX = "/v1/"


def rest_routes(ready: Ready) -> Iterator[BaseRoute]:
    """The one route of all actions: they come from the registry when they are asked for."""

    async def act(request: Request) -> Response:
        name: str = request.path_params["action"]
        service = await ready()
        action = service.find(name)  # before the log names the route: a path may be anything
        request.scope["state"] |= {"route": f"{PREFIX}{action}", "action": action}
        payload = payload_of(request)
        given = payload.get("action")
        if given is not None and given not in (name, action):
            raise InvalidRequestError(
                f"action: the path says {name}, the body says something else. Leave action out of the body.",
                field="action",
            )
        return json_response(await service.ask(action, payload, caller_of(request)))

    yield route(f"{PREFIX}{{action}}", POST=act)
