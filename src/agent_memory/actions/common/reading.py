"""What the reading actions share: the request, and which memories may be looked at."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...errors import InvalidRequestError
from ...lifecycle.decay import Decay, faded, retained
from ...lifecycle.scope import Reach
from ...lifecycle.visibility import Filter, fold_tags
from ...models.memory import Memory
from ...models.vocabulary import State
from ...ranking.document import Document
from ...store.derived import Recipe
from ...store.resolve import Head
from ...store.snapshot import Snapshot
from ..base import Context, Request
from ..fields.read import QUERY_LENGTH, AsOf, Explain, Options, Query
from ..fields.upkeep import DecayOptions
from ..fields.write import ProjectId, SessionId, Url
from ..objects import DecayConfig, SearchOptions
from .cursor import Cursor, read_cursor
from .documents import to_document
from .newer import newer_of
from .reach import reach_of

_LOADS: Final = 3


class ReadRequest(Request):
    """What recall, search and context_pack have in common."""

    query: Query | None = None
    url: Url | None = None
    project_id: ProjectId | None = None
    session_id: SessionId | None = None
    as_of: AsOf | None = None
    search_options: Options = SearchOptions()
    decay_config: DecayOptions = DecayConfig()
    explain: Explain = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a read may look at, as of `now`.

    `hidden` are memories that have faded, `gone` those forgotten since `now`: they keep their place, but are not shown.
    `newer` maps superseded memories to what supersedes them.
    `warm`: the parts are those of a table that is kept between requests.
    """

    snapshot: Snapshot
    shown: Mapping[str, Head]
    hidden: Mapping[str, Head]
    kept: Mapping[str, float]
    decay: Decay
    now: str
    gone: frozenset[str]
    page: Cursor
    warnings: list[str]
    query: str | None
    newer: Mapping[str, str]
    reach: Reach
    warm: bool = False

    def head(self, memory_id: str) -> Head:
        """The head of a memory that may be looked at."""
        return self.shown.get(memory_id) or self.hidden[memory_id]

    def successor(self, memory_id: str) -> str | None:
        """What superseded a memory, unless that was forgotten since: then it only keeps its place."""
        newer = self.newer.get(memory_id)
        return None if newer in self.gone else newer

    def there(self, memory_ids: Iterable[str]) -> list[str]:
        """Those of `memory_ids` that were not forgotten since."""
        return [memory_id for memory_id in memory_ids if memory_id not in self.gone]

    def documents(self, heads: Mapping[str, Head]) -> list[Document]:
        """`heads` as ranking sees them."""
        return [to_document(head, self.kept[memory_id]) for memory_id, head in heads.items()]


def decay_of(config: DecayConfig, context: Context) -> Decay:
    """The decay in force: what the request says, else the setting."""
    return Decay(
        enabled=context.decay_on if config.enabled is None else config.enabled,
        half_life_days=config.half_life_days,
        min_importance=config.min_importance,
        prune_threshold=config.prune_threshold,
    )


async def set_scene(request: ReadRequest, context: Context) -> Scene:
    """Load the store and pick what `request` may look at."""
    page = read_cursor(request.search_options.cursor, request) or (Cursor(request.as_of) if request.as_of else None)
    return view(request, context, await load_newest(context), page)


def view(request: ReadRequest, context: Context, snapshot: Snapshot, page: Cursor | None = None) -> Scene:
    """What `request` may look at in `snapshot`: as of now, of the page before, or of an instant."""
    decay = decay_of(request.decay_config, context)
    now = context.now() if page is None else page.at
    reach = reach_of(context, request.project_id, request.session_id, request.search_options)
    limits = make_filter(request.search_options, request.project_id, reach)
    warnings = snapshot.warnings()
    query = request.query
    if query is not None and len(query) > QUERY_LENGTH:
        warnings.append(f"The query has {len(query)} characters; only the first {QUERY_LENGTH} were used.")
        query = _whole_words(query)
    scene = Scene(
        snapshot=snapshot,
        shown={},
        hidden={},
        kept={},
        decay=decay,
        now=now,
        gone=frozenset(),
        page=page or Cursor(now),
        warnings=warnings,
        query=query,
        newer={},
        reach=reach,
    )
    if page is not None and (snapshot.lineage is None or snapshot.derive(NEWEST) > page.at):
        return _read_all(scene, snapshot.as_of(page.at), limits)
    return _read_all(scene, snapshot, limits) if snapshot.lineage is None else _look_up(scene, limits)


