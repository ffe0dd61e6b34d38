"""The warm server as a process: its life, its neighbours and its enemies."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from support.actor import ROOT, inherited, run_actor
from support.http import token_entry
from support.server import PATIENCE_S, Running, server, start

STORE = "acme~served"
BODY = json.dumps({"memoryStoreId": STORE, "content": "The last word."}).encode()
PIECES = 16_384
SERVED = re.compile(r"<!-- serve -->\n+```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_YET = """
import sys
import agent_memory.main
import agent_memory.transports.http.serving
late = ("apify", "crawlee", "mcp", "numpy", "sklearn", "sqlalchemy", "agent_memory.actions", "agent_memory.ranking",
        "agent_memory.store.memory_store", "agent_memory.store.snapshot", "agent_memory.contracts")
print([name for name in late if name in sys.modules])
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    """A server for all tests that leave it alive; headers and bodies may take a second."""
    with server(tmp_path_factory.mktemp("server"), AGENT_MEMORY_REQUEST_SECONDS="1") as running:
        yield running
        assert running.process.poll() is None
        assert running.ask("stats", memoryStoreId=STORE)["ok"]


def head(path: str, running: Running, *lines: str, method: str = "POST") -> bytes:
    """The head of a request."""
    given = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{running.port}", "Content-Type: application/json", *lines]
    return "\r\n".join((*given, "", "")).encode("latin-1")


def connect(running: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE_S)


def rest_of(connection: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    came = b""
    try:
        while chunk := connection.recv(65_536):
            came += chunk
    except ConnectionError:  # the server closed while bytes were on their way
        pass
    return came


def test_nothing_heavy_is_loaded_before_the_probe_is_answered() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NOT_YET],
        env={**inherited(), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )

    assert done.stdout.strip() == "[]"


def test_a_request_that_has_begun_is_finished_before_the_server_ends(tmp_path: Path) -> None:
    with server(tmp_path) as running, connect(running) as connection:
        connection.sendall(head("/v1/remember", running, f"Content-Length: {len(BODY)}") + BODY[:5])
        httpx.get(f"{running.url}/health")  # by now the request above is being read
        running.process.send_signal(signal.SIGTERM)
        connection.sendall(BODY[5:])
        answer = rest_of(connection)
        code = running.process.wait(PATIENCE_S)
        log = running.log.read_text("utf-8")

    assert answer.startswith(b"HTTP/1.1 200")
    assert code == 0
    assert '"event": "stopped"' in log
    assert "Exiting Actor" in log
    found = run_actor(tmp_path, {"action": "search", "memoryStoreId": STORE, "query": "last word"})
    assert found.output["count"] == 1


def test_a_server_that_is_stopped_before_it_is_warm_ends_well(tmp_path: Path) -> None:
    running = start(tmp_path, ready=False)

    assert running.stop() == 0


def test_two_servers_and_a_batch_run_on_one_folder_see_each_others_writes(tmp_path: Path) -> None:
    def batch() -> None:
        ended = run_actor(tmp_path, {"action": "remember", "memoryStoreId": STORE, "content": "A batch run was here."})
        assert ended.exit_code == 0, ended.log

    with server(tmp_path) as one, server(tmp_path) as two, ThreadPoolExecutor(1) as pool:
        runs = pool.submit(batch)
        for turn in range(10):
            writer, reader = (one, two) if turn % 2 else (two, one)
            written = writer.ask("remember", memoryStoreId=STORE, content=f"Turn {turn} is number {turn}.")
            read = reader.ask("get", memoryStoreId=STORE, memoryId=written["memory"]["id"])
            assert read["ok"], read
        runs.result()
        totals = [each.ask("stats", memoryStoreId=STORE)["totalMemories"] for each in (one, two)]

    assert totals == [11, 11]


def test_the_curl_lines_of_the_guides_do_what_they_show(running: Running) -> None:
    guides = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = [block for guide in guides for block in re.findall(SERVED, guide.read_text("utf-8"))]
    assert blocks
    for block in blocks:
        script = block.replace("http://127.0.0.1:4321", running.url)
        done = subprocess.run(["sh", "-ec", script], capture_output=True, text=True, timeout=PATIENCE_S, check=True)  # noqa: S607  # the reader's own shell
        answers = [json.loads(line) for line in done.stdout.replace("}{", "}\n{").splitlines()]
        assert len(answers) == block.count("curl ")
        assert all(answer["ok"] for answer in answers)
        assert all(answer["count"] for answer in answers if answer["action"] == "search")


def test_without_tokens_only_this_machine_is_served(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ended with 1") as ended:
        start(tmp_path, AGENT_MEMORY_HOST="0.0.0.0")  # noqa: S104  # what is refused

    assert "agent-memory token" in str(ended.value)


def test_a_port_that_is_taken_is_said(tmp_path: Path, running: Running) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "agent_memory", "serve", "--port", str(running.port)],
        cwd=tmp_path,
        env={**inherited(), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )

    assert done.returncode == 1
    assert "cannot listen" in done.stderr


