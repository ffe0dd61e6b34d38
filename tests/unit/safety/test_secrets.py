import base64
import re

import pytest

from agent_memory.safety.claims import CLAIMS
from agent_memory.safety.kinds import BY_FORM
from agent_memory.safety.secrets import KIND_NAMES, find_secret, redact
from support.benign import SENTENCES, forms
from support.lookalikes import ALL, DISGUISES, FORMS, PROSE, lookalikes, placed, seeded

SEED = 20260301


def test_more_than_forty_kinds_are_known_by_their_form_and_all_patterns_compile() -> None:
    assert len({kind.name for kind in BY_FORM}) >= 40
    for kind in BY_FORM:
        assert re.compile(kind.pattern)
        assert kind.marks
        assert all(mark == mark.lower() for mark in kind.marks) or not kind.around
    for claim in CLAIMS:
        assert re.compile(claim.pattern).groupindex["value"]
    assert len(KIND_NAMES) == len(set(KIND_NAMES))


def test_lookalikes_of_every_kind_are_found_under_every_disguise() -> None:
    missed = {name: list[str]() for name in DISGUISES}
    for kind, name, note in lookalikes(SEED, 2):
        if find_secret(note) is None:
            missed[name].append(kind)
    assert all(len(kinds) <= 0.05 * 2 * len(ALL) for kinds in missed.values()), missed
    assert sum(map(len, missed.values())) <= 0.02 * 2 * len(ALL) * len(DISGUISES), missed


@pytest.mark.parametrize("kind", ALL)
def test_a_lookalike_in_plain_text_is_found(kind: str) -> None:
    r = seeded(SEED)
    notes = [placed(ALL[kind](r), r) for _ in range(15)]
    assert sum(find_secret(note) is not None for note in notes) >= 14


@pytest.mark.parametrize("text", SENTENCES)
def test_a_text_that_only_speaks_of_secrets_is_none(text: str) -> None:
    assert find_secret(text) is None


def test_identifiers_and_digests_are_no_secrets() -> None:
    found = [(text, find_secret(text)) for seed in range(20) for text in forms(seed)]
    assert [text for text, secret in found if secret] == []


@pytest.mark.parametrize("disguise", DISGUISES)
def test_after_redaction_nothing_is_found_and_the_rest_of_the_note_stays(disguise: str) -> None:
    r = seeded(SEED)
    for make in FORMS.values():
        secret = DISGUISES[disguise](make(r), r)
        kept = redact(f"Before it, {secret} and behind it.")
        assert find_secret(kept) is None
        assert kept.startswith("Before it")
        if disguise != "base64":  # a run of base64 is one word with whatever touches it
            assert kept.endswith("behind it."), kept


def test_redaction_names_the_kind_and_removes_the_value() -> None:
    token = FORMS["github"](seeded(SEED))
    assert redact(f"Use {token} for now.") == "Use [redacted:github_token] for now."
    secret = PROSE["password in English"](seeded(SEED))
    assert re.fullmatch(r".*\[redacted:\w+\].?.?.?", redact(secret))


TOKEN = FORMS["github"](seeded(SEED))


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(TOKEN.replace("_", "%5F").encode()).decode(),
        base64.b64encode(TOKEN.replace("_", "&lowbar;").encode()).decode(),
        base64.b64encode(base64.b64encode(TOKEN.encode())).decode(),
        f'{TOKEN[:9]}<a href="x">{TOKEN[9:]}</a>',
        "".join(f"%u{ord(char):04x}" for char in TOKEN),
    ],
)
def test_one_disguise_within_another_is_seen_through(text: str) -> None:
    assert find_secret(f"see {text} there")
    assert find_secret(redact(f"see {text} there")) is None


def test_a_text_without_secrets_is_returned_as_it_is() -> None:
    text = "Deploy on Tuesdays; see 3f786850e387550fdab836ed7e6dc881de23001b."
    assert redact(text) is text


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "password is ",
        "token=x&",
        "://",
        "\"'",
        "a\n",
        "%41",
        "QUJD",
        "eyJabc.",
        "SG.",
        "密码是",
        "a\u200b",
        '"password": {',
        "password|",
        "<password>",
        'value="',
        "&#",
        "\\u",
        "<b",
        "password,b\n",
        "|password|\n|-|\n",
        "password:\n  ",
        "api key\t",
        "%25",
        "&amp;",
        "\\\\",
    ],
)
def test_repeated_beginnings_of_secrets_are_read_through(piece: str) -> None:
    assert find_secret(piece * 3_000) is None
