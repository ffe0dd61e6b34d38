"""Every order in which the storage operations of several actions can happen, with a crash after each of them.

What an action does next follows from what it has been answered so far. Two orders that leave the same values and have
given each action the same answers are therefore one state, and everything after it needs to be tried only once: so all
interleavings are covered by far fewer runs. A crash is an action that takes no further step; since every state is
checked as if all unfinished actions had died there, each crash point of each interleaving is covered too.
States are told apart by hashes of 64 bits.
"""

import random
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from agent_memory.models.vocabulary import State
from agent_memory.store.snapshot import Snapshot

from .checks import Acted, Violation, check, snapshot_of
from .scenes import Scene
from .steps import WHOLE, Ask, MakeStore, Process, Values, our_store
from .warm import kept_warm

StateKey = tuple[Any, ...]


@dataclass
class Report:
    """What was tried.

    `runs` were really made, each from the beginning to the end or to a state that another run had gone on from.
    `interleavings` counts the whole orders of steps, from the beginning to the end, all of whose states were gone
    through; `complete` says whether those are all that there are.
    """

    states: int = 0
    runs: int = 0
    checks: int = 0
    interleavings: int = 0
    complete: bool = True

    def add(self, other: "Report") -> None:
        """Count `other` in."""
        self.states += other.states
        self.runs += other.runs
        self.checks += other.checks
        self.interleavings += other.interleavings
        self.complete &= other.complete


class Reader:
    """What a new reader would see, remembered by the hash of the values."""

    def __init__(self, make_store: MakeStore) -> None:
        self._make_store = make_store
        self._seen: dict[int, Snapshot] = {}

    def see(self, values_hash: int, held: dict[str, bytes]) -> Snapshot:
        """The snapshot that `held` makes."""
        if values_hash not in self._seen:
            self._seen[values_hash] = snapshot_of(held, self._make_store)
        return self._seen[values_hash]


class Run:
    """Several actions on one store, and who has taken which step so far."""

    def __init__(
        self,
        scene: Scene,
        asks: Sequence[Ask],
        setting: "Setting",
        reader: Reader,
    ) -> None:
        self.scene, self.setting, self._reader = scene, setting, reader
        self.values = Values(scene.held, setting.page)
        skews = [*setting.skews_s, *[0.0] * len(asks)]
        self.processes = [
            Process(
                ask,
                f"{ask.name} {place}",
                self.values,
                setting.make_store,
                skews[place],
                warm=kept_warm if place in setting.warm else None,
            )
            for place, ask in enumerate(asks)
        ]
        self.log: list[str] = []
        self._absorbed = [False] * len(asks)
        self._begun: list[frozenset[str] | None] = [None] * len(asks)

    def key(self) -> StateKey:
        """The state that this is."""
        return (self.values.hash, *((p.trace, a) for p, a in zip(self.processes, self._absorbed, strict=True)))

    def key_after(self, who: int, which: int = 0) -> StateKey:
        """The state after the next step of `who`."""
        trace, values_hash = self.processes[who].after(which)
        absorbed = self._absorbed_after(who, which)
        parts = [(p.trace, a) for p, a in zip(self.processes, self._absorbed, strict=True)]
        parts[who] = (trace, absorbed)
        return (values_hash, *parts)

    def able(self) -> list[int]:
        """Those that can take a step."""
        return [who for who, process in enumerate(self.processes) if process.pending]

    def step(self, who: int, which: int = 0) -> None:
        """Let `who` take its next step; raises a Violation for an answer that is wrong."""
        process = self.processes[who]
        answered = process.done
        if self._begun[who] is None:
            self._begun[who] = self._active() if process.ask.finds is not None else frozenset()
        self._absorbed[who] = self._absorbed_after(who, which)
        operation = process.step(which)
        if self.setting.page < WHOLE:
            self._narrow()
        self.log.append(f"{who}:{process.ask.name} {operation.verb} {operation.key or operation.prefix or '*'}")
        if process.done and not answered:
            self._judge(who)

    def acted(self) -> list[Acted]:
        """What is known of all actions."""
        return [Acted(p.ask, p.committed, p.body if p.done else None) for p in self.processes]

    def outcome(self) -> tuple[int, ...]:
        """What a check depends on: the values, and the answers given."""
        return (self.values.hash, *(p.trace if p.done else 0 for p in self.processes))

    def _active(self) -> frozenset[str]:
        return frozenset(head.memory.id for head in self._reader.see(self.values.hash, self.values.held).active())

    def _narrow(self) -> None:
        """A listing in pages is not one moment.

        An answer may leave out what was not active for a while, and what somebody put aside meanwhile: it may show that
        without the change beside it that stood.
        """
        aside = {s.key.memory_id for p in self.processes for s in p.committed if s.revision.state is not State.ACTIVE}
        active = self._active() - aside
        self._begun = [due if due is None else due & active for due in self._begun]

    def _absorbed_after(self, who: int, which: int) -> bool:
        """Whether something that `who` has written was forgotten or purged by others the moment it was written."""
        process = self.processes[who]
        operation = process.pending[which]
        if self._absorbed[who] or not process.committed or operation.verb != "set":
            return self._absorbed[who]
        mine = process.committed[-1]
        if not operation.key.startswith(f"memory-{mine.key.memory_id}") or mine.revision.state is not State.ACTIVE:
            return False
        held = {**self.values.held, operation.key: cast("bytes", operation.value)}
        head = self._reader.see(self.values.hash_after(operation), held).heads.get(mine.key.memory_id)
        return head is not None and head.state.hidden

    def _judge(self, who: int) -> None:
        process = self.processes[who]
        try:
            body = process.body
        except Exception as error:
            raise Violation("bug", f"{process.ask.name} failed: {error!r}") from error
        if not body["ok"] and body["error"]["code"] not in ("not_found", "conflict", "incomplete"):
            raise Violation("bug", f"{process.ask.name} answered {body['error']}")
        if body["ok"] and self._absorbed[who]:
            raise Violation("I1", f"{process.ask.name} was acknowledged though a forget had absorbed it already")
        if body["ok"] and process.ask.finds is not None:
            self._judge_read(process.ask.finds & (self._begun[who] or frozenset()), body)

    def _judge_read(self, due: frozenset[str], body: dict[str, Any]) -> None:
        shown = {memory["id"]: memory["content"] for memory in body["memories"]}
        if missing := (due & self._active()) - shown.keys():
            raise Violation("I10", f"an answer leaves out {missing}")
        known = (*self.scene.committed, *(s for p in self.processes for s in p.committed))
        texts = {(s.key.memory_id, s.revision.memory.content) for s in known}
        if mixed := shown.items() - texts:
            raise Violation("I3", f"an answer shows what nobody wrote: {mixed}")


