"""What the storages of Apify raise, in words that say what to do."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from apify_client.errors import ApifyApiError, ApifyClientError

from ...errors import StorageUnavailableError, TooLargeError

_TOO_LARGE: Final = 413


@contextmanager
def storage_errors(key: str) -> Generator[None]:
    """Turn what a storage raises into an error that says what to do."""
    try:
        yield
    except ApifyApiError as error:
        if error.status_code == _TOO_LARGE:
            message = f"The storage refused {key}: too large. Store less in one memory."
            raise TooLargeError(message) from error
        message = (
            f"The Apify storage answered {error.status_code} for {key}. "
            "Try again; if it stays, check the permissions of the run."
        )
        raise StorageUnavailableError(message) from error
    except (ApifyClientError, TimeoutError) as error:
        message = f"The Apify storage did not answer for {key}. Try again."
        raise StorageUnavailableError(message) from error
    except OSError as error:
        message = (
            f"The storage folder refused {key}: {error.strerror or error}. "
            "Free some space or check its rights, then try again."
        )
        raise StorageUnavailableError(message) from error
