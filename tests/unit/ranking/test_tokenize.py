import pytest

from agent_memory.ranking.forms import FORMS
from agent_memory.ranking.tokenize import split_words, stem, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("atomic_write_json", ["atomic_write_json", "atom", "write", "json"]),
        ("getUserById", ["getuserbyid", "get", "user", "id"]),
        ("src/api/auth.py:42", ["src/api/auth.py:42", "src", "sourc", "api", "auth.py", "authent", "python", "42"]),
        ("E0308", ["e0308", "0308"]),
        ("v2.3.1", ["v2.3.1", "2.3.1"]),
        ("ECONNRESET", ["econnreset"]),
        ("C++", ["c++"]),
        ("node.js", ["node.js", "node", "javascript"]),
        ("k8s", ["k8s", "kubernet"]),
        ("pre-edit", ["pre-edit", "pre", "edit"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("CI DB", ["ci", "databas"]),
    ],
)
def test_an_identifier_is_kept_whole_first_and_split_after(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe\u0301"),
        ("café", "cafe"),
        ("Straße", "STRASSE"),
        ("İstanbul", "istanbul"),
        ("ISPARTA", "ısparta"),
        ("Ｎｇｉｎｘ", "nginx"),
        ("Развёртывание", "развертывания"),
        ("ΑΘΗΝΑ", "Αθήνα"),
        ("مَدْرَسَة", "مدرسة"),
        ("deployments", "Deployed"),
        ("Mira's", "mira"),
        ("Mira’s", "Mira's"),
    ],
)
def test_ways_to_write_one_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("支付服务", ["支付", "付服", "服务"]),
        ("重启nginx后恢复", ["重启", "nginx", "后恢", "恢复"]),
        ("港", ["港"]),
        ("サーバー", ["サー", "ーバ", "バー"]),
        ("서버", ["서버"]),
        ("ก่อน", ["ก่อ", "อน"]),
    ],
)
def test_scripts_without_spaces_become_pairs_of_characters(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_blessing_of_one_character_is_a_short_word_of_its_own() -> None:
    assert split_words("قال محمد\ufdfa هذا") == ["قال", "محمد", "صلعم", "هذا"]
    assert split_words("\ufdfa" * 3) == ["صلعم"] * 3


def test_marks_belong_to_the_words_of_their_script() -> None:
    assert split_words("हिन्दी में सर्वर") == ["हिन्दी", "में", "सर्वर"]


@pytest.mark.parametrize(
    "text",
    [
        "the of and",
        "Ist es noch nicht da?",
        "Что это было?",
        "don't",
        "",
        "*",
        "\\",
        "🙂 👩‍👩‍👧",
        "\ud800",
        "\x00",
        "___",
    ],
)
def test_common_words_and_what_is_no_word_give_no_term(text: str) -> None:
    assert terms(text) == []


def test_each_language_loses_its_own_common_words_only() -> None:
    assert terms("die Datenbank war nicht da") == ["datenbank"]
    assert "die" in terms("the process should die when the parent does")


def test_a_word_with_a_digit_is_never_stemmed() -> None:
    assert stem("routes53") == "routes53"
    assert stem("routes") == "rout"


def test_a_run_of_identifiers_of_any_length_is_split_without_repeats() -> None:
    assert terms("ab." * 50_000 + "ab") == ["ab"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("went", "going"),
        ("bought", "buys"),
        ("children", "kid"),
        ("indices", "index"),
        ("dict", "dictionaries"),
        ("get_db_conn", "get database connections"),
        ("photo", "pics"),
    ],
)
def test_irregular_and_short_forms_are_the_same_terms(one: str, other: str) -> None:
    assert set(terms(other, "english")) <= set(terms(one, "english"))


def test_forms_belong_to_their_language() -> None:
    assert stem("bat", "german") == "bat"
    assert stem("dir", "german") != stem("directory", "german")


def test_no_form_stands_for_another_form() -> None:
    for table in FORMS.values():
        assert not set(table.values()) & table.keys()
        assert all(form == form.casefold() and word for form, word in table.items())
