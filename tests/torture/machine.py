"""A store against a plain model of it, a dict: any sequence of actions answers as the model says."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from support.world import World

from .loop import finish

TEXTS = st.sampled_from(["Port 1 is open.", "Port 2 is open.", "Port  2 is open.\n", "今天部署", "Keys rotate weekly."])
PROJECTS = st.sampled_from([None, "a", "b"])
KEYS = st.sampled_from([None, None, "k-1", "k-2"])
TAGS = st.lists(st.sampled_from(["x", "y", "z"]), unique=True, max_size=2)
PATCHES = st.dictionaries(st.sampled_from(["p", "q"]), st.one_of(st.none(), st.integers(0, 3)), max_size=2)


@dataclass
class Known:
    """What the model knows of one memory."""

    content: str
    project: str | None
    tags: list[str] = field(default_factory=list[str])
    metadata: dict[str, int] = field(default_factory=dict[str, int])
    forgotten: bool = False
    purged: bool = False

    @property
    def gone(self) -> bool:
        return self.forgotten or self.purged

    def same(self, text: str, project: str | None) -> bool:
        return not self.gone and self.project == project and self.content.split() == text.split()


class Actions(RuleBasedStateMachine):
    """Random lives of a store; `steps` counts the actions of all of them."""

    steps: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.known: dict[str, Known] = {}
        self.keys: dict[str, tuple[str, tuple[str, str | None]]] = {}

    def ask(self, action: str, **fields: Any) -> dict[str, Any]:
        Actions.steps += 1
        return finish(self.world.ask(action, **fields))

    def pick(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(list(self.known)))

    @initialize()
    def begin(self) -> None:
        assert self.ask("stats")["totalMemories"] == 0

    @rule(text=TEXTS, project=PROJECTS, key=KEYS)
    def remember(self, text: str, project: str | None, key: str | None) -> None:
        body = self.ask("remember", content=text, projectId=project, idempotencyKey=key)
        if key in self.keys:
            memory_id, asked = self.keys[key]
            if asked != (text, project) or self.known[memory_id].gone:
                assert body["error"]["code"] == "conflict"
            else:
                assert (body["status"], body["memory"]["id"]) == ("replayed", memory_id)
            return
        twins = [i for i, known in self.known.items() if known.same(text, project)]
        memory_id = body["memory"]["id"]
        if twins:
            assert body["status"] == "duplicate"
            assert memory_id in twins
        else:
            assert body["status"] == "created"
            assert memory_id not in self.known
            self.known[memory_id] = Known(text, project)
        if key is not None:
            self.keys[key] = (memory_id, (text, project))

    @rule(texts=st.lists(TEXTS, min_size=1, max_size=4), project=PROJECTS)
    def remember_many(self, texts: list[str], project: str | None) -> None:
        body = self.ask("remember", memories=[{"content": text} for text in texts], projectId=project)
        for text, result in zip(texts, body["results"], strict=True):
            twins = [i for i, known in self.known.items() if known.same(text, project)]
            assert result["status"] == ("duplicate" if twins else "created")
            assert not twins or result["memoryId"] in twins
            self.known.setdefault(result["memoryId"], Known(text, project))

    @precondition(lambda self: bool(self.known))
    @rule(data=st.data(), text=st.one_of(st.none(), TEXTS), tags=st.one_of(st.none(), TAGS), patch=PATCHES)
    def update(
        self, data: st.DataObject, text: str | None, tags: list[str] | None, patch: dict[str, int | None]
    ) -> None:
        memory_id = self.pick(data)
        details: dict[str, Any] = {"metadata": patch} if patch else {}
        details |= {} if tags is None else {"tags": tags}
        body = self.ask("update", memoryId=memory_id, content=text, memoryDetails=details)
        known = self.known[memory_id]
        if text is None and not details:
            assert body["error"]["code"] == "invalid_request"
        elif known.gone:
            assert body["error"]["code"] == "not_found"
        else:
            assert body["ok"], body
            known.content = known.content if text is None else text
            known.tags = known.tags if tags is None else tags
            known.metadata = {n: v for n, v in {**known.metadata, **patch}.items() if v is not None}

    @precondition(lambda self: bool(self.known))
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        memory_id = self.pick(data)
        body = self.ask("forget", memoryId=memory_id)
        assert body["ok"] is not self.known[memory_id].gone
        self.known[memory_id].forgotten = True

    @precondition(lambda self: bool(self.known))
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        memory_id = self.pick(data)
        body = self.ask("restore", memoryId=memory_id)
        assert body["ok"] is not self.known[memory_id].purged
        self.known[memory_id].forgotten = False

    @precondition(lambda self: bool(self.known))
    @rule(data=st.data())
    def purge(self, data: st.DataObject) -> None:
        memory_id = self.pick(data)
        body = self.ask("purge", memoryId=memory_id, confirm=f"DELETE {memory_id}")
        assert body["ok"] is not self.known[memory_id].purged
        self.known[memory_id].purged = True

    @precondition(lambda self: bool(self.known))
    @rule(data=st.data())
    def get(self, data: st.DataObject) -> None:
        memory_id = self.pick(data)
        body = self.ask("get", memoryId=memory_id)
        known = self.known[memory_id]
        if known.gone:
            assert body["error"]["code"] == "not_found"
            return
        memory = body["memories"][0]
        told = (memory["content"], memory["projectId"], memory["tags"], memory["metadata"])
        assert told == (known.content, known.project, known.tags, known.metadata)

    @rule(project=PROJECTS)
    def recall(self, project: str | None) -> None:
        body = self.ask("recall", projectId=project, maxResults=1000)
        shown = {memory["id"] for memory in body["memories"]}
        assert shown == {
            i for i, k in self.known.items() if not k.gone and (project is None or k.project in (None, project))
        }

    @rule(days=st.integers(1, 400))
    def wait(self, days: int) -> None:
        self.world.wait(days=days)

    @rule()
    def tidy(self) -> None:
        assert self.ask("prune")["pruned"] == 0

    @invariant()
    def counted(self) -> None:
        stats = self.ask("stats")
        living = sum(not known.gone for known in self.known.values())
        forgotten = sum(known.forgotten and not known.purged for known in self.known.values())
        assert (stats["totalMemories"], stats["forgotten"]) == (living, forgotten)
        assert stats["warnings"] == []
