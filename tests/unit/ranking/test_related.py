"""Memories that lack a word of the query and hold a kind of it, or another word for it."""

import pytest

from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.related import TABLES, is_unlike, related_to
from agent_memory.ranking.related_words import ENGLISH, UNLIKE
from agent_memory.ranking.search import search
from agent_memory.ranking.tokenize import stem, word_terms
from support.documents import NOW, document, documents

NOTES = documents(
    "We chose Postgres for billing.",
    "The office closes at six.",
    "Ines plays the clarinet on Sundays.",
    "The build machine has four cores.",
    "Our puppy is called Rex.",
)


def found(query: str) -> list[str]:
    return [note.content for hit in search(NOTES, query, now=NOW).hits for note in NOTES if note.id == hit.id]


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("Which database do we have?", "We chose Postgres for billing."),
        ("What instrument does Ines like?", "Ines plays the clarinet on Sundays."),
        ("name of the dog", "Our puppy is called Rex."),
    ],
)
def test_a_kind_of_what_is_asked_for_is_found(query: str, content: str) -> None:
    assert found(query)[0] == content


def test_a_hit_says_which_word_it_holds_instead_and_the_word_counts_as_unmatched() -> None:
    ranking = search(NOTES, "Which database do we have?", now=NOW)
    (hit,) = ranking.hits
    assert hit.related == (("database", "Postgres"),)
    assert (hit.matched_terms, hit.needles) == ((), ("Postgres",))
    assert ranking.unmatched == ("database",)


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("Which file contains the routes?", "We run Docker."),
        ("What is related to orders?", "My mother called."),
        ("What does the helper provide?", "We pay AWS monthly."),
        ("Which book did Ines read?", "Authorization is up to the gateway."),
        ("What is her job?", "The account is locked."),
        ("What is the status?", "Dates are in UTC."),
        ("Which clothes?", "The test suite is slow."),
        ("Which company?", "BUSY on Mondays."),
        ("Which instrument does Ines play?", "The organization pays."),
        ("Which movie was it?", "The animal shelter is closed."),
        ("Name of the dog?", "The client retrieves rows."),
        ("Which import?", "Essential for a family."),
    ],
)
def test_what_only_has_the_stem_of_a_related_word_is_none(query: str, content: str) -> None:
    notes = documents(content, "Lunch is at noon.")
    for found in (search(notes, query, now=NOW), search_index(Index(notes), Ask(query=query, now=NOW))):
        assert (found.verdict, found.hits) == ("none", ())


def test_every_word_of_the_tables_may_be_met() -> None:
    for language, table in TABLES.items():
        words = table.replace(":", " ").split()
        assert [word for word in words if is_unlike(word)] == []
        assert [word for word in words if stem(word, language) not in word_terms(word, language)] == []
    assert [
        word for word in UNLIKE.split() if stem(word) not in set(map(stem, ENGLISH.replace(":", " ").split()))
    ] == []


def test_a_word_that_says_two_kinds_is_told_once() -> None:
    (hit,) = search(documents("postgres/redis holds it.", "Lunch is at noon."), "database", now=NOW).hits
    assert hit.related == (("database", "postgres/redis"),)


def test_related_words_alone_make_no_strong_answer() -> None:
    notes = documents("Postgres on AWS in Docker.", *(f"Note {n} on another subject." for n in "abcdef"))
    ranking = search(notes, "database cloud container", now=NOW)
    assert ranking.verdict == "weak"
    assert "partly in other words" in ranking.why


def test_the_word_itself_comes_before_a_related_one() -> None:
    notes = documents("Postgres is here.", "A database is here.", "Redis is here.")
    first, *others = search(notes, "database", now=NOW).hits
    assert first.matched_terms == ("database",)
    assert "related" not in first.parts
    assert [hit.related for hit in others] == [(("database", "Postgres"),), (("database", "Redis"),)]


