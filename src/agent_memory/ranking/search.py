"""Which memories answer a query, in which order, and how sure that is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import fsum
from typing import Final

from .alike import are_long, count_stems, is_spaced, likeness
from .bm25 import Key, bm25, weigh
from .context import date_named, length_weight, neighbours, relative, session_scores, sessions, speaker_named
from .document import Document
from .emphasis import emphasis
from .hits import Hit, Ranking, Verdict, matched_words, related_words
from .kinds import holds
from .near_copies import fold
from .query import Query, Word, parse_query, undated
from .recipes import DEFAULT, Recipe
from .refine import LOOKED_AT, Parts, Talk, asks, refine
from .scan import Evidence, scan
from .site import same_page, same_site
from .standing import standing
from .tokenize import split_words
from .verdict import Strength, judge, strongest, units

__all__ = ["Hit", "Ranking", "search"]

SAME_PAGE: Final = 0.6
SAME_SITE: Final = 0.3
# How many of the first hits may show that the query is answered.
_SHOWN: Final = 5
# A word that more than this share of the memories hold (and more than `_FEW` of them) tells nothing alone.
_COMMON_SHARE: Final = 0.25
_FEW: Final = 5


@dataclass(frozen=True, slots=True)
class Match:
    """A document that matches, with the parts of its score and what of the query it holds."""

    document: Document
    evidence: Evidence
    parts: Parts
    score: float


def search(
    documents: Sequence[Document], query: str, *, now: str, url: str | None = None, recipe: Recipe = DEFAULT
) -> Ranking:
    """All `documents` that match `query` (or are of `url` or its site), best first, near-copies folded.

    A score is the share (0-1) of the query's weight that the best memories hold, times how near each hit's evidence
    comes to the best one's; confidence, importance, decay and age together can take away at most `recipe.standing`
    (a tenth) of it, and never make a match. `now` is an instant as in the documents. The order is total: score, then
    newest, then id; it does not depend on the order of `documents`.
    """
    asked = parse_query(query)
    found = scan(documents, asked, recipe.field_weight)
    containing = _counts(one.terms for one in found)
    judging = undated(asked) if any(date_named(document, asked) for document in documents) else asked
    wanted = units(judging, containing, len(documents))
    lexical, talk = _lexical(documents, found, asked, recipe)
    first = first_of(lexical, documents, LOOKED_AT)
    best = [(found[place].terms, found[place].related) for place in first[:_SHOWN]]
    strength = strongest(wanted, best, len(documents), recipe)
    unmatched = unmatched_words(judging, containing, strength)
    telling = is_telling([*containing.values(), *_counts(one.related for one in found).values()], len(documents))
    verdict, why = judged(query, judging, strength, unmatched, recipe, telling=telling)
    scores = (
        {}
        if verdict == "none"
        else scaled({**lexical, **refine(first, talk, asked, strength.share, recipe)}, strength.share)
    )
    places = {place for place, document in enumerate(documents) if same_site(document, url)} if url else set[int]()
    if verdict == "none" and places:
        verdict, why = "weak", of_site(why)
    matches = [
        to_match(documents[place], found[place], with_url(scores.get(place, {}), documents[place], url), now, recipe)
        for place in sorted(scores.keys() | places)
    ]
    hits = _hits(ordered(matches), asked)
    return Ranking(hits=hits, total=len(hits), reaching=len(hits), verdict=verdict, why=why, unmatched=unmatched)


def holding(documents: Sequence[Document], asked: Query) -> dict[str, int]:
    """How many of `documents` hold each term of `asked`, as far as any does."""
    return _counts(one.terms for one in scan(documents, asked, 1.0))


def judged(  # noqa: PLR0913  # all that a verdict goes by
    query: str, asked: Query, strength: Strength, unmatched: Sequence[str], recipe: Recipe, *, telling: bool
) -> tuple[Verdict, str]:
    """The verdict on the best memories' `strength`, and why; the rest as for `judge`."""
    if not asked.words:
        return "none", _nothing_asked(query)
    return judge(strength, unmatched, recipe, telling=telling)


def of_site(why: str) -> str:
    """What to say when the words match nothing, and the page or site does."""
    return f"{why} These memories are of the same page or site."


def unmatched_words(asked: Query, containing: Mapping[str, int], strength: Strength) -> tuple[str, ...]:
    """The words of the query, as typed, that no memory contains; of names that none of the best holds, the whole."""

    def is_in_none(word: Word) -> bool:
        terms = word.terms[:1] if word.typed in strength.unheld else word.terms
        return not any(term in containing for term in terms)

    return tuple(word.typed for word in asked.words if is_in_none(word))


def _counts(found: Iterable[Iterable[str]]) -> dict[str, int]:
    return Counter(chain.from_iterable(found))


