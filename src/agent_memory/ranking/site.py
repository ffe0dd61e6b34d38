"""Which memories are of the same page or the same site as a url."""

import re
from functools import lru_cache
from typing import Final

from .document import Document

_SITE: Final = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?(?:www\.)?(\[[^\]]*\]|[^/?#:@]+)", re.IGNORECASE)


@lru_cache(maxsize=256)
def site_of(url: str | None) -> str | None:
    """The host of `url` in lower case, without user, port or a leading `www.`; a bare host is its own site."""
    found = _SITE.match(url) if url else None
    return found[1].casefold() if found else None


def same_page(document: Document, url: str | None) -> bool:
    """Whether `document` is of `url`, but for a closing slash."""
    return bool(url) and document.url is not None and document.url.rstrip("/") == str(url).rstrip("/")


def same_site(document: Document, url: str | None) -> bool:
    """Whether `document` is of the site of `url`."""
    site = site_of(url)
    return site is not None and (_is_of(document.site, site) or _is_of(document.url, site))


def _is_of(place: str | None, site: str) -> bool:
    return place is not None and site in place.casefold() and site_of(place) == site
