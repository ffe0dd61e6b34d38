"""Made-up notes of software work, the same at every call: 150-300 characters each, no two alike."""

from typing import Any, Final

_SERVICES: Final = (
    "billing", "search", "checkout", "catalog", "identity", "reporting", "webhook", "pricing", "export", "inventory",
)  # fmt: skip
_TEMPLATES: Final = (
    (
        "api_quirk",
        (
            "The {service} API answers {code} when the page parameter goes past {number}, although its manual "
            "promises an empty list. Treat that answer as the end of the pages and keep the rows read so far."
        ),
    ),
    (
        "decision",
        (
            "We decided to keep {service} on version {version} until the {other} team has moved its jobs; "
            "upgrading earlier breaks the nightly import of {number} records. Look at this again at the end of "
            "the quarter."
        ),
    ),
    (
        "bug_fix",
        (
            "Timeouts in {service} came from a pool of {small} connections that `{other}_worker` shares. Raising "
            "it to {big} in config/{service}.toml ended them; the graphs stayed flat for {number} minutes "
            "afterwards."
        ),
    ),
    (
        "preference",
        (
            "For reviews of {service} please keep each change under {number} lines and name the ticket {key} in "
            "the title. The {other} owners read changes in the morning, so ask for a review before ten."
        ),
    ),
    (
        "workflow",
        (
            "To deploy {service}: run `make release VERSION={version}`, wait for the smoke test on port {port}, "
            "then let {other} drain for {small} minutes before the old pods stop. Roll back with the tag of the "
            "day before."
        ),
    ),
    (
        "fact",
        (
            "The staging copy of {service} holds {number} customers and is rebuilt from {other} every {small} "
            "hours. Ids there begin with {key}, so a row that shows up in production with such an id was copied "
            "by mistake."
        ),
    ),
)
_ENDINGS: Final = (
    "",
    " Seen again in March; the logs are attached to the ticket.",
    " This holds for the eu-west region only, the others still follow the older runbook and its longer pauses.",
    " Ask before changing it: two customers depend on the present behaviour.",
    "",
    " Measured on a quiet Sunday, so expect worse on the first working day of a month.",
    " Superseded once already, see the ticket.",
)


def notes(count: int) -> list[dict[str, Any]]:
    """`count` items for `memories` of a bulk remember."""
    return [_note(index) for index in range(count)]


def _note(index: int) -> dict[str, Any]:
    memory_type, template = _TEMPLATES[index % len(_TEMPLATES)]
    service = _SERVICES[index * 7 % len(_SERVICES)]
    content = template.format(
        service=service,
        other=_SERVICES[(index * 3 + 1 + index // 10) % len(_SERVICES)],
        code=(400, 404, 409, 422, 429, 500, 503)[index % 7],
        number=100 + index * 37,
        small=2 + index % 23,
        big=40 + index % 57,
        version=f"{1 + index % 5}.{index % 40}.{index % 11}",
        key=f"{service[:3].upper()}-{1000 + index}",
        port=8000 + index,
    )
    return {
        "content": content + _ENDINGS[index * 5 % len(_ENDINGS)],
        "url": f"https://{service}.example.com/docs/{index % 97}",
        "memoryDetails": {
            "memoryType": memory_type,
            "tags": [service, f"sprint-{index % 26}"],
            "confidence": round(0.5 + index % 5 / 10, 1),
            "importance": round(0.2 + index % 7 / 10, 1),
        },
    }
