"""An index answers what a search that reads every text answers, whatever has come and gone before."""

from math import isclose

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.ranking.affinity import recall
from agent_memory.ranking.document import Document
from agent_memory.ranking.hits import Hit, Ranking
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.recall import Wanted, recall_index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.recipes import DEFAULT, Recipe
from agent_memory.ranking.search import search
from support.documents import NOW, document

WORDS = (
    "nginx", "pool", "Pools", "Deploy", "deployed", "getUserById", "get_user", "user", "café", "支付服务",
    "部署支付服务了", "v2.3.1", "not", "the", "The", "die", "der", "und", "was", "ist", "wird", "it's", "_the_",
    "сервер", "не", "15", "October", "2026", "theatre", "Theater", "--", ".", "a", "q", "don't", "weather", "_",
    "Ines", "aaaaaaa", "when", "Tuesday", "database", "Postgres", "SQLite", "pet", "dog", "puppy", "company", "Busy",
    "pool?", "theatre?", "?", "`pool`", "nginx()", "class",
)  # fmt: skip
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
LONG = [
    "the",
    "nginx",
    "pool",
    "was",
    "too",
    "small",
    "so",
    "we",
    "made",
    "it",
    "much",
    "larger",
    "and",
    "then",
    "it",
    "held",
]


@st.composite
def near_copies(draw: st.DrawFn) -> str:
    at = draw(st.integers(0, len(LONG)))
    more = draw(st.lists(st.sampled_from(["also", "Also", "15", "not", "pool", "!="]), max_size=2))
    rest = " ".join(LONG[at:])
    return " ".join([*LONG[:at], *more, rest.upper() if draw(st.booleans()) else rest] * draw(st.integers(1, 2)))


any_text = st.text(st.characters(codec=None), max_size=60)
queries = texts | any_text | texts.map("What is the purpose of {} and how does it work?".format)
shares = st.floats(0, 1)
# By the second, the shortest texts are long enough to be compared with each other.
recipes = st.sampled_from([DEFAULT, Recipe(long_turns=0.0)])
urls = st.sampled_from([None, "https://a.example/x", "https://b.example/"])


@st.composite
def memories(draw: st.DrawFn, identity: str) -> Document:
    return document(
        identity,
        draw(texts | any_text | near_copies()),
        title=draw(texts),
        tags=tuple(draw(st.lists(st.sampled_from(WORDS), max_size=2))),
        project_id=draw(st.sampled_from([None, "p"])),
        session_id=draw(st.sampled_from([None, "s", "t"])),
        speaker=draw(st.sampled_from([None, "nginx", "Ines"])),
        url=draw(st.sampled_from([None, "https://a.example/x/", "https://a.example/y"])),
        site=draw(st.sampled_from([None, "b.example"])),
        confidence=draw(shares),
        importance=draw(shares),
        retained=draw(shares),
        updated_at=f"2026-02-{draw(st.integers(1, 28)):02}T00:00:00.000Z",
        created_at=f"202{draw(st.integers(5, 6))}-1{draw(st.integers(0, 1))}-{draw(st.integers(10, 20))}T00:00:00.000Z",
    )


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[str, Document | None]]:
    """Memories that are put in, changed and taken out, in some order."""
    names = draw(st.lists(st.sampled_from([f"m{n}" for n in range(8)]), max_size=16))
    return [(name, None if draw(st.integers(0, 4)) == 0 else draw(memories(name))) for name in names]


def same(one: Ranking, other: Ranking) -> bool:
    return (
        (one.verdict, one.why, one.unmatched, one.total) == (other.verdict, other.why, other.unmatched, other.total)
        and len(one.hits) == len(other.hits)
        and all(same_hit(*pair) for pair in zip(one.hits, other.hits, strict=True))
    )


def same_hit(one: Hit, other: Hit) -> bool:
    said = (one.id, one.matched_terms, one.needles, one.related, one.collapsed) == (
        other.id, other.matched_terms, other.needles, other.related, other.collapsed,
    )  # fmt: skip
    return (
        said
        and one.parts.keys() == other.parts.keys()
        and all(isclose(part, other.parts[name], rel_tol=1e-9, abs_tol=1e-9) for name, part in one.parts.items())
    )


@settings(deadline=None, max_examples=300)
@given(changes(), queries, urls, st.integers(1, 3), recipes)
def test_any_order_of_changes_gives_what_reading_every_text_gives(
    steps: list[tuple[str, Document | None]], query: str, url: str | None, every: int, recipe: Recipe
) -> None:
    index, store = Index(), dict[str, Document]()
    for number, (name, memory) in enumerate(steps):
        store.pop(name, None)
        if memory is None:
            index.update(removed=[name])
        else:
            store[name] = memory
            index.update(added=[memory])
        if number % every == 0:
            search_index(index, Ask(query=query, now=NOW, url=url))
    ask = Ask(query=query, now=NOW, url=url, recipe=recipe)
    found = search_index(index, ask)
    assert same(found, search(list(store.values()), query, now=NOW, url=url, recipe=recipe))
    assert search_index(Index(store.values()), ask) == found


@settings(deadline=None, max_examples=200)
@given(changes(), st.none() | queries, urls, st.integers(1, 9))
def test_recall_by_the_index_is_recall_of_every_text(
    steps: list[tuple[str, Document | None]], query: str | None, url: str | None, most: int
) -> None:
    index, store = Index(), dict[str, Document]()
    for name, memory in steps:
        store.pop(name, None)
        if memory is not None:
            store[name] = memory
        index.update(added=[memory] if memory else (), removed=[name])
    expected = recall(list(store.values()), query=query, url=url, now=NOW)
    for first, least in ((None, 0.0), (most, 0.4)):
        wanted = Wanted(query=query, url=url, now=NOW, mask=index.alive(), most=first, least=least)
        found, reaching = recall_index(index, wanted)
        assert found == expected[:first]
        assert reaching == sum(round(one.score, 4) >= least for one in expected)
