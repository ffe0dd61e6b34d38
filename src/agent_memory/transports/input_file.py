"""The INPUT file of a run on this machine."""

import json
from pathlib import Path
from typing import Any, Final

from ..errors import InvalidRequestError

_SIDECAR: Final = "__metadata__.json"
_EXAMPLE: Final = '{"action": "remember", "memoryStoreId": "acme~notes", "content": "Deploys are frozen on Fridays."}'


def read_input(folder: Path, key: str) -> Any:
    """The JSON value of the file called `key`, with any extension, in `folder`, else in the working directory.

    Raises:
        InvalidRequestError: there is none or more than one, or it holds no JSON in UTF-8, be it with a byte order mark.
    """
    found = _files(folder, key) or _files(Path.cwd(), key)
    if not found:
        wanted = folder.absolute() / f"{key}.json"
        raise InvalidRequestError(
            f"INPUT is missing: there is no {wanted}. Write a JSON object into it, such as {_EXAMPLE}"
        )
    if len(found) > 1:
        raise InvalidRequestError(f"INPUT must be one file. Keep one of: {', '.join(map(str, found))}.")
    return _read(found[0].absolute())


def _files(folder: Path, key: str) -> list[Path]:
    named = (*folder.glob(key), *folder.glob(f"{key}.*"))
    return sorted(path for path in named if path.is_file() and not path.name.endswith(_SIDECAR))


def _read(file: Path) -> Any:
    content = file.read_bytes()
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        why = f"no UTF-8: byte {error.start} in line {line}. Save the file as UTF-8"
    except json.JSONDecodeError as error:
        why = f"no valid JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    except RecursionError:
        why = "no JSON that can be taken: it is nested too deep"
    except ValueError:
        why = "no JSON that can be taken: a number in it has too many digits"
    raise InvalidRequestError(f"INPUT is {why} ({file}). Nothing was stored.")
