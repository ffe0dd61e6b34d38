"""An index of the memories for processes that live long: what `ranking.search` answers, without reading every text."""