def test_a_body_without_end_takes_no_memory(running: Running) -> None:
    """1 GB, chunked, from one who does not stop when refused."""
    running.ask("remember", memoryStoreId=STORE, content="x" * 100_000)
    before = running.forget_peak()
    piece = b"%x\r\n" % PIECES + b" " * PIECES + b"\r\n"
    sent = 0
    with connect(running) as connection:
        connection.sendall(head("/v1/remember", running, "Transfer-Encoding: chunked"))
        try:
            while sent < 1_000_000_000:
                connection.sendall(piece * 16)
                sent += PIECES * 16
        except ConnectionError:
            pass

    assert sent < 1_000_000_000, "the server took it all"
    assert running.peak_bytes() - before <= 16 * 1024 * 1024


def test_a_token_for_one_store_is_not_told_of_one_with_nearly_the_same_id(tmp_path: Path) -> None:
    tokens = {"all": token_entry("all", "am_all"), "one": token_entry("one", "am_one", "Otters ")}
    with server(tmp_path, ready=False, AGENT_MEMORY_TOKENS=json.dumps(list(tokens.values()))) as running:

        def ask(action: str, token: str, **fields: str) -> str:
            headers = {"authorization": f"Bearer am_{token}"}
            return httpx.post(f"{running.url}/v1/{action}", json=fields, headers=headers, timeout=PATIENCE_S).text

        assert '"ok":true' in ask("remember", "all", memoryStoreId="otters", content="There is a secret store.")
        told = ask("stats", "one", memoryStoreId="Otters ")

    assert '"ok":true' in told
    assert "otters" not in json.dumps(json.loads(told)["warnings"])


def test_many_large_bodies_at_once_from_strangers_take_no_memory(tmp_path: Path) -> None:
    entry = {"name": "ana", "sha256": "0" * 64, "stores": ["*"]}
    with server(tmp_path, ready=False, AGENT_MEMORY_TOKENS=json.dumps([entry])) as running:
        httpx.get(f"{running.url}/health")
        before = running.forget_peak()
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(_shove, [running] * 64))
        after = running.peak_bytes()

    assert all(answer in (b"", b"HTTP/1.1 401") for answer in answers)
    assert after - before <= 64 * 1024 * 1024  # the storage is being loaded meanwhile


def _shove(running: Running) -> bytes:
    with connect(running) as connection:
        with suppress(ConnectionError):
            connection.sendall(head("/v1/remember", running, "Content-Length: 4000000") + b" " * 4_000_000)
        return rest_of(connection)[:12]


@pytest.mark.parametrize("start_line", [b"", b"GET /health HTTP/1.1\r\n", b"GET /health HTTP/1.1\r\nHost: x\r\nX-"])
def test_headers_that_do_not_end_are_not_waited_for(running: Running, start_line: bytes) -> None:
    with connect(running) as connection:
        connection.sendall(start_line)
        dripping = threading.Event()

        def drip() -> None:
            while not dripping.wait(0.2):
                try:
                    connection.sendall(b"a")
                except OSError:
                    return

        dripper = threading.Thread(target=drip)
        if start_line.endswith(b"X-"):
            dripper.start()
        came = rest_of(connection)
        dripping.set()
        if dripper.ident:
            dripper.join()

    assert came.startswith(b"HTTP/1.1 408") or came == b""


def test_a_second_request_on_a_connection_is_not_waited_for_either(running: Running) -> None:
    with connect(running) as connection:
        connection.sendall(head("/health", running, method="GET"))
        first = b""
        while not first.endswith(b"}"):
            first += connection.recv(65_536)
        connection.sendall(b"GET /health HT")
        came = rest_of(connection)

    assert first.startswith(b"HTTP/1.1 200")
    assert came.startswith(b"HTTP/1.1 408")


def test_a_body_that_comes_drop_by_drop_is_not_waited_for(running: Running) -> None:
    with connect(running) as connection:
        connection.sendall(head("/v1/remember", running, "Content-Length: 1000") + b"{")
        came = rest_of(connection)

    assert came.startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET http://evil.com/health HTTP/1.1\r\nHost: evil.com\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        b"POST /v1/stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/stats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzzzz",
        b"POST /v1/stats HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /health HTTP/1.1\r\nHost: evil.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"\0" * 70_000,
    ],
    ids=range(12),
)
def test_what_is_no_request_of_ours_is_refused_and_the_server_lives_on(running: Running, raw: bytes) -> None:
    with connect(running) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        came = rest_of(connection)

    assert came == b"" or came[:12] in {b"HTTP/1.1 400", b"HTTP/1.1 403", b"HTTP/1.1 408", b"HTTP/1.1 413"}, came[:200]
    assert httpx.get(f"{running.url}/health").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/v1/../../etc/passwd", "/v1/%2e%2e%2fetc", "/v1/remember%00", "/%2f%2fevil.com", "/v1/%ff", "/..;/v1/stats",
     "/api/memories/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/api/memories/..%5c..%5cx", "/api/memories/a%00b"],
)  # fmt: skip
def test_a_path_leads_out_of_nothing(running: Running, path: str) -> None:
    with connect(running) as connection:
        connection.sendall(head(path, running, "Connection: close", method="GET"))
        came = rest_of(connection)

    folder = running.log.parent
    assert int(came[9:12]) in {200, 400, 404, 405}, came[:200]
    assert b"root:" not in came
    assert {path.name for path in folder.iterdir()} <= {"storage", "server-0.log"}
    assert all(
        store.name.startswith("mem-") or store.name == "default"
        for store in (folder / "storage" / "key_value_stores").iterdir()
        if store.is_dir()
    )
