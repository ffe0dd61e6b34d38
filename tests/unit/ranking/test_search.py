import subprocess
import sys
from dataclasses import replace
from math import fsum, isclose
from pathlib import Path

import pytest

from agent_memory.ranking.document import Document
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from agent_memory.ranking.recipes import DEFAULT
from agent_memory.ranking.search import search
from support.documents import NOW, document, documents

SOURCE = Path(__file__).parents[3] / "src"
NOTES = documents(
    "We call atomic_write_json before every restart so that no half-written state is left behind.",
    "getUserById returns null for deleted accounts; check it first.",
    "The login bug was in src/api/auth.py:42, a missing await.",
    "Uploads fail with ECONNRESET when the proxy closes idle sockets.",
    "rustc reports E0308 when the closure returns the wrong type.",
    "Pinned the image to v2.3.1 because later builds drop TLS 1.1.",
    "The CI runner has four cores and no swap.",
    "The DB is backed up at night to cold storage.",
    "Our k8s cluster lives in two zones.",
    "The physics core is written in C++ and called from Python.",
    "今天下午部署了支付服务",
    "重启nginx后恢复",
    "用 docker 部署在新机器上",
    "サーバーを再起動しました",
    "서버를 다시 시작했다",
    "The café on the corner has the better wifi.",
    "Развёртывание сервера занимает десять минут.",
    "Η βάση δεδομένων βρίσκεται στην Αθήνα.",
    "تم تحديث قاعدة البيانات أمس",
    "ติดตั้งเซิร์ฟเวอร์ใหม่แล้ว",
    "हिन्दी अनुवाद अगले सप्ताह आएगा",
    "Die Datenbank wird in der Nacht gesichert.",
    "Don't retry a payment: the provider books it twice.",
    "Migration status: done, the old tables are gone.",
    "Use the pre-edit hook to format files.",
    "We compare a/b variants with a fixed seed.",
)


def first(query: str) -> str:
    ranking = search(NOTES, query, now=NOW)
    return next(note.content for note in NOTES if note.id == ranking.hits[0].id)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("atomic_write_json", "atomic_write_json"),
        ("atomic write", "atomic_write_json"),
        ("getUserById", "getUserById"),
        ("user by id deleted", "getUserById"),
        ("src/api/auth.py:42", "auth.py"),
        ("auth.py", "auth.py"),
        ("ECONNRESET", "ECONNRESET"),
        ("econnreset proxy", "ECONNRESET"),
        ("E0308", "E0308"),
        ("v2.3.1", "v2.3.1"),
        ("2.3.1", "v2.3.1"),
        ("CI", "CI runner"),
        ("DB", "The DB"),
        ("k8s", "k8s"),
        ("C++", "C++"),
        ("支付服务", "支付服务"),
        ("docker 部署", "docker"),
        ("nginx", "nginx"),
        ("再起動", "再起動"),
        ("서버 시작", "서버"),
        ("cafe\u0301", "café"),
        ("CAFE", "café"),
        ("развертывание серверов", "Развёртывание"),
        ("ΑΘΗΝΑ", "Αθήνα"),
        ("قاعدة البيانات", "قاعدة"),
        ("เซิร์ฟเวอร์", "เซิร์ฟเวอร์"),
        ("अनुवाद", "अनुवाद"),
        ("wann wird die Datenbank gesichert", "Datenbank"),
        ("don't retry", "Don't retry"),
        ("status: done", "status: done"),
        ('"unclosed payment quote', "payment"),
        ("retry OR", "retry"),
        ("pre-edit", "pre-edit"),
        ("a/b", "a/b"),
        ("nginx \\ * \x00 \ud800", "nginx"),
    ],
)
def test_the_right_note_comes_first(query: str, found: str) -> None:
    assert found in first(query)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("quarterly marsupial budget", "No memory answers this: the nearest holds 0% of what the query asks for."),
        ("the of and", "only words too common"),
        ("*", "no letters or digits"),
        ("\\", "no letters or digits"),
        ("🙂🎉", "no letters or digits"),
        ("", "no letters or digits"),
        ("q", "Not found in any memory: q."),
    ],
)
def test_what_nothing_answers_gets_no_hits_and_a_reason(query: str, why: str) -> None:
    ranking = search(NOTES, query, now=NOW)
    assert (ranking.verdict, ranking.hits) == ("none", ())
    assert why in ranking.why


def test_an_empty_store_answers_none() -> None:
    assert search([], "nginx", now=NOW).verdict == "none"


