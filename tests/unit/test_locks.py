import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ASKED = {"requirements.txt": PROJECT["dependencies"]}
ASKED["requirements-dev.txt"] = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
# Not installed for tests: the engines that benchmarks compare with.
BENCH = {"requirements-bench.txt": [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["bench"]]}

both_locks = pytest.mark.parametrize("lock", ASKED)
every_lock = pytest.mark.parametrize("lock", ASKED | BENCH)


def pins(lock: str) -> dict[str, Requirement]:
    """The pins of a lock by canonical name, with the line's hashes left out."""
    lines = re.findall(r"^([a-z0-9][^\\\n]*==[^\\\n]*)", (ROOT / lock).read_text("utf-8"), flags=re.MULTILINE)
    return {canonicalize_name(pin.name): pin for pin in map(Requirement, lines)}


def version(pin: Requirement) -> str:
    return str(pin.specifier).removeprefix("==")


def needed(requirements: Iterable[str]) -> set[str]:
    """Every distribution that this interpreter needs for `requirements`, by the metadata of what is installed."""
    found: set[str] = set()
    queue = [(Requirement(text), "") for text in requirements]
    seen: set[tuple[str, str]] = set()
    while queue:
        requirement, extra = queue.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        found.add(name)
        for wanted in {"", *requirement.extras} - {extra for known, extra in seen if known == name}:
            seen.add((name, wanted))
            queue += [(Requirement(text), wanted) for text in distribution(name).requires or ()]
    return found


@every_lock
def test_a_lock_pins_everything_that_pyproject_asks_for_within_its_range(lock: str) -> None:
    locked = pins(lock)
    for requirement in map(Requirement, (ASKED | BENCH)[lock]):
        pin = locked.get(canonicalize_name(requirement.name))
        assert pin, f"{lock} lacks {requirement}: run `make lock`"
        assert requirement.specifier.contains(version(pin)), f"{lock} has {pin}, not {requirement}: run `make lock`"


@both_locks
def test_a_lock_holds_what_its_packages_need_and_nothing_more(lock: str) -> None:
    here = {name for name, pin in pins(lock).items() if not pin.marker or pin.marker.evaluate()}
    assert here == needed(ASKED[lock]), f"{lock} is stale: run `make lock`"


@both_locks
def test_the_environment_has_the_locked_versions(lock: str) -> None:
    for name, pin in pins(lock).items():
        try:
            installed = distribution(name).version
        except PackageNotFoundError:
            assert pin.marker, f"{name} is locked and not installed: run `make test`"
            assert not pin.marker.evaluate(), f"{name} is locked and not installed: run `make test`"
            continue
        assert installed == version(pin), f"{name}: the lock says {version(pin)}; run `make test`"


@pytest.mark.parametrize("lock", ["requirements-dev.txt", *BENCH])
def test_the_tools_are_locked_on_the_versions_that_the_actor_runs_on(lock: str) -> None:
    tools = pins(lock)
    assert {name: version(pin) for name, pin in pins("requirements.txt").items()}.items() <= {
        name: version(pin) for name, pin in tools.items()
    }.items()


def test_no_test_tool_is_installed_at_run_time() -> None:
    tools = {canonicalize_name(Requirement(text).name) for text in PROJECT["optional-dependencies"]["dev"]}
    assert not tools & pins("requirements.txt").keys()


@every_lock
def test_a_lock_verifies_every_pin_and_names_no_host_and_no_path(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert len(pins(lock)) == len(re.findall(r"^[a-z0-9][^\n]*\\\n +--hash=sha256:[0-9a-f]{64}", text, re.MULTILINE))
    assert not re.search(r"://|--(extra-)?index-url|--find-links|\s/", text)


def test_the_oldest_python_that_the_project_promises_is_the_one_it_is_locked_for() -> None:
    assert SpecifierSet(PROJECT["requires-python"]) == SpecifierSet(">=3.11")
    assert "--python-version 3.11" in (ROOT / "Makefile").read_text("utf-8")
