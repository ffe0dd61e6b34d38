import pytest

from agent_memory.ranking.code import code_languages
from agent_memory.ranking.search import search
from support.documents import NOW, documents


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


def test_code_is_found_by_the_name_of_its_language() -> None:
    notes = documents(
        "def lines(path):\n    with open(path) as file:\n        yield from file",
        "func lines(path string) []string {\n\treturn readFile(path)\n}",
        "Python is installed on all build machines.",
    )
    assert search(notes, "python lines of a path", now=NOW).hits[0].id == "m0"
    assert search(notes, "go lines of a path", now=NOW).hits[0].id == "m1"
