"""A memory and its record."""

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.models.identity import dedupe_digest, fold
from agent_memory.models.memory import Part, from_record, hash_content, to_record
from agent_memory.models.revision import from_body, to_body
from agent_memory.models.vocabulary import Channel, MemoryType, Source, State, Trust
from agent_memory.store.codec import encode
from support.revisions import after, first, make_memory

FULL = replace(
    make_memory(),
    url="https://a.example.com/x",
    site="a.example.com",
    memory_type=MemoryType.DECISION,
    tags=("a", "b"),
    confidence=0.25,
    importance=0.75,
    category="ops",
    source=Source.CRAWL,
    channel=Channel.CONSOLE,
    trust=Trust.LOW,
    project_id="shop",
    session_id="s-1",
    related_urls=("https://b.example.com/",),
    pinned=True,
    part=Part(document_id="doc-1", index=2, start=10, end=20, tokens=5, heading="H"),
    metadata={"k": [1, {"x": None}]},
    extra={"mood": "calm"},
)


def test_a_record_is_read_back_as_the_same_memory() -> None:
    assert from_record(to_record(FULL)) == FULL
    assert from_record(to_record(make_memory())) == make_memory()


def test_unknown_fields_are_kept_and_never_hide_known_ones() -> None:
    record = to_record(replace(FULL, extra={"mood": "calm", "content": "fake", "id": "fake"}))

    assert record["content"] == FULL.content
    assert record["id"] == FULL.id
    assert dict(record)["mood"] == "calm"


def test_only_the_caller_knows_whether_it_is_archived() -> None:
    assert to_record(FULL, archived=True)["archived"] is True
    assert to_record(FULL)["archived"] is False


@given(st.text())
def test_the_content_hash_is_the_beginning_of_sha_256(content: str) -> None:
    expected = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    assert expected.startswith(hash_content(content))
    assert len(hash_content(content)) == 16


@pytest.mark.parametrize("missing", ["id", "content", "createdAt", "memoryType", "tags", "metadata"])
def test_a_record_without_a_field_is_no_memory(missing: str) -> None:
    record = {name: value for name, value in to_record(FULL).items() if name != missing}

    with pytest.raises(KeyError):
        from_record(record)


def test_a_revision_is_read_back_as_it_was_written() -> None:
    base = encode(first())
    for revision in (base.revision, after(base, state=State.FORGOTTEN), after(base, state=State.ARCHIVED)):
        assert from_body(to_body(revision)) == revision


def test_a_revision_of_a_later_format_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="format 99"):
        from_body({**to_body(first()), "format": 99})


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  a   b\n\nc  ", "a b c"),
        ("cafe\u0301", "caf\u00e9"),
        ("x\n```\n  a   b\n```\ny   z", "x ```\n  a   b\n``` y z"),
        ("\u3000全角\u3000空白", "全角 空白"),
    ],
)
def test_runs_of_space_are_one_outside_fenced_code(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.lists(st.text("ab~`", min_size=1, max_size=2), min_size=1), st.sampled_from([" ", "\n", "\t  ", "\u3000"]))
def test_the_kind_of_space_between_words_does_not_matter(words: list[str], space: str) -> None:
    assert fold(space.join(words)) == fold(" ".join(words)) == " ".join(words)


@pytest.mark.parametrize(
    "change",
    [
        {"project_id": "other"},
        {"session_id": None},
        {"url": None},
        {"memory_type": MemoryType.FACT},
        {"content": "Port 1 is shut."},
    ],
)
def test_whatever_identifies_a_memory_changes_its_digest(change: dict[str, object]) -> None:
    assert dedupe_digest(replace(FULL, **change)) != dedupe_digest(FULL)  # pyright: ignore[reportArgumentType]  # a table of mixed fields


@pytest.mark.parametrize(
    "change",
    [{"tags": ()}, {"title": "other"}, {"confidence": 0.1}, {"metadata": {}}, {"id": "m-2"}, {"source": Source.HUMAN}],
)
def test_what_does_not_identify_a_memory_leaves_its_digest(change: dict[str, object]) -> None:
    assert dedupe_digest(replace(FULL, **change)) == dedupe_digest(FULL)  # pyright: ignore[reportArgumentType]  # a table of mixed fields


def test_every_word_of_a_list_says_what_it_means() -> None:
    for words in (MemoryType, Source, Channel, Trust, State):
        for word in words:
            assert word.meaning.endswith(".")
            assert str(word) == word.value
