from hypothesis import given
from hypothesis import strategies as st

from agent_memory.text.url import normalize, site

ADDRESS_LIKE = st.lists(
    st.one_of(
        st.sampled_from(
            ["http://", "https://", "//", "www.", "e.com", ":80", ":443", "/", "?", "&", "#", "utm_x=1", "@"]
        ),
        st.sampled_from(["a=1", "%20", " ", "[", "]", "::1", ".", "user:pw@", "İ", "ß", "\u2028", "\ufeff", "\u200b"]),
        st.text(max_size=4),
    ),
    max_size=12,
).map("".join)


@given(st.one_of(ADDRESS_LIKE, st.text()))
def test_normalising_twice_changes_nothing_and_no_text_crashes(url: str) -> None:
    try:
        once = normalize(url)
    except ValueError:
        return
    assert normalize(once) == once
    assert once.startswith(("http://", "https://"))
    assert site(once)
