"""A folder watch misses nothing: whatever happens between two looks is in the second one, or it was not quiet."""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent_memory.store.backends.local_files import put, remove
from agent_memory.store.warm.folder_events import PUT, FolderEvents
from agent_memory.store.warm.folder_watch import EventWatch, StampWatch, watch_folder
from agent_memory.store.warm.watch import Seen, Watch

linux = pytest.mark.skipif(sys.platform != "linux", reason="inotify is of Linux")


def refuse(_: Path) -> bool:
    raise OSError("no disk")


MakeWatch = Callable[[Path, FolderEvents, Callable[[], float]], Watch]


class Hands:
    """A watch on a folder, a clock turned by hand, and the keys that its owner knows."""

    def __init__(self, folder: Path, make: MakeWatch, events: FolderEvents) -> None:
        self.folder = folder
        self.seconds = 1000.0
        self.watch = make(folder, events, lambda: self.seconds)
        self.known: set[str] = set()

    async def look(self, *, whole: bool = False) -> Seen:
        seen = await self.watch.look(self.known, whole=whole)
        self.known = set() if seen.another else self.known - seen.gone
        self.known |= seen.there
        return seen


def by_events(folder: Path, events: FolderEvents, monotonic: Callable[[], float]) -> Watch:
    watch = watch_folder(folder, events, monotonic)
    assert isinstance(watch, EventWatch)
    return watch


def by_stamps(folder: Path, events: FolderEvents, monotonic: Callable[[], float]) -> Watch:  # noqa: ARG001  # without
    return StampWatch(folder, monotonic)


@pytest.fixture
def events() -> Iterator[FolderEvents]:
    made = FolderEvents()
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "storage" / "store"
    made.mkdir(parents=True)
    put(made, "key-0", b"zero")
    return made


@pytest.fixture(params=[pytest.param(by_events, marks=linux, id="events"), pytest.param(by_stamps, id="stamps")])
def hands(request: pytest.FixtureRequest, folder: Path, events: FolderEvents) -> Hands:
    return Hands(folder, request.param, events)


async def test_the_first_look_is_at_everything(hands: Hands) -> None:
    assert not hands.watch.quiet()

    seen = await hands.look(whole=True)

    assert (seen.there, seen.gone, seen.another) == ({"key-0"}, set(), False)


async def test_what_was_put_or_removed_is_seen_by_the_next_look(hands: Hands) -> None:
    await hands.look(whole=True)
    for n in range(1, 30):
        put(hands.folder, f"key-{n}", b"value")
        remove(hands.folder, f"key-{n - 1}")
        assert not hands.watch.quiet()

        seen = await hands.look()

        assert f"key-{n}" in seen.there
        assert seen.gone == {f"key-{n - 1}"}
        assert hands.known == {f"key-{n}"}


@pytest.mark.parametrize(
    "make", [pytest.param(by_events, marks=linux, id="events"), pytest.param(by_stamps, id="stamps")]
)
async def test_a_folder_that_is_not_there_yet_is_watched_once_it_is(
    tmp_path: Path, events: FolderEvents, make: MakeWatch
) -> None:
    hands = Hands(tmp_path / "store", make, events)
    first = await hands.look(whole=True)
    assert (first.there, first.another) == (set(), False)

    hands.folder.mkdir()
    put(hands.folder, "key-0", b"zero")
    assert not hands.watch.quiet()
    seen = await hands.look()
    assert (hands.known, seen.another) == ({"key-0"}, False)

    put(hands.folder, "key-1", b"one")
    assert not hands.watch.quiet()
    seen = await hands.look()
    assert "key-1" in seen.there
    assert hands.known == {"key-0", "key-1"}
    hands.seconds += 10
    await hands.look()
    assert hands.watch.quiet()


async def test_temporary_files_and_sidecars_are_no_keys(hands: Hands) -> None:
    await hands.look(whole=True)
    (hands.folder / "key-1.abcd_123.tmp").write_bytes(b"begun")
    (hands.folder / "key-1.__metadata__.json").write_bytes(b"{}")

    seen = await hands.look()

    assert hands.known == {"key-0"}
    assert seen.gone == set()


async def test_a_deleted_folder_is_noticed_and_so_is_one_in_its_place(hands: Hands) -> None:
    await hands.look(whole=True)
    shutil.rmtree(hands.folder)
    assert not hands.watch.quiet()
    assert not (await hands.look()).there
    assert hands.known == set()

    hands.folder.mkdir()
    put(hands.folder, "key-9", b"nine")
    assert not hands.watch.quiet()
    await hands.look()
    assert hands.known == {"key-9"}


async def test_a_folder_that_took_the_place_of_another_is_another(hands: Hands) -> None:
    await hands.look(whole=True)
    other = hands.folder.with_name("other")
    other.mkdir()
    put(other, "key-0", b"another zero")
    hands.folder.rename(hands.folder.with_name("moved away"))
    other.rename(hands.folder)
    assert not hands.watch.quiet()

    seen = await hands.look()

    assert seen.another
    assert hands.known == {"key-0"}


async def test_the_parent_of_the_folder_may_be_moved_away(hands: Hands) -> None:
    await hands.look(whole=True)
    parent = hands.folder.parent
    parent.rename(parent.with_name("elsewhere"))
    assert not hands.watch.quiet()

    seen = await hands.look()

    assert (seen.another, seen.there) == (True, set())


