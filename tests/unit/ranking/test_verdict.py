import pytest

from agent_memory.ranking.query import parse_query
from agent_memory.ranking.recipes import DEFAULT
from agent_memory.ranking.search import search
from agent_memory.ranking.verdict import Strength, coverage, judge, strongest, units
from support.documents import NOW, document


def share(query: str, *held: str, containing: int = 1) -> float:
    wanted = units(parse_query(query), dict.fromkeys(held, containing), 100)
    return coverage(wanted, (dict.fromkeys(held, 1.0), ()), 100, DEFAULT.related)


def test_a_memory_with_every_word_covers_the_query_and_one_with_none_nothing() -> None:
    assert share("nginx pool", "nginx", "pool") == pytest.approx(1.0)
    assert share("nginx pool") == 0.0


def test_a_frequent_word_covers_less_than_a_rare_one() -> None:
    assert share("nginx zebra", "nginx", containing=60) < share("nginx zebra", "nginx", containing=1)


def test_a_word_of_everyday_talk_covers_little() -> None:
    assert share("used nginx", "use") < share("used nginx", "nginx") / 2


def test_parts_of_an_identifier_cover_it_where_no_memory_has_it_whole() -> None:
    assert share("getUserById", "get", "user", "id") == pytest.approx(1.0)


def test_a_very_long_query_need_not_be_held_whole() -> None:
    many = " ".join(f"subject{letter}" for letter in "abcdefghijklmnopqrst")
    held = parse_query(many).words[:8]
    assert share(many, *(word.terms[0] for word in held)) > 0.8


def test_an_identifier_of_which_a_part_is_in_no_memory_is_not_covered_by_the_others() -> None:
    assert share("importPk", "import", containing=60) < 0.5
    assert (
        share("purpose of importPk", "import")
        < DEFAULT.strong
        < share("purpose of importPk", "importpk", "import", "pk")
    )


@pytest.mark.parametrize(
    ("held", "firm"),
    [
        (("qualiti", "work"), False),
        (("qualiti", "memori"), True),
        (("work",), False),
    ],
)
def test_one_telling_word_of_several_makes_no_firm_answer(held: tuple[str, ...], *, firm: bool) -> None:
    every = {"qualiti": 1, "memori": 3, "work": 90}
    wanted = units(parse_query("how does the memory quality work"), every, 100)
    assert strongest(wanted, [(dict.fromkeys(held, 1.0), ())], 100, DEFAULT).firm is firm


def test_the_only_telling_word_of_a_query_makes_a_firm_answer() -> None:
    wanted = units(parse_query("what is nginx used for"), {"nginx": 1}, 100)
    assert strongest(wanted, [({"nginx": 1.0}, ())], 100, DEFAULT).firm


@pytest.mark.parametrize(
    ("share_held", "firm", "telling", "verdict"),
    [
        (0.0, False, False, "none"),
        (0.1, False, True, "none"),
        (0.3, False, True, "weak"),
        (0.9, True, False, "weak"),
        (0.9, False, True, "weak"),
        (0.9, True, True, "strong"),
    ],
)
def test_the_verdict_follows_the_share_held_and_whether_telling_words_matched(
    *, share_held: float, firm: bool, telling: bool, verdict: str
) -> None:
    assert judge(Strength(share=share_held, firm=firm), (), DEFAULT, telling=telling)[0] == verdict


def test_the_reason_names_the_first_missing_words_and_cuts_long_ones() -> None:
    why = judge(Strength(share=0.3, firm=True), ("a" * 50, "b", "c", "d", "e"), DEFAULT, telling=True)[1]
    assert why.endswith(f"Not found in any memory: {'a' * 39}…, b, c and 2 more.")


def test_a_date_in_numbers_that_a_memory_is_of_counts_for_nothing() -> None:
    notes = [
        document("m1", "Berlin was chosen for the next picnic.", created_at="2026-02-06T00:00:00.000Z"),
        document("m2", "The printer is out of toner.", created_at="2026-01-05T00:00:00.000Z"),
    ]
    by_name = search(notes, "picnic on 6 February 2026", now=NOW).verdict
    assert search(notes, "picnic on 2026-02-06", now=NOW).verdict == by_name
    assert by_name == "strong"


@pytest.mark.parametrize(
    ("query", "unmatched"),
    [
        ("invoice 17 of 2026-02-06", ("17",)),
        ("invoice 17 of 6 February 2026", ("17",)),
        ("invoice 12 of 2026-02-06", ()),
        ("invoice 12 of 2026\u201102\u201106", ()),
        ("invoice 12 of 2026-02-20", ("2026-02-20",)),
        ("invoice 12 of 20 February 2026", ("20", "february", "2026")),
    ],
)
def test_only_a_date_that_some_memory_is_of_counts_for_nothing(query: str, unmatched: tuple[str, ...]) -> None:
    notes = [
        document("m1", "Invoice 12 was paid late.", created_at="2026-02-06T00:00:00.000Z"),
        document("m2", "The printer is out of toner.", created_at="2026-02-05T00:00:00.000Z"),
    ]
    assert search(notes, query, now=NOW).unmatched == unmatched


FOREIGN = {
    "佐藤さんの誕生日はいつですか": ("田中さんの誕生日は5月3日です。", "佐藤"),
    "上海办公室在哪里": ("北京办公室在朝阳区。", "上海"),
    "부산 사무실은 어디에 있나요": ("서울 사무실은 강남에 있습니다.", "부산"),
}


@pytest.mark.parametrize("query", FOREIGN)
def test_another_name_in_a_script_without_spaces_is_no_sure_answer(query: str) -> None:
    text, missing = FOREIGN[query]
    ranking = search([document("a", text), document("b", "Deploys are forbidden on Fridays.")], query, now=NOW)
    assert ranking.verdict == "weak"
    assert ranking.unmatched == (missing,)
    known = search([document("a", f"{text}{missing}")], query, now=NOW)
    assert (known.verdict, known.unmatched) == ("strong", ())


def test_of_a_run_the_parts_are_named_that_a_memory_holds() -> None:
    ranking = search([document("a", "東京支社の住所は港区です。")], "東京支社の電話番号は何番ですか", now=NOW)
    assert ranking.hits[0].matched_terms == ("東京支社",)
    assert ranking.unmatched == ("電話番号",)


@pytest.mark.parametrize(
    ("text", "query", "missing"),
    [
        ("김철수는 녹차를 좋아합니다", "김철수 휴가", "휴가"),
        ("上海的天气很热", "成都的天气", "成都"),
        ("サーバーのポートは8080です", "サーバーの在庫", "在庫"),
        ("いぬの名前はポチです", "ねこの名前", "ねこ"),
        ("田中さんは緑茶が好きです", "りんごが好きですか", "りんご"),
    ],
)
def test_words_that_look_like_particles_are_words(text: str, query: str, missing: str) -> None:
    ranking = search([document("a", text)], query, now=NOW)
    assert (ranking.verdict, ranking.unmatched) == ("weak", (missing,))
    alone = search([document("a", text)], missing, now=NOW)
    assert (alone.verdict, alone.unmatched) == ("none", (missing,))


def test_latin_words_beside_others_are_whole() -> None:
    ranking = search([document("a", "我们使用Postgres数据库")], "Postgres是什么", now=NOW)
    assert (ranking.hits[0].matched_terms, ranking.unmatched) == (("postgres",), ())