def test_a_memory_with_the_word_gains_nothing_by_a_related_one() -> None:
    notes = documents("The database is Postgres.", "The database is fast.", "Lunch is at noon.")
    ranking = search(notes, "database", now=NOW)
    assert [hit.related for hit in ranking.hits] == [(), ()]
    assert all("related" not in hit.parts for hit in ranking.hits)


def test_a_word_of_the_query_stands_for_no_other_word_of_it() -> None:
    notes = documents("Postgres is slow today.", "Lunch is at noon.")
    (hit,) = search(notes, "postgres database", now=NOW).hits
    assert (hit.matched_terms, hit.related) == (("postgres",), ())


def test_what_is_asked_for_is_no_kind_of_what_is_said() -> None:
    assert stem("postgres") in related_to(stem("database"), "english")
    assert stem("database") not in related_to(stem("postgres"), "english")
    assert related_to(stem("database"), "dutch") == frozenset()


@pytest.mark.parametrize(
    ("query", "content", "said"),
    [
        ("Welche Datenbank ist das und wer nutzt sie?", "Für die Rechnungen nehmen wir Postgres.", "Postgres"),
        ("Was für ein Haustier hat Ines und wie heißt es?", "Ines hat einen Welpen namens Rex.", "Welpen"),
        ("Quel instrument joue Ines dans le groupe ?", "Ines apprend la clarinette depuis mai.", "clarinette"),
        ("¿Qué mascota tiene la familia de Ines?", "Ines adoptó un cachorro el lunes.", "cachorro"),
    ],
)
def test_other_languages_have_kinds_too(query: str, content: str, said: str) -> None:
    notes = documents(content, "A note on something else.", "Another one, on lunch.")
    (hit, *_) = search(notes, query, now=NOW).hits
    assert said in [word for _, word in hit.related]


def test_words_for_the_same_stand_for_each_other() -> None:
    assert stem("erase") in related_to(stem("delete"), "english")
    assert stem("delete") in related_to(stem("erase"), "english")


def test_a_short_question_of_ours_is_in_our_language() -> None:
    notes = documents("Unser Hund mag keinen Regen.", "Eine Notiz über Mittagessen.")
    (hit, *_) = search(notes, "Wie heißt unser Haustier?", now=NOW).hits
    assert hit.related == (("haustier", "Hund"),)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Urlaub", "Urlaubsanträge gehen an die Leitung."),
        ("Datenbank", "Die Kundendatenbank liegt in Berlin."),
        ("Rechnungen", "Der Rechnungsversand ist am Montag."),
        ("database", "The metadatabase is read only."),
        ("Möbel", "Gartenmöbel stehen draußen."),
        ("Größe", "Die Schuhgröße ist 42."),
        ("house", "The warehouse is full."),
    ],
)
def test_where_nothing_else_fits_a_word_is_found_inside_a_longer_one(query: str, text: str) -> None:
    others = [document("b", "Deploys are forbidden on Fridays."), document("c", "Das Archiv ist voll.")]
    ranking = search([document("a", text), *others], query, now=NOW)
    assert (ranking.verdict, [hit.id for hit in ranking.hits]) == ("weak", ["a"])
    assert ranking.hits[0].related[0][0] == query.casefold()
    assert search(others, query, now=NOW).verdict == "none"


def test_what_is_no_word_of_a_longer_one_is_not_found_in_it() -> None:
    others = documents("It is winter.", "The intern left.", "See section interx.", "The migration needs permission.")
    for query in ("inter", "ratio", "mission"):
        assert search(others, query, now=NOW).verdict == "none"


def test_words_of_other_rows_hide_no_compound() -> None:
    words = [f"Urlaubs{first}{second}wort" for first in "bcdfghklmnprstvw" for second in "bcdfghklmnprstvw"]
    index = Index(documents("Urlaubsantrag stellen", *words))
    mask = index.alive()
    mask[1:] = False
    assert [hit.id for hit in search_index(index, Ask(query="Urlaub", now=NOW, mask=mask)).hits] == ["m0"]
