import pytest

from agent_memory.text.url import normalize, site


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Example.COM/Docs/", "https://example.com/Docs"),
        ("http://example.com:80/", "http://example.com"),
        ("https://example.com:443/a#part", "https://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("localhost:8080/x", "https://localhost:8080/x"),
        ("//cdn.example.com/x", "https://cdn.example.com/x"),
        ("https://e.com/?b=2&utm_source=x&a=1&gclid=9&FBCLID=z", "https://e.com?b=2&a=1"),
        ("https://e.com/p?utm_campaign=x", "https://e.com/p"),
        ("https://user:pass@e.com/p", "https://e.com/p"),
        ("https://Bücher.example/ä b", "https://bücher.example/ä%20b"),
        ("http://[::1]:9000/x/", "http://[::1]:9000/x"),
        ("  https://e.com./  ", "https://e.com"),
    ],
)
def test_one_page_has_one_spelling(given: str, expected: str) -> None:
    assert normalize(given) == expected
    assert normalize(expected) == expected


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "javascript:alert(1)",
        "mailto:a@b.c",
        "ftp://e.com",
        "https:e.com",
        "http:///path",
        "a b.com",
        "https://e.com:99999",
        "https://a..b/",
        "https://[::1",
        "https://e\x00.com",
        "https://e.com/\ud800",
        "https://" + "a" * 300,
        "<script>",
    ],
)
def test_what_is_no_web_address_is_refused_with_a_reason(given: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        normalize(given)


def test_a_refusal_does_not_repeat_a_password() -> None:
    with pytest.raises(ValueError, match="port") as refusal:
        normalize("https://me:hunter2@e.com:x/")
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.e.com/a", "e.com"),
        ("https://e.com:8443?q=1", "e.com"),
        ("https://docs.e.com", "docs.e.com"),
        ("http://[::1]:9000/x", "[::1]"),
    ],
)
def test_a_site_is_the_host_without_www_and_port(url: str, expected: str) -> None:
    assert site(url) == expected
