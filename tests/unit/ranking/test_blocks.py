"""What the blocks of an index are made of, and with what."""

import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.ranking.index import index as module
from agent_memory.ranking.index.index import Index
from agent_memory.ranking.index.search import Ask, search_index
from support.documents import NOW, documents

SOURCE = Path(__file__).parents[3] / "src"
NOTES = documents(*(f"Pool {number} of nginx is {'too ' * (number % 7)}small." for number in range(600)))


def test_long_memories_make_more_blocks_and_no_other_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block has an end by its words and their letters, too, so that building one takes no more room than is said."""
    usual = Index(NOTES)
    assert len(usual.blocks()) == 1
    monkeypatch.setattr(module, "_MOST", 1_000)
    split = Index(NOTES)
    ask = Ask(query="nginx pool 77", now=NOW)

    assert len(split.blocks()) > 1
    assert all(block.words.starts[-1] - block.words.starts[0] <= 1_000 for block in split.blocks())
    assert search_index(split, ask) == search_index(usual, ask)


def test_a_memory_longer_than_a_block_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a block of its own."""
    monkeypatch.setattr(module, "_MOST", 3)
    index = Index(NOTES[:200])
    assert search_index(index, Ask(query="nginx pool 77", now=NOW)).hits[0].id == NOTES[77].id


def test_an_index_needs_numpy_alone() -> None:
    """Importing scipy takes a server's first search a tenth of a second and 23 MB."""
    source = (
        "import sys\n"
        "from agent_memory.ranking.document import Document\n"
        "from agent_memory.ranking.index.index import Index\n"
        "note = dict(content='A pool.', title='', tags=(), url=None, site=None, memory_type='fact', project_id=None,\n"
        "            session_id=None, speaker=None, confidence=1.0, importance=1.0, retained=1.0,\n"
        "            updated_at='2026-01-01T00:00:00.000Z', created_at='2026-01-01T00:00:00.000Z')\n"
        "Index([Document(id=str(number), **note) for number in range(200)]).blocks()\n"
        "print(sorted({'scipy', 'sklearn'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, cwd=SOURCE)
    assert done.stdout.strip() == "[]"