def test_words_that_no_memory_holds_are_named_as_typed_in_lower_case() -> None:
    ranking = search(NOTES, "nginx Zookeeper quorum", now=NOW)
    assert ranking.unmatched == ("zookeeper", "quorum")
    assert ranking.verdict == "weak"
    assert "Not found in any memory: zookeeper, quorum." in ranking.why


def test_a_note_that_holds_all_rare_words_is_strong_and_scores_near_one() -> None:
    ranking = search(NOTES, "ECONNRESET proxy idle sockets", now=NOW)
    assert ranking.verdict == "strong"
    assert ranking.hits[0].score > 0.9


def test_a_word_of_every_note_alone_is_no_strong_answer() -> None:
    notes = documents(*(f"Deployment number {place} of the shop went to zone {place % 7}." for place in range(60)))
    assert search(notes, "shop", now=NOW).verdict == "weak"


def test_one_frequent_word_does_not_lift_an_unrelated_note() -> None:
    chatter = [f"The server team met in room {place} and talked about lunch." for place in range(40)]
    notes = documents(*chatter, "Certificates of the mail server expire in May.")
    ranking = search(notes, "when do the certificates of the mail server expire", now=NOW)
    assert ranking.hits[0].id == "m40"
    assert ranking.hits[1].score < ranking.hits[0].score / 2


def test_a_hit_says_which_words_matched_and_in_which_form_they_stand_there() -> None:
    hit = search(NOTES, "Restarts of 支付服务 states", now=NOW).hits
    by_id = {one.id: one for one in hit}
    assert by_id["m0"].matched_terms == ("restarts", "states")
    assert by_id["m0"].needles == ("restart", "state")
    assert by_id["m10"].needles == ("支付", "付服", "服务")


def test_the_parts_add_up_to_the_score() -> None:
    notes = [
        document("a", "The nginx pool was too small.", session_id="s", speaker="Ines", url="https://docs.example/x"),
        document("b", "We raised it to 400 connections.", session_id="s", speaker="Omar"),
        document("c", "Nginx pool tuning in February."),
    ]
    query = "what did Ines say about the nginx pool in February 2026"
    ranking = search(notes, query, now=NOW, url="https://docs.example/x")
    assert {"words", "letters", "phrases", "speaker", "date", "session", "url", "standing"} <= set(
        ranking.hits[0].parts
    )
    assert all(isclose(fsum(hit.parts.values()), hit.score) for hit in ranking.hits)


def test_title_tags_and_url_are_searched_and_a_repeated_first_line_counts_once() -> None:
    plain = document("plain", "The limit is 100 a minute.", title="The limit is 100 a minute.")
    notes = [
        document("t", "It is 100 a minute.", title="Throttling"),
        document("g", "See wiki.", tags=("billing",)),
        plain,
    ]
    assert search(notes, "throttling", now=NOW).hits[0].id == "t"
    assert search(notes, "billing", now=NOW).hits[0].id == "g"
    bare = search([*notes[:2], replace(plain, title="")], "limit", now=NOW).hits[0]
    assert search(notes, "limit", now=NOW).hits[0].score == bare.score


def test_what_a_long_text_begins_with_names_it() -> None:
    filler = " ".join(f"word{number}" for number in range(60))
    begins = document(
        "z",
        f"Boundary layers of plates\n{filler} flow at the wings of gliders that sail above valleys",
        title="Boundary layers of plates",
    )
    ends = document("e", f"Wings of an aircraft\n{filler} boundary layers of plates flow", title="Wings of an aircraft")
    assert search([ends, begins], "boundary layers of plates", now=NOW).hits[0].id == "z"
    untitled = [replace(begins, title=""), replace(ends, title="")]
    scores = {hit.id: hit.parts["words"] for hit in search(untitled, "boundary layers of plates", now=NOW).hits}
    assert scores["z"] == pytest.approx(scores["e"], rel=0.1)


def test_the_length_of_documents_counts_and_that_of_turns_hardly() -> None:
    filler = " ".join(f"word{number}" for number in range(30))
    texts = ("The gateway listens on 8443 behind the balancer.", f"The gateway listens on 8443 behind {filler}.")
    alone = [document(f"{place}", text) for place, text in enumerate(texts)]
    turns = [document(f"{place}", text, session_id="s", order=("", place)) for place, text in enumerate(texts)]

    def lead(notes: list[Document]) -> float:
        words = [hit.parts["words"] for hit in search(notes, "gateway listens", now=NOW).hits]
        return words[1] / words[0]

    assert lead(alone) < lead(turns) < 1.0


