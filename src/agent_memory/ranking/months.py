"""Names of months, and which months and years a text names."""

import re
from functools import cache
from types import MappingProxyType
from typing import Final

_NAMES: Final = {
    "english": "january february march april may june july august september october november december",
    "german": "januar februar märz april mai juni juli august september oktober november dezember",
    "french": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "spanish": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "italian": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "portuguese": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "dutch": "januari februari maart april mei juni juli augustus september oktober november december",
    "russian": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
}
_SHORT: Final = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905  # read as one row
_NUMBERS: Final = {"sept": "09"} | {
    name: f"{place:02}" for names in (*_NAMES.values(), " ".join(_SHORT)) for place, name in enumerate(names.split(), 1)
}
# These are months only after a preposition or beside a number: "may I", "march on", "on Mars".
_DOUBTFUL: Final = ("may", "march", "mar", "mars", "mei", "mai", "marta", "марта")
MONTHS: Final = MappingProxyType(_NUMBERS)
"""The number of a month, `01` to `12`, by its names in lower case."""

_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@cache
def _named() -> re.Pattern[str]:
    sure = "|".join(sorted(MONTHS.keys() - set(_DOUBTFUL), key=len, reverse=True))
    doubtful = "|".join(_DOUBTFUL)
    before = r"(?:in|im|of|since|by|during|last|this|until|en|em|au|de|seit|a|в|с|do|\d\.?)"
    return re.compile(
        rf"\b({sure})\b|\b{before} ({doubtful})\b|\b({doubtful})(?= (?:\d|of \d))|(?<!\d)(1[0-2]|0?[1-9])月"
    )


def months_in(lower: str) -> frozenset[str]:
    """The months that a text in lower case names."""
    found = ("".join(groups) for groups in _named().findall(lower))
    return frozenset(name.zfill(2) if name.isdecimal() else MONTHS[name] for name in found)


def years_in(lower: str) -> frozenset[str]:
    """The years from 1900 to 2099 that a text in lower case names."""
    return frozenset(_YEAR.findall(lower))
