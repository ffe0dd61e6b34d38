"""Words of questions and of everyday talk: found in every store, they say little about its subject."""

from typing import Final

from .listed import listed

GENERIC: Final = listed("""
    use uses used using get gets got getting make makes made making take takes took give gives go goes going went come
    comes want wants need needs know known think like say says said tell told ask see seen look find found show shows
    work works way ways thing things kind type types name names named many much number first last new old good best time
    times day days date dates year years month months week people person someone something anything one two different
    similar example according happen happened happens called call main purpose able based part help try put set keep
    start
""")
