"""Derived data is made once for a line of snapshots and then follows their changes."""

from dataclasses import replace

from agent_memory.models.vocabulary import State
from agent_memory.store.codec import Stored, encode
from agent_memory.store.derived import Lineage, Recipe
from agent_memory.store.snapshot import Snapshot, build
from support.revisions import after, first

Texts = dict[str, str]


class Counted:
    """A recipe for the text of each memory, and how often it had to be made from nothing."""

    def __init__(self) -> None:
        self.built = 0
        self.touched: list[frozenset[str]] = []
        self.recipe = Recipe(self.build, self.extend)

    def build(self, snapshot: Snapshot) -> Texts:
        self.built += 1
        return {head.memory.id: head.memory.content for head in snapshot.active()}

    def extend(self, value: Texts, snapshot: Snapshot, changed: frozenset[str]) -> Texts:
        self.touched.append(changed)
        for memory_id in changed:
            head = snapshot.heads.get(memory_id)
            if head is None or head.state is not State.ACTIVE:
                value.pop(memory_id, None)
            else:
                value[memory_id] = head.memory.content
        return value


def line_of(*stored: Stored) -> Snapshot:
    return replace(build(stored), lineage=Lineage())


def then(before: Snapshot, *added: Stored, lost: frozenset[str] = frozenset(), ids: frozenset[str]) -> Snapshot:
    after_ = before.changed(added, lost, layout=before.layout, damaged=())
    assert before.lineage is not None
    return replace(after_, lineage=before.lineage, number=before.lineage.advance(ids))


def test_a_snapshot_outside_of_any_line_makes_it_anew_each_time() -> None:
    counted = Counted()
    snapshot = build([encode(first("a", "one"))])

    assert snapshot.derive(counted.recipe) == snapshot.derive(counted.recipe) == {"a": "one"}
    assert counted.built == 2


def test_along_a_line_it_is_made_once_and_follows_what_was_added_changed_and_lost() -> None:
    counted = Counted()
    base, other = encode(first("a", "one")), encode(first("b", "two"))
    start = line_of(base, other)
    assert start.derive(counted.recipe) == {"a": "one", "b": "two"}

    update, third = encode(after(base, content="uno")), encode(first("c", "three"))
    unseen = then(start, update, ids=frozenset({"a"}))
    later = then(unseen, third, lost=frozenset({str(other.key)}), ids=frozenset({"b", "c"}))

    assert later.derive(counted.recipe) == later.derive(counted.recipe) == {"a": "uno", "c": "three"}
    assert counted.built == 1
    assert counted.touched == [frozenset("abc")]


def test_an_older_snapshot_still_gets_its_own() -> None:
    counted = Counted()
    base = encode(first("a", "one"))
    start = line_of(base)
    later = then(start, encode(after(base, content="uno")), ids=frozenset({"a"}))
    assert later.derive(counted.recipe) == {"a": "uno"}

    assert start.derive(counted.recipe) == {"a": "one"}
    assert later.derive(counted.recipe) == {"a": "uno"}


def test_after_more_changes_than_are_kept_it_is_made_anew() -> None:
    counted = Counted()
    snapshot = line_of(encode(first("m", "one")))
    assert snapshot.derive(counted.recipe) == {"m": "one"}
    for n in range(5000):
        snapshot = then(snapshot, encode(first(f"m-{n % 3}", f"text {n}")), ids=frozenset({f"m-{n % 3}"}))

    assert snapshot.derive(counted.recipe) == build(snapshot.stored()).derive(Counted().recipe)
    assert counted.built == 2


def test_the_store_at_an_earlier_instant_is_no_part_of_the_line() -> None:
    counted = Counted()
    base = encode(first("a", "one", "2026-03-01T00:00:00.000Z"))
    start = line_of(base, encode(after(base, content="two", at="2026-03-02T00:00:00.000Z")))
    assert start.derive(counted.recipe) == {"a": "two"}

    assert start.as_of("2026-03-01T12:00:00.000Z").derive(counted.recipe) == {"a": "one"}
