"""What the first of the long texts have in common, and how much of that each has.

A question to long texts is about a subject, and no text holds all of its words; what the best have in common says more
of the subject than the question did. Weights after Rocchio (1971), over the first hits alone, as Diaz smooths scores
(Regularizing ad hoc retrieval scores, 2005).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, log, sqrt
from typing import Final

from .document import Document
from .query import Query
from .recipes import Recipe
from .scan import body, labels
from .tokenize import is_unspaced, split_words, word_terms

# How many of the first are compared with how many that stand before all others.
COMPARED: Final = 100
CORE: Final = 5


def are_long(mean: float, turns: int, total: int, recipe: Recipe) -> bool:
    """Whether memories of `mean` terms, of which `turns` of `total` belong to a session, are texts of a subject."""
    return 2 * turns < total and mean >= recipe.long_turns


def is_spaced(query: Query) -> bool:
    """Whether `query` is all in scripts that put spaces between words: in others, a word may be a sentence."""
    return not any(word.unspaced for word in query.words)


def openness(sums: Sequence[float], share: float) -> float:
    """How much the first hits leave open, 0-1: nothing where one stands far before the rest or holds all of the query.

    `sums` is the evidence for each, best first, `share` that of the query's weight that the best hold.
    """
    return sqrt(1.0 - share) * sums[min(CORE, len(sums)) - 1] / sums[0]


def stem_of(word: str, terms: Sequence[str]) -> str | None:
    """Which of the `terms` of a word of a text counts, if any: its first."""
    return terms[0] if terms and not is_unspaced(word) else None


def count_stems(document: Document, language: str) -> Counter[str]:
    """How often each stem stands in what a search reads of `document`."""
    words = split_words(body(document)) + split_words(labels(document))
    stems = (stem_of(word, word_terms(word, language)) for word in words)
    return Counter(stem for stem in stems if stem is not None)


def likeness(texts: Sequence[Mapping[str, int]], sums: Sequence[float]) -> list[float]:
    """How near each of `texts`, best first, comes to the first `CORE` of the others, as a share of the nearest.

    The very first counts as the nearest: what it has in common with worse ones must not cost it its place.

    The cosine of vectors of (1 + log count) x log((texts + 1) / texts that hold it), of stems that two or more hold;
    each of the first counts by its evidence, `sums`.
    """
    holding = Counter(stem for text in texts for stem in text)
    rarity = {stem: log((len(texts) + 1) / number) for stem, number in holding.items() if number > 1}
    vectors = [
        _unit({stem: (1.0 + log(count)) * rarity[stem] for stem, count in text.items() if stem in rarity})
        for text in texts
    ]
    weights = [one / sums[0] for one in sums[:CORE]]
    centre: dict[str, float] = {}
    for vector, weight in zip(vectors, weights, strict=False):
        for stem, value in vector.items():
            centre[stem] = centre.get(stem, 0.0) + weight * value
    near = [fsum(value * centre.get(stem, 0.0) for stem, value in vector.items()) for vector in vectors]
    return shares(near, weights)


def shares(near: Sequence[float], weights: Sequence[float]) -> list[float]:
    """`near` as shares of the greatest, without what each of the first had of itself; 1 for the very first."""
    whole = fsum(weights)
    left = [
        (value - weights[place]) / (whole - weights[place]) if place < len(weights) else value / whole
        for place, value in enumerate(near)
    ]
    top = max(left, default=0.0)
    return [1.0, *(max(0.0, value) / top for value in left[1:])] if top > 0.0 else [0.0] * len(left)


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = sqrt(fsum(value * value for value in vector.values()))
    return {stem: value / length for stem, value in vector.items()}
