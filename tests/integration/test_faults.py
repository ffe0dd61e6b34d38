"""One fault at every operation of every action: an error that says so, or a right answer, and nothing is harmed."""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from apify_client import ApifyClientAsync
from typing_extensions import override

from agent_memory.store.backends.apify import CloudKeyValue
from agent_memory.store.codec import Stored
from agent_memory.store.kv import CONTENT_TYPE
from support.emulator import Call, Fault, Platform, emulated_platform
from torture.checks import Acted, check
from torture.derived import trials
from torture.faults import FAULTS, SAID, operations, said, strike
from torture.scenes import (
    FOLLOWERS,
    Scene,
    asks,
    bulky,
    every_ask,
    old,
    packed,
    packing_soon,
    review_asks,
    reviewed,
    young,
)
from torture.steps import NOW, Ask, Ids, carry_out, our_store

pytestmark = pytest.mark.torture

_SOON = timedelta(milliseconds=1)
SCENES = (young, packed, bulky, old)
EVERY = tuple(every_ask(young()))


@pytest.fixture(autouse=True)
def _packing_soon() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]  # autouse
    with packing_soon():
        yield


def strike_everywhere(scene: Scene, ask: Ask, fault: str) -> int:
    followers = [asks(scene)[name] for name in FOLLOWERS]
    places = range(len(operations(scene, ask)))
    return sum(strike(scene, ask, fault, [place], followers) for place in places)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("make", SCENES)
def test_a_fault_at_any_operation_is_told_or_harmless(make: Callable[[], Scene], fault: str) -> None:
    scene = make()
    struck = sum(strike_everywhere(scene, ask, fault) for ask in every_ask(scene).values())

    assert struck > 120


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_while_a_review_is_proposed_or_settled_is_told_or_harmless(fault: str) -> None:
    scene = reviewed()
    struck = sum(strike_everywhere(scene, ask, fault) for ask in review_asks(scene).values())

    assert struck > 40


@pytest.mark.parametrize("fault", ["fail", "lost answer", "late"])
def test_two_faults_in_one_action_are_told_or_harmless(fault: str) -> None:
    rng = random.Random(5)  # a repeatable choice of places
    scene = young()
    for ask in every_ask(scene).values():
        places = range(len(operations(scene, ask)))
        for _ in range(6):
            assert strike(scene, ask, fault, sorted(rng.choices(places, k=2)), [asks(scene)["forget"]])


@pytest.mark.parametrize("make", SCENES)
def test_any_subset_of_derived_keys_may_be_deleted_or_damaged(make: Callable[[], Scene]) -> None:
    rng = random.Random(6)  # a repeatable choice of keys

    changed = trials(make, 125, rng)

    assert changed > 100


@dataclass
class Refusal(Fault):
    """Refuses requests for keys and values, but lets the first `after` of them through."""

    after: int = 0

    @override
    def hits(self, call: Call) -> bool:
        if call.kind not in ("keys", "record"):
            return False
        self.after -= 1
        return self.after < 0 and super().hits(call)


@dataclass(frozen=True)
class Hosted:
    """A scene's store on the emulated platform, reached through a client that waits hardly at all between tries."""

    scene: Scene
    platform: Platform
    kv: CloudKeyValue

    async def struck(self, ask: Ask, *faults: Fault) -> Acted:
        """What `ask` comes to on the store as it was in the beginning."""
        store = self.platform.names[self.scene.name]
        self.platform.stores[store] = {key: (CONTENT_TYPE, value) for key, value in self.scene.held.items()}
        self.platform.faults, self.platform.calls = [*faults], []
        committed = list[Stored]()
        body = await carry_out(ask, self.kv, Ids("struck", NOW), our_store, committed)
        return Acted(ask, committed, body)

    def held(self) -> dict[str, bytes]:
        """What the store holds."""
        return {key: value for key, (_, value) in self.platform.stores[self.platform.names[self.scene.name]].items()}


@pytest.fixture
async def hosted() -> AsyncIterator[Hosted]:
    scene = young()
    with emulated_platform() as platform:
        options: dict[str, Any] = {"compression": "brotli", "max_retries": 2, "min_delay_between_retries": _SOON}
        client = ApifyClientAsync("no-real-token", api_url=platform.url, api_public_url=platform.url, **options)
        store = await client.key_value_stores().get_or_create(name=scene.name)  # pyright: ignore[reportUnknownMemberType]  # its schema is untyped
        yield Hosted(scene, platform, CloudKeyValue(client.key_value_store(store.id), client))


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("name", EVERY)
async def test_a_request_that_the_platform_refuses_is_repeated_and_then_told(
    hosted: Hosted, name: str, status: int
) -> None:
    ask = every_ask(hosted.scene)[name]
    undisturbed = await hosted.struck(ask)
    places = len(hosted.platform.calls)
    assert places >= 5
    assert undisturbed.body is not None

    for place in range(places):
        once = await hosted.struck(ask, Refusal(status, 1, after=place))
        assert said(once.body or {}) == said(undisturbed.body)
        check(hosted.held(), hosted.scene, [once])

        for_good = await hosted.struck(ask, Refusal(status, 1_000_000, after=place))
        assert for_good.body is not None
        if for_good.body["ok"]:
            assert for_good.body["warnings"] or said(for_good.body) == said(undisturbed.body)
        else:
            assert for_good.body["error"]["code"] in SAID
        check(hosted.held(), hosted.scene, [for_good])