async def test_a_change_within_one_grain_of_the_clock_is_not_missed(folder: Path, events: FolderEvents) -> None:
    hands = Hands(folder, by_stamps, events)

    def changed_unnoticed(key: str) -> None:
        put(folder, key, b"value")
        os.utime(folder, ns=(0, 1_000_000_000))

    os.utime(folder, ns=(0, 1_000_000_000))
    await hands.look(whole=True)
    changed_unnoticed("key-1")
    assert not hands.watch.quiet()
    await hands.look()
    hands.seconds += 2.4
    changed_unnoticed("key-2")
    assert not hands.watch.quiet()
    await hands.look()
    assert hands.known == {"key-0", "key-1", "key-2"}

    hands.seconds += 0.2
    assert not hands.watch.quiet()
    await hands.look()
    assert hands.watch.quiet()
    put(folder, "key-3", b"value")
    assert not hands.watch.quiet()


@linux
async def test_after_a_look_all_is_quiet_until_something_happens(folder: Path, events: FolderEvents) -> None:
    hands = Hands(folder, by_events, events)
    await hands.look(whole=True)
    assert hands.watch.quiet()
    assert hands.watch.quiet()

    put(folder, "key-0", b"overwritten")

    assert not hands.watch.quiet()
    assert (await hands.look()).touched == {"key-0"}
    assert hands.watch.quiet()


@linux
async def test_our_own_write_is_no_news_unless_something_else_happened_to_the_key(
    folder: Path, events: FolderEvents
) -> None:
    hands = Hands(folder, by_events, events)
    await hands.look(whole=True)
    put(folder, "key-1", b"ours")
    hands.watch.wrote("key-1")
    assert hands.watch.quiet()

    put(folder, "key-2", b"ours")
    hands.watch.wrote("key-2")
    remove(folder, "key-2")
    assert not hands.watch.quiet()
    assert (await hands.look()).gone == {"key-2"}

    put(folder, "key-3", b"ours")
    hands.watch.wrote("key-3")
    put(folder, "key-3", b"another's")
    assert (await hands.look()).touched == {"key-3"}


@linux
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("during", [False, True])
async def test_our_own_write_that_a_look_has_seen_hides_no_later_one(
    folder: Path, events: FolderEvents, *, whole: bool, during: bool
) -> None:
    hands = Hands(folder, by_events, events)
    await hands.look(whole=True)
    put(folder, "key-1", b"ours")
    look = asyncio.create_task(hands.look(whole=whole))
    await asyncio.sleep(0)
    if during:
        hands.watch.wrote("key-1")
    assert "key-1" in (await look).there
    hands.watch.wrote("key-1")

    put(folder, "key-1", b"another's")
    assert not hands.watch.quiet()
    assert (await hands.look()).touched == {"key-1"}


@linux
async def test_files_that_were_copied_moved_or_linked_by_hand_are_seen(folder: Path, events: FolderEvents) -> None:
    hands = Hands(folder, by_events, events)
    await hands.look(whole=True)
    shutil.copy(folder / "key-0", folder / "key-1")
    (folder / "key-2").hardlink_to(folder / "key-0")
    (folder / "key-0").rename(folder / "key-3")

    await hands.look()

    assert hands.known == {"key-1", "key-2", "key-3"}


@linux
async def test_when_the_kernel_lost_events_everything_may_have_changed(folder: Path, events: FolderEvents) -> None:
    channel = events.watch(folder)
    assert channel is not None
    watch = EventWatch(folder, events, channel)
    await watch.look(set(), whole=True)
    put(folder, "key-1", b"value")
    events.pump()
    channel.events.clear()
    channel.lost = True
    assert not watch.quiet()

    seen = await watch.look({"key-0"}, whole=False)

    assert seen.there == seen.touched == {"key-0", "key-1"}
    assert watch.quiet()


@linux
async def test_more_events_than_are_kept_are_events_lost(folder: Path, events: FolderEvents) -> None:
    channel = events.watch(folder)
    assert channel is not None
    for _ in range(4000):
        put(folder, "key-1", b"value")
        events.pump()

    assert channel.lost


@linux
async def test_two_watches_of_one_folder_both_hear_and_one_may_leave(folder: Path, events: FolderEvents) -> None:
    first, second = events.watch(folder), events.watch(folder)
    assert first is not None
    assert second is not None
    events.release(first)
    put(folder, "key-1", b"value")

    events.pump()

    assert ("key-1", PUT) in second.events
    assert first.events == []
    events.release(second)
    events.release(second)
    events.close()


def test_a_folder_that_is_not_there_or_not_on_a_disk_is_not_watched(tmp_path: Path, events: FolderEvents) -> None:
    assert events.watch(tmp_path / "missing") is None
    assert events.watch(Path("/proc/self")) is None


@linux
async def test_a_look_that_failed_is_made_up_for(
    folder: Path, events: FolderEvents, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = Hands(folder, by_events, events)
    await hands.look(whole=True)
    put(folder, "key-0", b"overwritten")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "exists", refuse)
        with pytest.raises(Exception, match="no disk"):
            await hands.look()

    assert not hands.watch.quiet()
    seen = await hands.look()

    assert seen.touched is not None
    assert "key-0" in seen.touched
