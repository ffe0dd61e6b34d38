"""Every id of a memory store gets a legal storage name of its own."""

import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.store.names import slug, storage_name, store_digest

LEGAL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")


def random_id(random: random.Random) -> str:
    alphabet = random.choice(["ab", "abcXYZ -_~.", "项目проектέργο", "\U0001f600\u200dÅå\u0301", "\x00\n\t/\\:*?"])
    return "".join(random.choice(alphabet) for _ in range(random.choice([1, 3, 20, 70, 200])))


def test_twenty_thousand_ids_get_names_of_their_own_that_are_legal() -> None:
    source = random.Random(20_260_301)  # the same ids in every run
    ids = {unicodedata.normalize("NFC", random_id(source)) for _ in range(20_000)}
    ids |= {"x" * 199 + c for c in "abcdefgh"} | {f"{'y' * 63}{n}" for n in range(100)}

    names = {storage_name(store_id) for store_id in ids}

    assert len(names) == len(ids)
    assert all(LEGAL.fullmatch(name) and len(name) <= 63 for name in names)
    assert len({name.lower() for name in names}) == len(ids)
    assert "default" not in names


@given(st.text(min_size=1, max_size=200))
def test_any_id_gets_a_legal_name(store_id: str) -> None:
    name = storage_name(store_id)

    assert LEGAL.fullmatch(name)
    assert "--" not in name
    assert 30 <= len(name) <= 51


@given(st.text(max_size=40), st.text(max_size=40))
def test_two_ids_share_a_name_only_when_they_are_the_same_text(one: str, other: str) -> None:
    same = unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
    assert (storage_name(one) == storage_name(other)) is same


@pytest.mark.parametrize(
    ("store_id", "expected"),
    [
        ("acme~site-memory-agent", "acme-site-memory-age"),
        ("Café  Ünïcode", "cafe-unicode"),
        ("项目", ""),
        ("--a--b--", "a-b"),
        ("a" * 19 + "-bc", "a" * 19),
    ],
)
def test_the_slug_is_what_a_person_recognises(store_id: str, expected: str) -> None:
    assert slug(store_id) == expected


def test_names_never_change_between_versions() -> None:
    assert storage_name("acme~notes") == "mem-acme-notes-kg5b4n4d5mz3xjr6cgfc3pphyt"
    assert len(store_digest("anything")) == 26