def _lexical(
    documents: Sequence[Document], found: Sequence[Evidence], query: Query, recipe: Recipe
) -> tuple[dict[int, Parts], Talk]:
    """The evidence for every document that holds a term of `query`, by kind; the words alone give up to 1.

    With it comes what a second look needs to know of the turns around each.
    """
    lengths = [evidence.length for evidence in found]
    mean = fsum(lengths) / len(lengths) if lengths else 0.0
    groups = sessions(documents)
    b = length_weight(mean, sum(map(len, groups)), len(documents), recipe)

    long = is_spaced(query) and are_long(mean, sum(map(len, groups)), len(documents), recipe)

    def near_first(places: Sequence[int], sums: Sequence[float]) -> list[float]:
        return likeness([count_stems(documents[place], query.language) for place in places], sums)

    def score(
        counts: Sequence[Mapping[Key, float]], sizes: Sequence[float], emphasised: Mapping[Key, float]
    ) -> list[float]:
        return bm25(counts, sizes, weigh(counts, emphasised), recipe.k1, b)

    stress = emphasis(query, recipe)
    by_words = score([evidence.terms for evidence in found], lengths, stress.terms)
    words = relative(by_words)
    by_related = score([evidence.related for evidence in found], lengths, stress.terms)
    related = relative(by_related, max(by_words, default=0.0))
    grams = relative(score([one.grams for one in found], [one.gram_length for one in found], stress.grams))
    pairs = relative(score([evidence.pairs for evidence in found], lengths, {}))
    letters = recipe.letters(query.language)
    own = [
        w + letters * g + recipe.pairs * p + recipe.related * r
        for w, g, p, r in zip(words, grams, pairs, related, strict=True)
    ]
    near = neighbours(own, groups, recipe)
    session = session_scores(found, groups, recipe)

    def parts(place: int) -> Parts:
        return {
            "words": words[place],
            "letters": letters * grams[place],
            "phrases": recipe.pairs * pairs[place],
            "related": recipe.related * related[place],
            "neighbours": near[place],
            "session": recipe.session * session[place],
            "speaker": recipe.speaker * speaker_named(documents[place], query),
            "date": recipe.date * date_named(documents[place], query),
        }

    before = {place: earlier for group in groups for earlier, place in pairwise(group)}
    after = {earlier: place for place, earlier in before.items()}
    talk = Talk(
        document=documents.__getitem__,
        parts=parts,
        before=before.get,
        after=after.get,
        matches=lambda place: matches(found[place]),
        asks=lambda place: asks(documents[place]),
        holds=lambda place, kind: holds(documents[place].content, kind),
        likeness=near_first if long else None,
    )
    return {place: parts(place) for place in range(len(documents)) if matches(found[place])}, talk


def matches(evidence: Evidence) -> bool:
    """Whether a memory holds a term of the query, or one that may stand for it."""
    return bool(evidence.terms or evidence.related)


def scaled(lexical: Mapping[int, Parts], strength: float) -> dict[int, Parts]:
    """`lexical` scaled so that the best document's parts add up to `strength`."""
    top = max((fsum(parts.values()) for parts in lexical.values()), default=0.0)
    return {
        place: {name: strength * value / top for name, value in parts.items() if value}
        for place, parts in lexical.items()
    }


def first_of(lexical: Mapping[int, Parts], documents: Sequence[Document], most: int) -> list[int]:
    """The places of the `most` documents that stand first by the query's evidence alone."""
    return sorted(lexical, key=lambda place: (-fsum(lexical[place].values()), documents[place].id))[:most]


def is_telling(sizes: Iterable[int], total: int) -> bool:
    """Whether any of what matched, each in so many of the `total` memories, is in not very many."""
    common = max(_FEW, _COMMON_SHARE * total)
    return any(number <= common for number in sizes)


def _nothing_asked(query: str) -> str:
    words = split_words(query)
    if not words:
        return "The query has no letters or digits to search for. Name the subject in words."
    return "The query has only words too common to search for. Add a word that names the subject."


def with_url(parts: Parts, document: Document, url: str | None) -> Parts:
    """`parts` and what `url` adds: a share of what the words have left open, so that the sum stays below 1."""
    nearness = SAME_PAGE if same_page(document, url) else SAME_SITE if same_site(document, url) else 0.0
    return {**parts, "url": nearness * (1.0 - fsum(parts.values()))} if nearness else parts


def to_match(  # noqa: PLR0913  # all that a score goes by
    document: Document, evidence: Evidence, evident: Parts, now: str, recipe: Recipe, retained: float | None = None
) -> Match:
    """Let the memory's standing decide a bounded share of what is `evident`; `retained` as for `standing`."""
    parts = {name: (1.0 - recipe.standing) * value for name, value in evident.items()}
    parts["standing"] = recipe.standing * standing(document, now, retained) * fsum(evident.values())
    return Match(document, evidence, parts, min(1.0, fsum(parts.values())))


def ordered(matches: Sequence[Match]) -> list[Match]:
    """Best first; among equals the newest, then by id."""
    by_id = sorted(matches, key=lambda match: match.document.id)
    newest = sorted(by_id, key=lambda match: match.document.updated_at, reverse=True)
    return sorted(newest, key=lambda match: match.score, reverse=True)


def _hits(matches: Sequence[Match], query: Query) -> tuple[Hit, ...]:
    folded = fold([match.document.content for match in matches])
    copies: dict[int, list[str]] = {}
    for place, into in enumerate(folded):
        copies.setdefault(into, [])
        if into != place:
            copies[into].append(matches[place].document.id)
    return tuple(to_hit(matches[place], query, tuple(ids)) for place, ids in copies.items())


def to_hit(match: Match, query: Query, collapsed: tuple[str, ...]) -> Hit:
    matched, needles = matched_words(query, match.evidence)
    related = related_words(query, match.evidence)
    return Hit(
        id=match.document.id,
        score=match.score,
        matched_terms=matched,
        needles=tuple(dict.fromkeys((*needles, *(word for _, word in related)))),
        parts=match.parts,
        related=related,
        collapsed=collapsed,
    )