def test_german_compounds_that_hold_the_words_of_a_query_come_before_one_word_that_is_the_same() -> None:
    notes = documents(
        "Die Fahrradversicherung zahlt Unfallreparaturen.", "Nach dem Unfall zahlt niemand.", "Die Heizung ist neu."
    )
    query = "Welche Versicherung zahlt die Reparatur vom Fahrrad nach einem Unfall?"
    assert [hit.id for hit in search(notes, query, now=NOW).hits] == ["m0", "m1"]


def test_an_answer_beside_its_question_gains_from_it() -> None:
    said = ("Which port does the staging gateway use?", "It is 8443 for the gateway.", "Fine, thanks.")
    talk = [document(f"t{i}", text, session_id="s", order=("", i)) for i, text in enumerate(said)]
    alone = document("u", "It is 8443 for the gateway now.")
    ranking = search([alone, *talk], "which port does the staging gateway use", now=NOW)
    assert [hit.id for hit in ranking.hits][:2] == ["t1", "t0"]
    assert "t2" not in {hit.id for hit in ranking.hits}


def test_a_memory_of_the_same_page_or_site_counts_as_a_match() -> None:
    notes = [
        document("page", "Wait for the cookie banner.", url="https://shop.example/cart", site="shop.example"),
        document("site", "Prices are in euro.", url="https://shop.example/list", site="shop.example"),
        document("other", "Wait for the cookie jar.", url="https://news.example/", site="news.example"),
    ]
    ranking = search(notes, "zebra", now=NOW, url="https://shop.example/cart/")
    assert [hit.id for hit in ranking.hits] == ["page", "site"]
    assert ranking.verdict == "weak"
    assert search(notes, "zebra", now=NOW).hits == ()


def test_confidence_importance_decay_and_age_move_a_score_by_a_tenth_at_most() -> None:
    best = document("best", "Rotate the signing key", confidence=1.0, importance=1.0, retained=1.0, updated_at=NOW)
    worst = replace(
        best, id="worst", confidence=0.0, importance=0.0, retained=0.0, updated_at="2016-01-01T00:00:00.000Z"
    )
    high = search([best], "signing key", now=NOW).hits[0].score
    low = search([worst], "signing key", now=NOW).hits[0].score
    assert low < high
    assert isclose(low, high * (1.0 - DEFAULT.standing), rel_tol=1e-6)


def test_equal_scores_go_newest_first_then_by_id() -> None:
    later = "2026-02-02T00:00:00.000Z"
    notes = [document("b", "Key one"), document("a", "Key two"), document("z", "Key six", updated_at=later)]
    ids = [hit.id for hit in search(notes, "key", now=NOW, recipe=replace(DEFAULT, standing=0.0)).hits]
    assert ids == ["z", "a", "b"]


def test_near_copies_are_one_hit_that_names_them() -> None:
    notes = documents("Deploys happen on Friday.", "deploys happen  on Friday", "Deploys happen on Monday.")
    hits = search(notes, "deploys happen", now=NOW).hits
    assert [(hit.id, hit.collapsed) for hit in hits] == [("m0", ("m1",)), ("m2", ())]


