from agent_memory.text.needles import chosen
from agent_memory.text.snippet import cut

MANY = [f"word{n:04}{'x' * (n % 7)}" for n in range(900)]


def test_each_is_looked_for_once_in_whatever_case() -> None:
    assert chosen(["Pool", "nginx", "pool", " "], 100) == ["nginx", "pool"]


def test_of_too_many_for_a_long_text_the_longest_are_looked_for() -> None:
    assert len(chosen(MANY, 100)) == 900
    few = chosen(MANY, 190_000)
    assert len(few) == 32
    assert min(map(len, few)) >= max(len(one) for one in MANY if one not in few)


def test_a_window_of_a_long_text_is_found_by_the_longest_words() -> None:
    text = f"{'filler ' * 30_000}here stands {max(MANY, key=len)} at last{' filler' * 100}"
    assert max(MANY, key=len) in cut(text, 200, MANY).text
