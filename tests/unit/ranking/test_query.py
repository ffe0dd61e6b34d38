from agent_memory.ranking.query import parse_query


def test_neighbouring_words_form_pairs() -> None:
    assert parse_query("mail server certificates").pairs == {("mail", "server"), ("server", "certif")}


def test_pairs_of_characters_that_overlap_form_none() -> None:
    assert parse_query("支付服务 nginx").pairs == {("服务", "nginx")}


def test_an_owner_is_named() -> None:
    assert {"gina", "plans"} <= parse_query("What are Gina’s plans?").names
