"""Named sets of ranking weights, each with its reason."""

from dataclasses import dataclass
from typing import Final

_COMPOUNDING: Final = ("dutch", "german")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The weights of one way to rank. Evidence weights are shares of what the words themselves can give (1)."""

    # BM25: .9 lets a second mention count a little; more rewards repetition, which short notes do not have.
    k1: float = 0.9
    # Chat turns are short for want of words, not for want of focus: their length says little.
    b_short: float = 0.25
    # A long document is long because it is about more: the textbook value.
    b_long: float = 0.75
    # Terms a memory, on average, from which memories are documents: where most are turns of a conversation, and where
    # they stand alone, since a function or a page of notes is a whole of its own.
    long_turns: float = 60.0
    long_alone: float = 30.0
    # A word in the title, tags or url was chosen to name the memory.
    field_weight: float = 2.0
    # What the query names (`close()`, SHOP-1200) is what it is about. What only asks ("purpose", "work", "class" beside
    # a name) stands in texts on anything, and is rare in code all the same.
    named: float = 1.75
    asking_words: float = 0.4
    # A memory that lacks a word of the query may hold a kind of it, or another word for it: worth half of the word.
    related: float = 0.5
    # Letters shared inside words: spelling, compounds and endings that the stemmer leaves apart.
    grams: float = 0.5
    # In a language that writes compounds as one word they say more than the words do, which often are parts of words.
    grams_compound: float = 1.2
    # Neighbouring words of the query that stand together say that the same thing is meant.
    pairs: float = 0.25
    # An answer stands next to its question: the turns around a good one, nearer counts more.
    previous: float = 0.3
    following: float = 0.2
    second: float = 0.1
    # A conversation about the subject makes each of its turns likelier.
    session: float = 0.7
    # The query names who said it.
    speaker: float = 0.25
    # The query names the month in which it was said: few memories are of it. Only the year: half of this.
    date: float = 0.9
    # It names the day, too, and this was said on it or just after: there is hardly another.
    day: float = 0.9
    # Of what a question that matches has of its own, the turn that replies to it gets this much: it holds the answer.
    reply: float = 0.6
    # From here on a question matches so well that its reply is a match, also without a word of the query.
    asked: float = 0.3
    # A turn that only asks, and is replied to, is not the answer: it loses this share of its own.
    asking: float = 0.15
    # It holds a time where the query asks when, a number where it asks how many: it could be the answer.
    kind: float = 0.3
    # Where no long text holds all of the query, what the best have in common says what it is about.
    alike: float = 1.5
    # Share of the score that confidence, importance, what decay left and recency decide together.
    standing: float = 0.1
    # Share of the query's weight that the best memory must hold for an answer to be strong, or to be one at all.
    strong: float = 0.5
    weak: float = 0.15

    def told(self, *, day: bool) -> float:
        """What it gives that the text names the month that the query names, and the day, where it names one."""
        return self.date + self.day if day else self.date

    def letters(self, language: str) -> float:
        """What letters give in `language`, a Snowball name."""
        return self.grams_compound if language in _COMPOUNDING else self.grams


DEFAULT: Final = Recipe()
