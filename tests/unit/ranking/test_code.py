import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.ranking.code import code_languages, defined_names, is_code
from agent_memory.ranking.scan import labels
from agent_memory.ranking.search import search
from support.documents import NOW, document, documents

LINE = [
    "def ", "class ", "from ", "import ", "fn ", "use ", "impl", "func ", "package ", "function", "const ", "SELECT ",
    "INSERT INTO ", " FROM ", "export ", "async ", "pub ", "pub(crate) ", "x", "name", "(", ")", "{", ":", "::", " = ",
    "=>", " ", "\t", "\r", " as ", ".",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("def read(path):\n    return open(path).read()", ("python",)),
        ("    async def close(self) -> None:\n        ...", ("python",)),
        ("import numpy as np\nx = np.zeros(3)", ("python",)),
        ("pub fn run(&self) -> Result<()> {", ("rust",)),
        ("func (s *Server) Close() error {", ("go",)),
        ("export async function load(id) {", ("javascript",)),
        ("SELECT id FROM orders WHERE paid", ("sql",)),
        ("We import goods from Chile and define prices in May.", ()),
        ("The class of 2024: a list of names", ()),
        ("Please select a seat from the plan.", ()),
        ("The function of the package is unclear.", ()),
    ],
)
def test_code_is_told_from_prose_by_its_shape(text: str, languages: tuple[str, ...]) -> None:
    assert code_languages(text) == languages


@given(st.lists(st.sampled_from(LINE), max_size=8).map("".join))
def test_a_single_line_is_told_by_what_any_line_is(text: str) -> None:
    assert code_languages(text) == code_languages(f"{text}\nand prose")


def test_signs_of_code_are_counted_whatever_the_characters() -> None:
    assert is_code("\ud800 = [1]")
    assert not is_code("支付" * 17 + "=")
    assert is_code("支付" * 16 + "=")


def test_code_is_found_by_the_name_of_its_language() -> None:
    notes = documents(
        "def lines(path):\n    with open(path) as file:\n        yield from file",
        "func lines(path string) []string {\n\treturn readFile(path)\n}",
        "Python is installed on all build machines.",
    )
    assert search(notes, "python lines of a path", now=NOW).hits[0].id == "m0"
    assert search(notes, "go lines of a path", now=NOW).hits[0].id == "m1"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import os\n\n@cache\nasync def read_all(path):\n    ...", ("read_all",)),
        ("pub(crate) struct MergeScheduler<A> {", ("MergeScheduler",)),
        ("impl<A, B> Executor for DiffExecutor<A, B> {", ("DiffExecutor",)),
        ("func (s *Server) Close() error {", ("Close",)),
        ("export default async function loadUser(id) {", ("loadUser",)),
        ("/// A fn that does nothing.\npub fn noop() {}", ("noop",)),
        ("x = 1\nprint(x)", ()),
        ("The class of 2024: a list of names", ()),
        ("class Pool:\n    def open(self):\n        ...\n    def close(self):\n        ...", ("Pool", "open", "close")),
        ("impl Row {\n    fn new() {}\n}\nimpl Row {\n    fn reset() {}\n}", ("Row", "new", "reset")),
    ],
)
def test_code_is_named_by_what_it_defines_first(text: str, names: tuple[str, ...]) -> None:
    assert defined_names(text) == names


def test_of_what_long_code_defines_the_first_names_it() -> None:
    assert defined_names("\n".join(f"def step_{n}():\n    pass" for n in range(9))) == tuple(
        f"step_{n}" for n in range(4)
    )


def test_code_that_defines_a_name_ranks_before_code_that_calls_it() -> None:
    notes = documents(
        "def run(path):\n    merge_folders(path, path)\n    merge_folders(path, None)",
        "def merge_folders(one, two):\n    for name in two:\n        move(name, one)",
    )
    assert search(notes, "merge folders", now=NOW).hits[0].id == "m1"


def test_code_of_any_language_has_more_signs_than_prose() -> None:
    assert is_code("int main(void) { return run(&pool, 10); }")
    assert not is_code("The pool (of ten) was too small for it, so we doubled it and saw no timeouts since then.")


def test_what_code_defines_names_it_in_whatever_language_it_is() -> None:
    code = "#pragma once\n\nclass StateRatchet : public Function {\npublic:\n  int body(int x) { return x; }\n};"
    assert labels(document("m", code)).split() == ["StateRatchet"]


def test_code_is_found_by_what_it_defines_further_down() -> None:
    notes = documents(
        "def start(pool):\n    flush(pool)\n\ndef flush(pool):\n    pool.write()\n",
        "def start(pool):\n    flush(pool)\n\ndef other(pool):\n    flush(pool)\n",
    )
    assert search(notes, "flush", now=NOW).hits[0].id == "m0"