async def load_newest(context: Context, snapshot: Snapshot | None = None) -> Snapshot:
    """The store as it stands; of a warm one not a `snapshot` that another request has left behind meanwhile."""
    snapshot = snapshot or await context.store.load()
    for _ in range(_LOADS):
        if snapshot.lineage is None or snapshot.number == snapshot.lineage.newest:
            break
        snapshot = await context.store.load()
    return snapshot


def _newest(snapshot: Snapshot) -> str:
    return max((stored.revision.at for stored in snapshot.stored()), default="")


def _newer(newest: str, snapshot: Snapshot, changed: frozenset[str]) -> str:
    groups = (snapshot.revisions.get(memory_id, ()) for memory_id in changed)
    return max((newest, *(stored.revision.at for group in groups for stored in group)))


NEWEST: Final = Recipe(_newest, _newer)
"""No revision is later than this: as of then the store stood as it stands now."""


def _read_all(scene: Scene, then: Snapshot, limits: Filter) -> Scene:
    """`scene` with what `limits` admit of the store as it stood `then`."""
    snapshot, now, decay = scene.snapshot, scene.now, scene.decay
    states = (State.ACTIVE, State.ARCHIVED) if limits.include_archived else (State.ACTIVE,)
    heads = {
        i: h
        for i, h in then.heads.items()
        if h.state in states and limits.admits(h.memory) and limits.reach.admits(snapshot.heads[i].memory)
    }
    kept = {i: retained(h.memory, then.accessed(h.memory, now), now, decay) for i, h in heads.items()}
    hidden = {i: h for i, h in heads.items() if h.state is State.ACTIVE and faded(h.memory, kept[i], decay)}
    everything = limits.whole()

    def sees(memory: Memory) -> bool:
        return everything.admits(memory) and limits.reach.admits(snapshot.heads[memory.id].memory)

    return replace(
        scene,
        shown={i: h for i, h in heads.items() if i not in hidden},
        hidden=hidden,
        kept=kept,
        gone=frozenset(i for i in then.heads if snapshot.find(i) is None),
        newer=newer_of(then, sees),
    )


def _look_up(scene: Scene, limits: Filter) -> Scene:
    """`scene` with what `limits` admit of a warm store as it stands now."""
    from .parts import Kept, Part  # numpy is for processes that live long
    from .table import TABLE

    snapshot = scene.snapshot
    table = snapshot.derive(TABLE)
    admitted, kept = table.admitted(limits), table.kept(snapshot, scene.now, scene.decay)
    hidden = table.faded(kept, scene.decay)
    return replace(
        scene,
        shown=Part(table, snapshot.heads, admitted & ~hidden),
        hidden=Part(table, snapshot.heads, admitted & hidden),
        kept=Kept(table, kept),
        newer=table.newer(snapshot, limits),
        warm=True,
    )


async def note_access(scene: Scene, memory_ids: Iterable[str], context: Context) -> None:
    """Remember that these memories were read; only what is read fades more slowly."""
    scene.warnings.extend(await context.store.touch(scene.snapshot, memory_ids))


def _whole_words(query: str) -> str:
    """The beginning of a query that is too long, without the word that the limit would cut."""
    cut = query[:QUERY_LENGTH]
    words = cut.rsplit(None, 1)
    return words[0] if len(words) > 1 and not query[QUERY_LENGTH].isspace() else cut


def make_filter(options: SearchOptions, project_id: str | None, reach: Reach) -> Filter:
    """What the options and the project of a request limit a read to; limits of both kinds narrow each other.

    Raises:
        InvalidRequestError: since lies after until.
    """
    if options.since and options.until and options.since > options.until:
        message = f"searchOptions.since {options.since} lies after until {options.until}. Swap them, or leave one out."
        raise InvalidRequestError(message, field="searchOptions.since")
    projects = frozenset((*(options.project_ids or ()), *([options.project_id] if options.project_id else ())))
    if project_id:
        projects = projects & {project_id} if projects else frozenset((project_id,))
    return Filter(
        reach=reach,
        projects=projects if project_id or projects else None,
        session_id=options.session_id,
        memory_types=frozenset(options.memory_types or ()),
        tags=fold_tags(options.tags),
        category=options.category,
        since=options.since,
        until=options.until,
        include_archived=options.include_archived,
    )
