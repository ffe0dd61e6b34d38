"""Whether a text is code, of which programming languages, by shapes that prose does not have, and what it defines.

Code hardly ever names its own language, those who look for it do: "python read a file line by line".
"""

import re
from functools import cache
from itertools import islice
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
_ANY_SHAPE: Final = "|".join(shape for _, _, shape in _SHAPES)

# Prose has one in a hundred characters, code one in twenty.
_SIGNS: Final = b"(){}[];=<>"
_MOST_SIGNS: Final = 0.03
_MODIFIERS: Final = (
    r"(?:(?:pub(?:\(\w+\))?|export|default|async|static|abstract|final|public|private|protected|unsafe|const) +)*"
)
_DEFINED: Final = (
    rf"^[ \t]*{_MODIFIERS}(?:def|class|fn|func|function\*?|struct|impl|trait|enum|interface|type|mod)(?: +|(?=<))"
    r"(?:\([^)\n]*\) *)?(?:<[^>\n]*> *)?(?:\w+ for )?(\w+)(?=[^\w\n]*[(<{:;=\n])"
)

# A file defines much, and is about what it defines first.
_NAMES: Final = 4


def is_code(text: str) -> bool:
    """Whether so many of the characters of `text` are signs of code that it is no prose, in whatever language."""
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw) - len(raw.translate(None, _SIGNS)) > _MOST_SIGNS * len(text)


def code_languages(text: str) -> tuple[str, ...]:
    """The names, in lower case, of the languages of which `text` holds code."""
    found: tuple[str, ...] = ()
    if "\n" not in text and not _compiled(_ANY_SHAPE).match(text):  # shapes stand at the beginning of a line
        return found
    for name, hints, shape in _SHAPES:
        for hint in hints:
            if hint in text:
                found += (name,) if _compiled(shape).search(text) else ()
                break
    return found


def defined_names(text: str) -> tuple[str, ...]:
    """The names of the first functions, classes and types that the code in `text` defines, as written, each once."""
    found = islice(_compiled(_DEFINED).finditer(text), _NAMES)
    return tuple(dict.fromkeys(one[1] for one in found))


@cache
def _compiled(shape: str) -> re.Pattern[str]:
    return re.compile(shape, re.MULTILINE)
