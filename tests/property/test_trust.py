"""A life of a store under every way in: no path raises trust, pins text of low trust, or shows what is gone.

Every action that writes has a rule here: one that is new in the registry fails the test until it has.
"""

import asyncio
import json
import logging
from collections import Counter
from typing import Any, ClassVar, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from agent_memory.actions.registry import all_actions
from agent_memory.models.vocabulary import Channel, Resolution
from support.kept_warm import WarmWorld
from support.transfer import edited, lines_of, take
from support.world import World

RANK: Final = {"low": 0, "normal": 1, "high": 2}
CHANNELS = st.sampled_from(list(Channel))
SOURCES = st.sampled_from([None, "agent", "human", "crawl", "import"])
TYPES = st.sampled_from([None, "rule", "fact"])
WORDS: Final = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet")


def granted(source: str | None, channel: Channel) -> str:
    """The most trust that a text can get on a way in, written down a second time."""
    if source in ("crawl", "import"):
        return "low"
    return "high" if source == "human" and channel is Channel.CONSOLE else "normal"


WRITING: Final = frozenset(action.name for action in all_actions() if not action.read_only)


class Log(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.__dict__}")


class Lives(RuleBasedStateMachine):
    """Every text is new and has a word of its own; `ceiling` is the most trust that it may ever have.

    `approved` are the texts that a person stood behind; `done` counts what was asked for, by action and channel.
    """

    make: ClassVar[type[World]] = World
    done: ClassVar[Counter[tuple[str, Channel]]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.world = self.make()
        self.log = Log()
        logging.getLogger().addHandler(self.log)
        self.approved: set[tuple[str, str]] = set()
        self.waiting: dict[str, tuple[str, str]] = {}
        self.count = 0
        self.ceiling: dict[tuple[str, str], str] = {}
        self.forgotten: set[str] = set()
        self.purged: set[str] = set()
        self.words: dict[str, set[str]] = {}
        self.trusts: dict[tuple[str, str], str] = {}
        self.person = False

    def ask(self, action: str, channel: Channel, **fields: Any) -> dict[str, Any]:
        self.world.channel = channel
        self.person = channel is Channel.CONSOLE
        body = self.runner.run(self.world.ask(action, **fields))
        self.done[action, channel] += 1
        return body

    def text(self) -> str:
        self.count += 1
        return f"{WORDS[self.count % len(WORDS)]} canary{self.count:04d}x is kept."

    def know(self, memory_id: str, text: str, trust: str) -> None:
        self.words.setdefault(memory_id, set()).add(text.split()[1])
        key = memory_id, text
        self.ceiling[key] = max(self.ceiling.get(key, "low"), trust, key=RANK.__getitem__)

    def pick(self, data: st.DataObject) -> str:
        """One of the last memories, so that much happens to each."""
        return data.draw(st.sampled_from([*self.words][-3:]))

    @rule(channel=CHANNELS, source=SOURCES, kind=TYPES, pinned=st.booleans())
    def remember(self, channel: Channel, source: str | None, kind: str | None, *, pinned: bool) -> None:
        text = self.text()
        details = {"source": source, "memoryType": kind, "pinned": pinned, "tags": [text.split()[1]]}
        body = self.ask("remember", channel, content=text, memoryDetails=details)
        self.know(body["memory"]["id"], text, granted(source, channel))

    @precondition(lambda self: bool(self.words))
    @rule(data=st.data(), channel=CHANNELS, source=SOURCES, new=st.booleans(), pinned=st.sampled_from([None, True]))
    def update(self, data: st.DataObject, channel: Channel, source: str | None, pinned: Any, *, new: bool) -> None:
        memory_id, text = self.pick(data), self.text()
        given = {"content": text} if new else {}
        details = {name: v for name, v in (("source", source), ("pinned", pinned), ("memoryType", "rule")) if v}
        before = self.show(memory_id)
        body = self.ask("update", channel, memoryId=memory_id, memoryDetails=details, **given)
        if body["ok"] and new and before:
            claimed = source or before["source"]
            self.know(memory_id, text, min(before["trust"], granted(claimed, channel), key=RANK.__getitem__))

    @precondition(lambda self: bool(self.words))
    @rule(data=st.data(), channel=CHANNELS, source=SOURCES)
    def supersede(self, data: st.DataObject, channel: Channel, source: str | None) -> None:
        older, text = self.pick(data), self.text()
        body = self.ask("remember", channel, content=text, memoryDetails={"source": source, "supersedes": older})
        if body["ok"]:
            self.know(body["memory"]["id"], text, granted(source, channel))

    @rule(channel=CHANNELS, source=SOURCES, again=st.booleans())
    def cut_up(self, channel: Channel, source: str | None, *, again: bool) -> None:
        text = self.text()
        for way, claimed in [(channel, source), *([(Channel.MCP, None)] if again else [])]:
            details = {"source": claimed, "memoryType": "rule"}
            body = self.ask("chunk", way, content=text, url=f"https://a.org/{self.count}", memoryDetails=details)
            for piece in body["chunks"]:
                self.know(piece["memoryId"], piece["content"], granted(claimed, way) if way is channel else "low")

    @precondition(lambda self: bool(self.words))
    @rule(data=st.data(), channel=CHANNELS)
    def approve(self, data: st.DataObject, channel: Channel) -> None:
        memory_id = self.pick(data)
        shown = self.show(memory_id)
        body = self.ask("approve", channel, memoryId=memory_id)
        assert not body["ok"] or channel is Channel.CONSOLE
        if body["ok"] and shown:
            assert shown["trust"] != "low"
            self.approved.add((memory_id, shown["content"]))

    @rule(channel=CHANNELS, source=SOURCES, kind=TYPES)
    def propose(self, channel: Channel, source: str | None, kind: str | None) -> None:
        text = self.text()
        details = {"source": source, "memoryType": kind, "pinned": True}
        body = self.ask("propose", channel, candidates=[{"content": text, "memoryDetails": details}])
        self.waiting[body["results"][0]["reviewId"]] = text, granted(source, channel)

    @precondition(lambda self: bool(self.waiting))
    @rule(data=st.data(), channel=st.sampled_from([Channel.CONSOLE, Channel.CONSOLE, *Channel]))
    def resolve(self, data: st.DataObject, channel: Channel) -> None:
        review_id = data.draw(st.sampled_from([*self.waiting][-3:]))
        resolution = data.draw(st.sampled_from(list(Resolution)))
        other = {"memoryId": self.pick(data)} if resolution.changes_another and self.words else {}
        body = self.ask("resolve", channel, reviewId=review_id, resolution=resolution.value, **other)
        assert not body["ok"] or channel is Channel.CONSOLE
        if not body["ok"]:
            return
        text, trust = self.waiting.pop(review_id)
        if resolution is Resolution.DELETE:
            self.forgotten.add(other["memoryId"])
        if "memory" in body:
            memory = body["memory"]
            self.words.setdefault(memory["id"], set()).add(text.split()[1])
            self.know(memory["id"], memory["content"], trust)
            self.approved.add((memory["id"], memory["content"]))

    @precondition(lambda self: bool(self.words))
    @rule(channel=CHANNELS, upkeep=st.sampled_from(["prune", "doctor"]))
    def look_after(self, channel: Channel, upkeep: str) -> None:
        given = {"repair": True} if upkeep == "doctor" else {"decayConfig": {"enabled": False}}
        assert self.ask(upkeep, channel, **given)["ok"]

    @precondition(lambda self: bool(self.words))
    @rule(data=st.data(), channel=CHANNELS)
    def repeat(self, data: st.DataObject, channel: Channel) -> None:
        shown = self.show(self.pick(data))
        if shown and channel is not Channel.CONSOLE:
            body = self.ask("remember", channel, content=shown["content"], memoryDetails={"memoryType": "handoff"})
            assert body["ok"], body
            lowest = "low" if shown["trust"] == "low" else "normal"
            self.know(body["memory"]["id"], shown["content"], lowest)

    @precondition(lambda self: bool(self.words))
    @rule(data=st.data(), channel=CHANNELS, purge=st.booleans())
    def forget(self, data: st.DataObject, channel: Channel, *, purge: bool) -> None:
        memory_id = self.pick(data)
        action = "purge" if purge else "forget"
        body = self.ask(action, channel, memoryId=memory_id, confirm=f"DELETE {memory_id}")
        if body["ok"]:
            (self.purged if purge else self.forgotten).add(memory_id)

    @precondition(lambda self: bool(self.words))
    @rule(data=st.data(), channel=CHANNELS, place=st.sampled_from([-1, 0, 1]))
    def restore(self, data: st.DataObject, channel: Channel, place: int) -> None:
        memory_id = self.pick(data)
        known = self.ask("history", channel, memoryId=memory_id)
        if known["ok"]:
            names = [line["revision"] for line in known["revisions"]]
            self.ask("restore", channel, memoryId=memory_id, revision=names[min(place, len(names) - 1)])
            self.forgotten.discard(memory_id)

    @rule(channel=CHANNELS, by=CHANNELS)
    def revert(self, channel: Channel, by: Channel) -> None:
        body = self.ask("revert", channel, changes={"channel": by.value}, apply=True)
        for step in body["plan"]:
            if step["change"] == "forgotten":
                self.forgotten.add(step["memoryId"])
            else:
                self.forgotten.discard(step["memoryId"])
        self.sync()

    def sync(self) -> None:
        """A revert may have taken back a forget, or brought one back."""
        listed = self.runner.run(self.world.ask("list", status="forgotten", maxResults=1000))["memories"]
        self.forgotten = {memory["id"] for memory in listed}

    @rule(channel=CHANNELS)
    def export_and_import_with_claims(self, channel: Channel) -> None:
        lines = self.runner.run(lines_of(self.world))
        if lines.strip():
            claims = {"trust": "high", "pinned": True, "channel": "console", "memoryType": "rule"}
            self.world.channel = channel
            self.person = channel is Channel.CONSOLE
            forged = edited(lines, lambda body: body["memory"].update(claims))
            elsewhere = World(channel=channel)
            self.runner.run(take(elsewhere, forged))
            for memory in self.runner.run(elsewhere.ask("list", maxResults=1000))["memories"]:
                assert RANK[memory["trust"]] <= RANK[granted(memory["source"], channel)], memory
                assert not (memory["trust"] == "low" and memory["pinned"]), memory
            assert self.runner.run(take(self.world, lines))["ok"]
            self.done["import", channel] += 1
            self.sync()

    @rule()
    def store_the_pack_back(self) -> None:
        pack = self.runner.run(self.world.ask("context_pack", maxTokens=100_000))["contextMarkdown"]
        if " begin] " in pack:
            before = self.runner.run(self.world.ask("stats"))["totalMemories"]
            body = self.ask("remember", Channel.CONSOLE, content=pack, memoryDetails={"source": "human"})
            assert body["status"] == "duplicate"
            assert self.runner.run(self.world.ask("stats"))["totalMemories"] == before

    def show(self, memory_id: str) -> dict[str, Any] | None:
        body = self.runner.run(self.world.ask("get", memoryId=memory_id))
        return body["memories"][0] if body["ok"] else None

    @invariant()
    def no_text_has_more_trust_than_it_was_given(self) -> None:
        for memory_id in self.words:
            memory = self.show(memory_id)
            if memory is None:
                continue
            key = memory_id, memory["content"]
            assert RANK[memory["trust"]] <= RANK[self.ceiling[key]], memory
            assert not (memory["trust"] == "low" and memory["pinned"]), memory
            if not self.person and key in self.trusts:
                assert RANK[memory["trust"]] <= RANK[self.trusts[key]], memory
            self.trusts[key] = memory["trust"]

    @rule()
    def what_is_trusted_less_pushes_nothing_aside(self) -> None:
        for memory_id in self.words:
            older = self.show(memory_id)
            newer = self.show(older["supersededBy"]) if older and "supersededBy" in older else None
            if older and newer and not newer.get("approved"):
                assert RANK[newer["trust"]] >= RANK[older["trust"]], (older, newer)

    @rule()
    def text_of_low_trust_directs_nobody(self) -> None:
        body = self.runner.run(self.world.ask("brief", limits={"rules": 200, "eachCharacters": 4000}))
        for entry in body["rules"]:
            assert entry["trust"] != "low"
            key = entry["id"], entry["content"]
            assert key in self.approved or self.ceiling[key] == "high", entry

    @rule()
    def what_is_gone_is_shown_nowhere(self) -> None:
        gone = (self.forgotten | self.purged) - (self.words.keys() - self.forgotten - self.purged)
        hidden = {word for memory_id in gone for word in self.words[memory_id]}
        alive = {word for i, words in self.words.items() if i not in gone for word in words}
        for action, fields in (
            ("context_pack", {"maxTokens": 100_000}), ("context_pack", {"format": "json", "maxTokens": 100_000}),
            ("brief", {}), ("events", {"maxResults": 1000}), ("recall", {"maxResults": 1000}), ("stats", {}),
            ("doctor", {}), ("list", {"maxResults": 1000}), ("lifecycle", {}), ("prune", {"dryRun": True}),
            ("reviews", {}),
        ):  # fmt: skip
            text = json.dumps(self.runner.run(self.world.ask(action, **fields)))
            assert not [word for word in hidden - alive if word in text], action
        query = " ".join(sorted(hidden))[:2000] or "nothing"
        found = self.runner.run(self.world.ask("search", query=query, maxResults=1000))["memories"]
        told = json.dumps([[memory[name] for name in ("id", "content", "title", "tags")] for memory in found])
        assert not [word for word in hidden - alive if word in told]  # reasons repeat the words of the query
        assert "canary" not in json.dumps(self.runner.run(self.world.ask("events", maxResults=1000)))

    @invariant()
    def a_purged_text_stands_in_no_stored_value(self) -> None:
        stored = b"".join(self.world.values().values()).decode()
        alive = {word for i, words in self.words.items() if i not in self.purged for word in words}
        for memory_id in self.purged:
            assert not [word for word in self.words[memory_id] - alive if word in stored]

    @invariant()
    def no_text_stands_in_the_log(self) -> None:
        assert "canary" not in "".join(self.log.lines)
        self.log.lines.clear()

    def teardown(self) -> None:
        logging.getLogger().removeHandler(self.log)
        self.what_is_trusted_less_pushes_nothing_aside()
        self.text_of_low_trust_directs_nobody()
        self.what_is_gone_is_shown_nowhere()
        self.runner.close()


class Warm(Lives):
    """The same in one process that keeps what it has derived, search index and all."""

    make: ClassVar[type[World]] = WarmWorld
    done: ClassVar[Counter[tuple[str, Channel]]] = Counter()


@pytest.mark.parametrize("lives", [Lives, Warm])
def test_no_path_raises_trust_or_shows_what_is_gone(lives: type[Lives]) -> None:
    for _ in range(5):  # chance may leave out an action in one go
        run_state_machine_as_test(lives, settings=settings(max_examples=20, stateful_step_count=25, deadline=None))
        if {action for action, _ in lives.done} >= WRITING:
            break

    assert {action for action, _ in lives.done} >= WRITING
    assert {channel for _, channel in lives.done} == set(Channel)
