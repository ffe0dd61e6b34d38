import pytest

from agent_memory.ranking.near_copies import fold

LONG = (
    "the nightly export writes one file for each region and uploads it to the archive bucket so that the reporting "
    "job can read the whole set when the finance people come to work in the morning"
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploys happen on Friday.", "deploys  happen on friday"),
        ("The cache is warm!", "The cache is warm"),
        ("The **cache** is warm", "The *cache* is warm"),
        ("* item one\n* item two", "- item one\n- item two"),
        ("今天部署了支付服务", "今天部署了支付服务 "),
        (LONG, LONG + " again"),
        (LONG, "so " + LONG),
    ],
)
def test_the_same_in_almost_the_same_words_is_folded(one: str, other: str) -> None:
    assert fold([one, other]) == [0, 0]
    assert fold([other, one]) == [0, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The deadline is 15 October.", "The deadline is 16 October."),
        (LONG + " by 15 October", LONG + " by 15 November"),
        (LONG, LONG + " not"),
        (LONG + " on v2.3.1", LONG + " on v2.3.2"),
        (LONG + " from 5 to 10", LONG + " from 10 to 5"),
        (LONG.replace("archive", "staging"), LONG),
        (LONG, LONG + " with Ines"),
        (LONG + " when mail precedes chat", LONG + " when chat precedes mail"),
        ("I work at Initech", "I left Initech"),
        ("The limit is 5M.", "The limit is 5m."),
        ("Tell US about it.", "Tell us about it."),
        ("1.5 GB", "15 GB"),
        ("It is -5 outside", "It is 5 outside"),
        ("backup ✅", "backup ❌"),
        ("C++ core", "C core"),
        ("今天部署了支付服务", "今天部署了登录服务"),
        ("Port >= 80", "Port <= 80"),
        ("🙂", "🙃"),
        ("Retry the upload when status != 200", "Retry the upload when status = 200"),
        ("total = price * rate", "total = price / rate"),
        ("Serve from cache when !ready", "Serve from cache when ready"),
        ("Load the settings from ../config.json", "Load the settings from ./config.json"),
        ("Load the settings from ~/config.json", "Load the settings from /config.json"),
        ("delete files in build/*", "delete files in build/"),
        *((LONG, f"{LONG} {word}") for word in ("rarely", "barely", "failed", "instead", "fewer", "false", "kaum")),
    ],
)
def test_a_fact_that_differs_keeps_both(one: str, other: str) -> None:
    assert fold([one, other]) == [0, 1]


def test_copies_fold_into_the_best_and_never_into_a_folded_one() -> None:
    assert fold(["a b", "x", "A b", "a  B.", "X"]) == [0, 1, 0, 0, 1]


def test_nothing_folds_into_nothing() -> None:
    assert fold([]) == []
