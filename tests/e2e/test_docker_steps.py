"""The steps of the Dockerfile, taken with the local interpreter in a clean folder: no container engine is needed.

What this cannot show: the base image itself, its user, and the size of the layers.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IMAGE_FOLDER = "/usr/src/app"
BASE_IMAGE_ENV = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PIP_NO_CACHE_DIR": "1"}

pytestmark = pytest.mark.e2e


@dataclass(frozen=True)
class Image:
    """What the steps built: the folder that stands for the image's working directory, its environment and command."""

    folder: Path
    env: Mapping[str, str]
    command: list[str]


def instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Yield (name, arguments) of each instruction, comments dropped and continued lines joined."""
    code = re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(str.strip, code.splitlines()):
        name, arguments = line.split(maxsplit=1)
        yield name, arguments.strip()


def copy(sources: list[str], target: Path) -> None:
    for source in sources:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / source, target)


def shell(command: str, folder: Path, env: Mapping[str, str]) -> None:
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"RUN {command}\n{done.stdout}{done.stderr}"


def program(name: str, env: Mapping[str, str]) -> str:
    """Where `name` is on the image's own PATH."""
    found = shutil.which(name, path=env["PATH"])
    assert found, f"no {name} on {env['PATH']}"
    return found


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    base = tmp_path_factory.mktemp("image")
    folder = base / "app"
    folder.mkdir()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "VIRTUAL_ENV"))}
    env |= BASE_IMAGE_ENV
    env["PATH"] = f"{base / 'python' / 'bin'}{os.pathsep}{env['PATH']}"
    # Byte code of the shared standard library goes here, not into the interpreter that runs the tests.
    env["PYTHONPYCACHEPREFIX"] = str(base / "bytecode")
    subprocess.run([sys.executable, "-m", "venv", base / "python"], env=env, check=True)
    command: list[str] = []
    for name, arguments in instructions((ROOT / "Dockerfile").read_text("utf-8")):
        match name:
            case "COPY":
                *sources, target = arguments.split()
                copy(sources, folder / target)
            case "RUN":
                shell(arguments, folder, env)
            case "ENV":
                key, value = arguments.split("=", maxsplit=1)
                env[key] = value.replace(IMAGE_FOLDER, str(folder))
            case "CMD":
                command = json.loads(arguments)
            case "WORKDIR":
                assert arguments == IMAGE_FOLDER
            case "FROM" | "USER":
                pass
            case _:
                pytest.fail(f"this test does not know how to take the step {name} {arguments}")
    return Image(folder, env, command)


def start(image: Image, payload: Mapping[str, object], *, verbose: bool = False) -> subprocess.CompletedProcess[str]:
    """Start the image's command on `payload`; `verbose` makes the interpreter say where each module came from."""
    store = image.folder / "storage" / "key_value_stores" / "default"
    store.mkdir(parents=True, exist_ok=True)
    (store / "INPUT.json").write_text(json.dumps(payload), "utf-8")
    command = [program(image.command[0], image.env), *(["-v"] if verbose else []), *image.command[1:]]
    return subprocess.run(command, cwd=image.folder, env=image.env, capture_output=True, text=True, check=False)


def output(image: Image) -> dict[str, object]:
    return json.loads((image.folder / "storage" / "key_value_stores" / "default" / "OUTPUT").read_text("utf-8"))


def test_the_image_remembers_and_finds_it_again_in_a_new_run(image: Image) -> None:
    remembered = start(
        image, {"action": "remember", "memoryStoreId": "acme~image", "content": "Deploys run at noon on Tuesdays."}
    )
    assert remembered.returncode == 0, remembered.stderr
    assert output(image)["ok"] is True

    searched = start(image, {"action": "search", "memoryStoreId": "acme~image", "query": "when do deploys run"})
    assert searched.returncode == 0, searched.stderr
    assert output(image)["count"] == 1


def test_the_image_compiles_no_module_at_start(image: Image) -> None:
    started = start(image, {"action": "stats", "memoryStoreId": "acme~image"}, verbose=True)
    assert started.returncode == 0, started.stderr[-2000:]
    assert "agent_memory" in started.stderr
    compiled_at_start = re.findall(r"^# code object from '?(\S+\.py)'?$", started.stderr, flags=re.MULTILINE)
    assert compiled_at_start == []


def test_the_image_holds_nothing_but_the_lock_and_the_source() -> None:
    copied = [
        source
        for name, arguments in instructions((ROOT / "Dockerfile").read_text("utf-8"))
        if name == "COPY"
        for source in arguments.split()[:-1]
    ]
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]
    assert copied == allowed == ["requirements.txt", "src"]


def test_the_image_has_no_development_tool(image: Image) -> None:
    command = [program("pip", image.env), "list", "--format=freeze"]
    listed = subprocess.run(command, env=image.env, capture_output=True, text=True, check=True)
    installed = {line.split("==")[0].lower() for line in listed.stdout.splitlines()}
    assert "apify" in installed
    assert not installed & {"pytest", "hypothesis", "ruff", "basedpyright", "coverage"}
