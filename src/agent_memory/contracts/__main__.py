"""`python -m agent_memory.contracts` writes what derives from the registry; `--check` only compares."""

import json
import sys
from pathlib import Path

from .actions_md import actions_md
from .actor import files


def main() -> int:
    """Write, or with --check compare, every derived file below the current folder; 1 when one differs."""
    wanted = {path: json.dumps(value, indent=4, ensure_ascii=False) + "\n" for path, value in files().items()}
    wanted["docs/actions.md"] = actions_md()
    stale = [path for path, text in wanted.items() if _read(Path(path)) != text]
    if "--check" in sys.argv[1:]:
        for path in stale:
            sys.stderr.write(f"{path} differs from the registry. Run make contracts and commit the result.\n")
        return 1 if stale else 0
    for path in stale:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(wanted[path], encoding="utf-8")
    return 0


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
