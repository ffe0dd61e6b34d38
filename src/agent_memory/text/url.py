def normalize(url: str) -> str:
    return url


def site(url: str) -> str:
    return url