@dataclass(frozen=True)
class Setting:
    """How actions are run: on which store, with clocks that differ by so many seconds, listing so many keys a page.

    The actions at the places `warm` are those of servers, which have read the store before it all begins.
    Of the outcomes of crashes only each `thorough_each`-th is checked thoroughly; outcomes where all have ended are.
    With 0, none is.
    """

    make_store: MakeStore = our_store
    skews_s: tuple[float, ...] = ()
    page: int = WHOLE
    warm: tuple[int, ...] = ()
    thorough_each: int = 1


class Explorer:
    """Tries all interleavings of `asks` on `scene`, and all crashes."""

    def __init__(self, scene: Scene, asks: Sequence[Ask], setting: Setting | None = None) -> None:
        self._scene, self._asks, self._setting = scene, asks, setting or Setting()
        self._reader = Reader(self._setting.make_store)
        self._next: dict[StateKey, set[StateKey]] = {}
        self.outcomes: set[tuple[int, ...]] = set()
        self.report = Report()

    def explore(self, most_states: int = 1_000_000) -> Report:
        """What was tried, at most about so many states; a Violation carries the steps that led to it as a note."""
        start = self._run().key()
        found, waiting = {start}, [()]
        while waiting and len(found) <= most_states:
            self._follow(waiting.pop(), found, waiting)
        self.report.complete = not waiting
        self.report.states = len(found)
        self.report.interleavings = self._paths(start)
        return self.report

    def sample(self, schedules: int, rng: random.Random, *, overtaking: bool = True) -> Report:
        """So many different random orders, in which parallel reads of one action may overtake each other."""
        tried: set[tuple[tuple[int, int], ...]] = set()
        misses = 0
        while len(tried) < schedules and misses < schedules:
            order = self._wander(rng, overtaking=overtaking)
            misses += order in tried
            tried.add(order)
        self.report.runs = self.report.interleavings = len(tried)
        self.report.complete = False
        return self.report

    def _run(self) -> Run:
        return Run(self._scene, self._asks, self._setting, self._reader)

    def _follow(self, path: tuple[int, ...], found: set[StateKey], waiting: list[tuple[int, ...]]) -> None:
        """Go to the state that `path` leads to, and on through states not seen before; branches go to `waiting`."""
        run = self._run()
        self.report.runs += 1
        with _told(run):
            for who in path:
                run.step(who)
            while True:
                self._check(run)
                after = {who: run.key_after(who) for who in run.able()}
                self._next[run.key()] = set(after.values())
                fresh = [who for who, key in after.items() if key not in found]
                found.update(after.values())
                if not fresh:
                    return
                waiting += [(*path, who) for who in fresh[1:]]
                path = (*path, fresh[0])
                run.step(fresh[0])

    def _wander(self, rng: random.Random, *, overtaking: bool) -> tuple[tuple[int, int], ...]:
        run = self._run()
        order: list[tuple[int, int]] = []
        looks_at = rng.randrange(60)
        with _told(run):
            while able := run.able():
                who = rng.choice(able)
                for _ in range(rng.choice((1, 1, 2, 5))):
                    if run.processes[who].pending:
                        which = rng.randrange(len(run.processes[who].pending)) if overtaking else 0
                        run.step(who, which)
                        order.append((who, which))
                        if len(order) == looks_at:
                            self._check(run)
            self._check(run)
        return tuple(order)

    def _check(self, run: Run) -> None:
        outcome = run.outcome()
        if outcome not in self.outcomes:
            self.outcomes.add(outcome)
            self.report.checks += 1
            each = self._setting.thorough_each
            thorough = each > 0 and (self.report.checks % each == 0 or not run.able())
            check(run.values.held, run.scene, run.acted(), self._setting.make_store, thorough=thorough)

    def _paths(self, start: StateKey) -> int:
        """How many whole interleavings begin in `start` and lead through states that were gone through."""
        counts: dict[StateKey, int] = {}
        waiting = [start]
        while waiting:
            after = self._next.get(waiting[-1])
            if after is None:
                counts[waiting.pop()] = 0
            elif missing := [state for state in after if state not in counts]:
                waiting += missing
            else:
                counts[waiting.pop()] = sum(counts[state] for state in after) if after else 1
        return counts[start]


@contextmanager
def _told(run: Run) -> Generator[None]:
    try:
        yield
    except Violation as violation:
        violation.add_note("\n".join(run.log))
        raise