def test_search_and_recall_import_nothing_heavy() -> None:
    source = (
        "import sys\n"
        "import agent_memory.ranking.search, agent_memory.ranking.affinity, agent_memory.ranking.tfidf\n"
        "print(sorted({'numpy', 'scipy', 'sklearn', 'regex'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, cwd=SOURCE)
    assert done.stdout.strip() == "[]"


def test_a_date_that_memories_are_of_is_not_missed_in_their_words() -> None:
    texts = ("We chose a slate roof.", "The stove smokes.", "Apples were cheap.", "The car starts badly.")
    notes = [
        document(f"{number}", text, created_at=f"2023-10-1{number}T00:00:00.000Z") for number, text in enumerate(texts)
    ]
    ranking = search(notes, "Which roof did the owners prefer on October 10, 2023?", now=NOW)
    assert (ranking.verdict, ranking.hits[0].id) == ("weak", "0")
    assert ranking.unmatched == ("owners", "prefer")
    other = search(notes, "Which roof did the owners prefer on May 10, 2021?", now=NOW)
    assert {"may", "2021"} & {*other.unmatched}


@pytest.mark.parametrize("query", ["October 2023", "2023-10", "what happened in October 2023?", "notes from 2023-10"])
def test_a_date_alone_asks_for_what_is_of_it(query: str) -> None:
    days = ("2023-10-11", "2023-10-14", "2023-11-02")
    instants = {day: f"{day}T00:00:00.000Z" for day in days}
    notes = [
        document(day, f"The stove smokes: {day[-1]}.", created_at=at, updated_at=at) for day, at in instants.items()
    ]
    ranking = search([*NOTES, *notes], query, now=NOW)
    assert ranking.verdict == "weak"
    assert [hit.id for hit in ranking.hits] == ["2023-10-14", "2023-10-11"]
    assert all(sum(hit.parts.values()) == pytest.approx(hit.score) for hit in ranking.hits)
    other = search([*NOTES, *notes], f"{query} zeppelin", now=NOW)
    assert (other.verdict, other.hits) == ("none", ())
    assert "Memories of that date are there" in other.why


def test_a_date_that_a_text_holds_is_found_also_where_a_memory_is_of_it() -> None:
    migration = document("migration", "Migration 2023-07-07 broke the index.")
    lunch = document("lunch", "Lunch was good.", created_at="2023-07-07T12:00:00.000Z")
    alone = search([*NOTES, migration], "what happened on 2023-07-07", now=NOW)
    beside = search([*NOTES, migration, lunch], "what happened on 2023-07-07", now=NOW)
    assert (alone.verdict, [hit.id for hit in alone.hits]) == ("strong", ["migration"])
    assert (beside.verdict, [hit.id for hit in beside.hits]) == ("strong", ["migration", "lunch"])
    of_july = search([*NOTES, lunch, migration], "was the Migration in July 2023 good", now=NOW)
    assert of_july.hits


@pytest.mark.parametrize(
    ("query", "other"),
    [
        ("what was ticket SHOP-1234 about", "Ticket SHOP-1200 was about the checkout button."),
        ("was invoice INV-2026-0042 paid", "Invoice INV-2026-0041 was paid late."),
        ("CVE-2025-9999", "CVE-2025-1234 is patched in our image."),
        ("customer C-4712", "Customer C-4711 wants invoices by post."),
        ("discount code WINTER26", "The discount code SUMMER26 ends in August."),
        ("parse_invoice_footer", "parse_invoice_header reads the first line only."),
        ("com.example.shop.OrderService", "com.example.shop.CartService retries twice."),
        ("config/app/staging.yaml", "config/app/prod.yaml holds the limits."),
        ("where is getOrderById", "getUserById is in users.py."),
        ("what does error E1042 mean", "Error E1041 means that the disk is full."),
    ],
)
def test_another_of_its_kind_is_no_sure_answer_to_a_query_that_names_one(query: str, other: str) -> None:
    ranking = search([*NOTES, document("other", other)], query, now=NOW)
    assert ranking.verdict != "strong"
    name = ranking.unmatched[-1]
    assert name in query.casefold()
    assert name not in other.casefold()
    same = search([*NOTES, document("other", other), document("same", f"{name} is told of here.")], name, now=NOW)
    assert (same.verdict, same.hits[0].id, same.unmatched) == ("strong", "same", ())


@pytest.mark.parametrize("written", ["4 March 2027", "2027-03-04", "March 4th, 2027", "2027年3月4日"])
@pytest.mark.parametrize(
    "said", ["4. März 2027", "2027-03-04", "4-Mar-2027", "4. 3. 2027", "4 de marzo de 2027", "2027년 3월 4일"]
)
def test_a_date_in_a_text_is_found_in_whatever_form(written: str, said: str) -> None:
    launch = document("launch", f"The launch of the probe: {said}.")
    others = [document("other", "The launch of the site was on 2027-03-05."), document("third", "Version 2027.")]
    ranking = search([*NOTES, *others, launch], f"launch on {written}", now=NOW)
    assert (ranking.verdict, ranking.hits[0].id, ranking.unmatched) == ("strong", "launch", ())
    assert search([*NOTES, *others, launch], written, now=NOW).hits[0].id == "launch"


def test_a_range_of_days_is_of_all_that_lies_in_it() -> None:
    said = {month: f"2023-{month:02}-10T00:00:00.000Z" for month in range(4, 12)}
    notes = [document(f"{month}", "The stove smokes.", created_at=at, updated_at=at) for month, at in said.items()]
    notes.append(document("told", "The roof was mended on 3 August 2023."))
    for query in ("between 2023-05-01 and 30 September 2023", "vom 1.5.2023 bis 30.9.2023", "2023-05-01 - 2023-09-30"):
        found = {hit.id for hit in search(notes, query, now=NOW).hits}
        collapsed = {i for hit in search(notes, query, now=NOW).hits for i in hit.collapsed}
        assert found | collapsed == {"5", "6", "7", "8", "9", "told"}


@pytest.mark.parametrize(
    ("text", "query", "other"),
    [
        ("दिल्ली कार्यालय कनॉट प्लेस में है।", "दिल्ली कार्यालय कहाँ है", "मुंबई कार्यालय कहाँ है"),
        (
            "\u0645\u0643\u062a\u0628 \u0627\u0644\u0642\u0627\u0647\u0631\u0629 \u0641\u064a.",
            "\u0623\u064a\u0646 \u0627\u0644\u0645\u0643\u062a\u0628 \u0628\u0627\u0644\u0642\u0627\u0647\u0631\u0629",
            "\u0623\u064a\u0646 \u0645\u0643\u062a\u0628 \u062f\u0628\u064a",
        ),
        (
            "\u05d4\u05de\u05e9\u05e8\u05d3 \u05d1\u05d9\u05e8\u05d5\u05e9\u05dc\u05d9\u05dd.",
            "\u05d0\u05d9\u05e4\u05d4 \u05de\u05e9\u05e8\u05d3 \u05d9\u05e8\u05d5\u05e9\u05dc\u05d9\u05dd",
            "\u05d0\u05d9\u05e4\u05d4 \u05d4\u05de\u05e9\u05e8\u05d3 \u05d1\u05d7\u05d9\u05e4\u05d4",
        ),
        (
            "\u062a\u0648\u0644\u062f \u0639\u0644\u06cc \u0627\u0633\u062a.",
            "\u062a\u0648\u0644\u062f \u0639\u0644\u064a \u06a9\u06cc \u0627\u0633\u062a",
            "\u062a\u0648\u0644\u062f \u0632\u0647\u0631\u0627 \u06a9\u06cc \u0627\u0633\u062a",
        ),
    ],
    ids=["Hindi", "Arabic", "Hebrew", "Persian"],
)
def test_common_words_and_prefixes_of_other_scripts_say_nothing(text: str, query: str, other: str) -> None:
    documents = [document("a", text), document("b", "Deploys are forbidden on Fridays.")]
    ranking = search(documents, query, now=NOW)
    assert (ranking.verdict, ranking.unmatched, ranking.hits[0].id) == ("strong", (), "a")
    foreign = search(documents, other, now=NOW)
    assert foreign.verdict == "weak"
    assert len(foreign.unmatched) == 1


def test_a_date_counts_as_one_word_and_a_day_is_no_other_day() -> None:
    contract = document("contract", "The contract ends on 4 March 2027.")
    for query in ("dentist appointment March 4, 2027", "contract 2027-03-05", "meeting on 2027-03-05"):
        ranking = search([*NOTES, contract], query, now=NOW)
        assert ranking.verdict != "strong"
        assert "2027-03-05" not in str(ranking.hits)
    assert search([*NOTES, contract], "contract 2027-03-04", now=NOW).verdict == "strong"


def test_what_is_asked_beside_a_date_alone_is_not_looked_for() -> None:
    other = document("other", "Deploys happen on Fridays.")
    mine = document("mine", "The stove smokes.", created_at="2023-02-01T00:00:00.000Z")
    ranking = search([*NOTES, other, mine], "what happened in 2023", now=NOW)
    assert (ranking.verdict, [hit.id for hit in ranking.hits]) == ("weak", ["mine"])
    port = search([*NOTES, other, mine], "port 2023 of the zeppelin", now=NOW)
    assert "of that date" not in port.why
    since = search([*NOTES, other, mine], "notes since 2023-01-01", now=NOW)
    assert "mine" in [hit.id for hit in since.hits]


def test_of_a_day_alone_the_day_comes_before_the_days_after() -> None:
    days = [f"2023-07-{day:02}T00:00:00.000Z" for day in (6, 7, 8, 9)]
    notes = [document(day[8:10], f"Note {day[8:10]}.", created_at=day, updated_at=day) for day in days]
    assert [hit.id for hit in search(notes, "notes from 2023-07-07", now=NOW).hits] == ["07", "09", "08"]


def test_a_month_inside_a_run_is_a_date_too() -> None:
    notes = [document("may", "部署失败。", created_at="2023-05-02T00:00:00.000Z"), document("now", "部署成功。")]
    asked = "5月的部署"
    assert search(notes, asked, now=NOW).hits == search_index(Index(notes), Ask(query=asked, now=NOW)).hits
    assert search(notes, asked, now=NOW).hits[0].id == "may"
