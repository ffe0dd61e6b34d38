"""How secrets are called in text, and what a way to say one is."""

import re
from typing import Final, NamedTuple

VALUE: Final = r"(?P<value>[!-~]{6,256})"
QUOTE: Final = r"\\?[\"'`*“”‘’«»„「『]{0,3}"
SECRET_WORD: Final = (
    r"pass(?:word|wort|wd|phrase|code|key|e)?s?|pwd|pw|kennwort|senha|contrase[nñ]as?|has[lł]o|парол[ьяюи]|密[码碼钥]|口令|"
    r"令牌|パスワード|暗証番号|トークン|비밀번호|secret(?:[\s_.-]?(?:access[\s_.-]?)?key)?s?|token|key|"
    r"cred(?:ential)?s?"
)
OF_KEY: Final = re.compile(
    r"(?i)(?:api|access|auth|secret|private|encrypt(?:ion)?|sign(?:ing)?|shared|service|licen[cs]e|master|storage|account|"
    r"deploy|admin|app|application|client|session|webhook|ssh|hmac|cipher|crypto|integration|project|consumer)[\s_.-]?$"
)
WORDS: Final = ("pass", "pwd", "pw", "secret", "token", "cred", "kennwort", "senha", "contrase", "haslo")
FOREIGN: Final = ("hasło", "парол", "密", "口令", "令牌", "パスワード", "暗証", "トークン", "비밀번호")


class Claim(NamedTuple):
    """A way to say that something is a secret; `pattern` is tried where one of `marks` (lower case) stands.

    `before`: what the text in front of the mark must end with.
    """

    name: str
    marks: tuple[str, ...]
    pattern: str
    before: re.Pattern[str] | None = None
