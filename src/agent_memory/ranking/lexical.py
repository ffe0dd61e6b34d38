"""The evidence for each memory by the words of a query and by what stands around it, all of it read anew."""

from collections.abc import Container, Mapping, Sequence
from itertools import pairwise
from math import fsum

from .alike import are_long, count_stems, is_spaced, likeness
from .bm25 import Key, bm25, weigh
from .context import date_named, length_weight, neighbours, relative, session_scores, sessions, speaker_named
from .document import Document
from .emphasis import emphasis
from .kinds import holds
from .query import Query
from .recipes import Recipe
from .refine import Parts, Talk, asks
from .scan import Evidence
from .scoring import EXACT


def lexical(
    documents: Sequence[Document],
    found: Sequence[Evidence],
    query: Query,
    recipe: Recipe,
    telling: Container[int] = (),
) -> tuple[dict[int, Parts], Talk]:
    """The evidence for every document that matches `query`, by kind; the words alone give up to 1.

    It holds a term of it, or one that may stand for that, or is in `telling`: its text names a day that the query
    names. With it comes what a second look needs to know of the turns around each.
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
    told = recipe.told(day=bool(query.days))

    def parts(place: int) -> Parts:
        return {
            "words": words[place],
            "letters": letters * grams[place],
            "phrases": recipe.pairs * pairs[place],
            "related": recipe.related * related[place],
            "neighbours": near[place],
            "session": recipe.session * session[place],
            "speaker": recipe.speaker * speaker_named(documents[place], query),
            "date": told if place in telling else recipe.date * date_named(documents[place], query),
        }

    def matches(place: int) -> bool:
        return bool(found[place].terms or found[place].related) or place in telling

    before = {place: earlier for group in groups for earlier, place in pairwise(group)}
    after = {earlier: place for place, earlier in before.items()}
    talk = Talk(
        document=documents.__getitem__,
        parts=parts,
        before=before.get,
        after=after.get,
        matches=matches,
        asks=lambda place: asks(documents[place]),
        holds=lambda place, kind: holds(documents[place].content, kind),
        likeness=near_first if long else None,
    )
    return {place: parts(place) for place in range(len(documents)) if matches(place)}, talk


def first_of(lexical: Mapping[int, Parts], documents: Sequence[Document], most: int) -> list[int]:
    """The places of the `most` documents that stand first by the query's evidence alone."""
    return sorted(lexical, key=lambda place: (-round(fsum(lexical[place].values()), EXACT), documents[place].id))[:most]
