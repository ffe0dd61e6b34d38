"""Which programming languages a text holds code of, by shapes that prose does not have.

Code hardly ever names its own language, those who look for it do: "python read a file line by line".
"""

import re
from functools import cache
from typing import Final

# What to look for first, since most texts hold no code at all, then the shape itself.
_SHAPES: Final = (
    (
        "python",
        ("def ", "import ", "class "),
        r"^\s*(?:async )?def \w+\(.*|^\s*class \w+[^;{]*:\s*$|^from [\w.]+ import |^import [\w.]+(?: as \w+)?\s*$",
    ),
    ("rust", ("fn ", "impl", "use "), r"^\s*(?:pub(?:\(\w+\))? )?(?:async )?fn \w+.*[({>]|^\s*impl\b.*\{|^use \w+::"),
    ("go", ("func ", "package "), r"^func (?:\(\w+ \*?\w+\) )?\w+\(|^package \w+\s*$"),
    (
        "javascript",
        ("function", "const ", "=>"),
        r"^\s*(?:export )?(?:async )?function\*? ?\w*\(|^\s*const [\w{}, ]+ = ",
    ),
    ("sql", ("SELECT ", "INSERT ", "CREATE "), r"^\s*(?:SELECT .+\bFROM\b|INSERT INTO |CREATE TABLE )"),
)


def code_languages(text: str) -> tuple[str, ...]:
    """The names, in lower case, of the languages of which `text` holds code."""
    return tuple(
        name for name, hints, shape in _SHAPES if any(hint in text for hint in hints) and _compiled(shape).search(text)
    )


@cache
def _compiled(shape: str) -> re.Pattern[str]:
    return re.compile(shape, re.MULTILINE)
