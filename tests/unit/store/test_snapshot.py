"""What a store held when it was read."""

from dataclasses import replace

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import encode
from agent_memory.store.resolve import label
from agent_memory.store.snapshot import build
from support.revisions import after, first

T1, T2, T3 = (f"2026-03-0{day}T00:00:00.000Z" for day in (1, 2, 3))


def test_heads_stand_in_commit_order() -> None:
    late, early = encode(first("a", at=T2)), encode(first("z", at=T1))
    second, first_ = encode(first("m", "x", T3, index=1)), encode(first("n", "y", T3, index=0))

    assert list(build([late, second, early, first_]).heads) == ["z", "a", "n", "m"]


def test_only_active_memories_are_active_and_forgotten_ones_are_not_found() -> None:
    kept, shelved, gone = (encode(first(name)) for name in ("kept", "shelved", "gone"))
    snapshot = build(
        [kept, shelved, gone, encode(after(shelved, state=State.ARCHIVED)), encode(after(gone, state=State.FORGOTTEN))]
    )

    assert [head.memory.id for head in snapshot.active()] == ["kept"]
    assert snapshot.find("shelved") is not None
    assert snapshot.find("gone") is None
    assert snapshot.find("never") is None
    assert snapshot.heads["gone"].state is State.FORGOTTEN


def test_an_earlier_instant_shows_the_revisions_until_then() -> None:
    base = encode(first("a", "one", T1))
    snapshot = build([base, encode(after(base, content="two", at=T3)), encode(first("b", at=T3))])

    assert [head.memory.content for head in snapshot.as_of(T2).heads.values()] == ["one"]
    assert [head.memory.content for head in snapshot.as_of(T3).heads.values()] == ["two", "Port 1 is open."]
    assert snapshot.as_of("2020-01-01T00:00:00.000Z").heads == {}


def test_the_last_access_is_never_before_the_last_update() -> None:
    stored = encode(first("a", at=T2))
    memory = stored.revision.memory

    assert build([stored]).accessed(memory, T3) == T2
    assert build([stored], access={"a": (T1,)}).accessed(memory, T3) == T2
    assert build([stored], access={"a": (T3,)}).accessed(memory, T3) == T3


def test_an_access_after_the_instant_asked_for_does_not_count() -> None:
    stored = encode(first("a", at=T1))

    assert build([stored], access={"a": (T3, T2)}).accessed(stored.revision.memory, T2) == T2
    assert build([stored], access={"a": (T3,)}).accessed(stored.revision.memory, T2) == T1


def test_sizes_count_the_shown_revision_and_the_earlier_ones() -> None:
    base = encode(first("a", "x" * 1000))
    update = encode(after(base, content="short"))

    head = build([base, update]).heads["a"]

    assert (head.size, head.history_size) == (update.size, base.size)


def test_damage_is_told_with_its_number_and_the_first_place() -> None:
    assert build([]).warnings() == []
    (warning,) = build([], damaged=["key-1: broken", "key-2: broken"]).warnings()
    assert "2 stored parts" in warning
    assert "key-1" in warning


def test_adding_is_the_same_as_building_anew() -> None:
    base, other = encode(first("a")), encode(first("b"))
    update = encode(after(base, content="two"))

    assert build([base]).plus([update, other], build([]).layout).heads == build([other, update, base]).heads


def test_a_revision_is_named_by_its_number_and_the_beginning_of_its_hash() -> None:
    head = build([encode(first("a"))]).heads["a"]

    assert head.revision == label(1, head.hash) == f"1.{head.hash[:8]}"


def test_the_later_of_two_equal_numbers_wins_and_the_other_is_a_conflict() -> None:
    base = encode(first("a"))
    early, late = encode(after(base, content="early", at=T2)), encode(after(base, content="late", at=T3))

    head = build([late, base, early]).heads["a"]

    assert (head.memory.content, head.conflicts) == ("late", (early.key.hash,))
    settled = encode(replace(after(late, early, content="settled"), at=T3))
    assert build([late, base, early, settled]).heads["a"].conflicts == ()
