"""What a store says already, to hold a new text against."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from ...lifecycle.policy import Policy
from ...lifecycle.proposals import covers
from ...lifecycle.scope import Reach
from ...models.memory import Memory
from ...ranking.restating import Guard, Said, read, restates


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is there: of a memory, or of a proposal, whose id is then `review_id`."""

    memory: Memory
    review_id: str | None
    folded: str

    @classmethod
    def of(cls, memory: Memory, review_id: str | None = None) -> Self:
        """The text of `memory`."""
        return cls(memory, review_id, memory.content.casefold())


def restated(new: Memory, texts: Iterable[Text], reach: Reach, policy: Policy) -> Iterator[tuple[Text, Guard]]:
    """Those of `texts` that make `new` needless where it would stand, and how they say it."""
    said = read(new.content)
    for text in alike(said, texts):
        there = text.memory
        if there.id != new.id and reach.admits(there) and covers(there, new, reach, policy.rule_types):
            guard = restates(said, read(there.content))
            if guard:
                yield text, guard


def alike(said: Said, texts: Iterable[Text]) -> Iterator[Text]:
    """Those of `texts` that hold a word which all must hold that say the same."""
    return (text for text in texts if said.needle in text.folded)
