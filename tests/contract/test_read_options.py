"""Wrong options of a read."""

from typing import Any

import pytest

from support.world import World


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"maxResults": 0}, "maxResults"),
        ({"maxResults": 1001}, "maxResults"),
        ({"maxResults": "many"}, "maxResults"),
        ({"maxResults": 2.5}, "maxResults"),
        ({"searchOptions": {"limit": 0}}, "searchOptions.limit"),
        ({"searchOptions": {"limit": 1001}}, "searchOptions.limit"),
        ({"searchOptions": {"minScore": 2}}, "searchOptions.minScore"),
        ({"searchOptions": {"contentLength": 0}}, "searchOptions.contentLength"),
        ({"searchOptions": {"since": "yesterday"}}, "searchOptions.since"),
        ({"searchOptions": {"until": "31.12.2026"}}, "searchOptions.until"),
        ({"searchOptions": {"memoryTypes": ["guess"]}}, "searchOptions.memoryTypes[0]"),
        ({"searchOptions": {"ranking": "magic"}}, "searchOptions.ranking"),
        ({"searchOptions": {"includeArchived": "perhaps"}}, "searchOptions.includeArchived"),
        ({"searchOptions": {"limits": 5}}, "searchOptions.limits"),
        ({"searchOptions": []}, None),
        ({"searchOptions": "some"}, "searchOptions"),
        ({"decayConfig": {"halfLifeDays": 0}}, "decayConfig.halfLifeDays"),
        ({"decayConfig": {"minImportance": 1.1}}, "decayConfig.minImportance"),
        ({"decayConfig": {"pruneThreshold": -1}}, "decayConfig.pruneThreshold"),
        ({"decayConfig": {"halfLife": 3}}, "decayConfig.halfLife"),
        ({"explain": "perhaps"}, "explain"),
        ({"url": "https://" + "a" * 5000}, "url"),
    ],
)
async def test_a_wrong_option_of_a_read_is_named(world: World, fields: dict[str, Any], named: str | None) -> None:
    for action in ("recall", "search"):
        body = await world.ask(action, query="port", **fields)
        if named is None:
            assert body["ok"], body
        else:
            assert (body["error"]["code"], body["error"]["details"]["field"]) == ("invalid_request", named)
