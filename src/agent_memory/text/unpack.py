"""Packs read back: what `render` has framed, exactly, wherever it stands in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .render import HEAD, OPENING, POSSIBLY_UPDATED, RULES_OPENING, SUPERSEDED, Entry, plain

_BEGIN = re.compile(
    rf"^(?P<margin>[ \t>]*)\[(?P<nonce>[a-p]{{8}}) begin\] (?:{re.escape(OPENING)}|{re.escape(RULES_OPENING)})\s*$",
    re.MULTILINE,
)
_FACTS = re.compile(
    r"(?:id (?P<id>[^,]*), )?(?P<type>[^,]*), source (?P<source>[^,]*), trust (?P<trust>[^,]*), "
    r"(?:less than a|(?P<days>\d+)) days? old \((?P<at>[^,]*)\)"
    rf"(?:, (?P<outdated>{SUPERSEDED}|{POSSIBLY_UPDATED}))?(?P<echo>, echo)?"
    r"(?:, cut: get (?P<cut>[^,]*))?"
)
_NAMED = re.compile(r"\Aid ([^,]*)|, cut: get ([^,]*)\Z")
_HEADING = re.compile(
    r"(?:^|\n)[ \t>]*(?:Memory of [^\n]*|(?:Standing rules|Project memory) \(\d+ of \d+\)\n[^\n]*)[\s>]*\Z"
)
# In a block of several the first line of each has its number.
_STORED = re.compile(r"\|[0-9]*(?: (.*))?", re.DOTALL)
# What quoting and a fenced block leave around a frame is no text.
_AROUND = re.compile(r"(?:[\s>]|```\w*$)*", re.MULTILINE)
_LONGEST_HEADING = 600


@dataclass(frozen=True, slots=True)
class Note:
    """One memory of a frame: the facts beside its number, and its stored lines as they were."""

    facts: str
    lines: tuple[str, ...]

    @property
    def entry(self) -> Entry | None:
        """What was rendered, its age in whole days; None when this was rendered by something else."""
        found = _FACTS.fullmatch(self.facts)
        compact = found is not None and found["id"] is None
        bare = compact and not "".join(self.lines[:1]).startswith(HEAD)
        if found is None or not (bare or "" in self.lines):
            return None
        end = -1 if bare else self.lines.index("")
        head = {name: value for name, _, value in (line.partition(": ") for line in self.lines[: max(0, end)])}
        return Entry(
            id=plain(found["id"] or found["cut"] or ""),
            title=plain(head.get("title", "")),
            memory_type=plain(found["type"]),
            source=plain(found["source"]),
            trust=plain(found["trust"]),
            age_days=float(found["days"] or 0),
            updated_at=plain(found["at"]),
            url=plain(head["url"]) if "url" in head else None,
            tags=tuple(map(plain, head["tags"].split(", "))) if "tags" in head else (),
            content="\n".join(map(plain, self.lines[end + 1 :])),
            outdated=found["outdated"] or "",
            echo=found["echo"] is not None,
            truncated=found["cut"] is not None,
        )

    @property
    def id(self) -> str:
        """The id that the facts name; empty when they name none."""
        named = _NAMED.search(self.facts)
        return plain(named[1] or named[2] or "") if named else ""

    @property
    def content(self) -> str:
        """The text of the memory, as far as it was shown."""
        entry = self.entry
        return entry.content if entry else "\n".join(map(plain, self.lines))


@dataclass(frozen=True, slots=True)
class Frame:
    """A framed part of a text, from `start` to `end`, with its heading; `nonce` is the word on its frame lines."""

    start: int
    end: int
    nonce: str
    notes: tuple[Note, ...]


def frames(text: str) -> Iterator[Frame]:
    """Each frame in `text`, also where its lines were quoted; one that was not closed ends with its last line."""
    at = 0
    while opened := _BEGIN.search(text, at):
        margin, nonce = opened["margin"], opened["nonce"]
        notes: list[tuple[str, list[str]]] = []
        end = at = opened.end()
        while at < len(text):
            stop = text.find("\n", at + 1)
            stop = len(text) if stop < 0 else stop
            line = text[at + 1 : stop].removesuffix("\r")
            line = line.removeprefix(margin) if line.startswith(margin) else line
            at = stop
            if line == f"[{nonce} end]":
                end = at
                break
            if line.startswith(f"[{nonce} #"):
                notes.append((line.partition("]")[2].removeprefix(" "), []))
            elif stored := _STORED.fullmatch(line):
                _add(stored[1] or "", notes, begins=line[1:2].isdigit())
            elif line.strip(" \t>"):
                break
            end = at
        start = opened.start()
        if heading := _HEADING.search(text, max(0, start - _LONGEST_HEADING), start):
            start = heading.start()
        yield Frame(start, end, nonce, tuple(Note(facts, tuple(lines)) for facts, lines in notes))
        at = max(end, opened.end())


def _add(line: str, notes: list[tuple[str, list[str]]], *, begins: bool) -> None:
    """Add a stored line to the last of `notes`, or to one of the same facts that it `begins`."""
    if notes and begins and notes[-1][1]:
        notes.append((notes[-1][0], []))
    if notes:
        notes[-1][1].append(line)


def without(text: str, found: tuple[Frame, ...]) -> str:
    """`text` without those frames of it."""
    at = 0
    kept: list[str] = []
    for frame in found:
        kept.append(text[at : frame.start].strip())
        at = max(at, frame.end)
    kept.append(text[at:].strip())
    return "\n\n".join(piece for piece in kept if not _AROUND.fullmatch(piece))
