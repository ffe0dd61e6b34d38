"""Clients of a warm server, in a process of their own: as many connections as asked for, for so many seconds.

python server_client.py <job as JSON>; answers on stdout, as JSON, how long each request took and what was refused.
"""

import asyncio
import json
import random
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from notes import notes

_WORDS: Final = sorted({word for note in notes(200) for word in note["content"].lower().split() if word.isalpha()})


@dataclass(frozen=True, kw_only=True)
class Job:
    """What to send. `rate` is requests a second by all clients together; 0 sends the next as soon as one is answered.

    `verb` is search, remember or health; `mark` begins the texts that are remembered. With `readers`, ports of other
    servers, each memory is asked for there as soon as it is acknowledged.
    """

    port: int
    store: str
    verb: str
    clients: int
    seconds: float
    rate: float = 0
    mark: str = "load"
    readers: tuple[int, ...] = ()


@dataclass(kw_only=True)
class Told:
    """What came back. Times are milliseconds from when a request was due until it was answered whole.

    `cpu_seconds` is what the clients took themselves.
    """

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    took_ms: list[float] = field(default_factory=list[float])
    ids: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    unseen: list[str] = field(default_factory=list[str])


class Connection:
    """One connection that is kept open."""

    def __init__(self, port: int) -> None:
        """It connects when it is first used."""
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, payload: dict[str, Any] | None) -> dict[str, Any]:
        """The body that answers a POST of `payload`, or a GET."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        body = b"" if payload is None else json.dumps(payload).encode()
        head = f"{'GET' if payload is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        writer.write(f"{head}{kind}\r\n".encode() + body)
        headers = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(headers.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        return json.loads(await reader.readexactly(length))

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


async def run(job: Job) -> Told:
    """Send what `job` says."""
    told = Told()
    start, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(_client(job, number, start, told) for number in range(job.clients)))
    told.seconds, told.cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    return told


async def _client(job: Job, number: int, start: float, told: Told) -> None:
    chance = random.Random(number)
    connection, readers = Connection(job.port), [Connection(port) for port in job.readers]
    pause = job.clients / job.rate if job.rate else 0.0
    due = start + pause * number / job.clients
    sent = 0
    while True:
        now = time.perf_counter()
        due = due + pause if job.rate and sent else (due if job.rate else now)
        if max(due, now) >= start + job.seconds:
            break
        await asyncio.sleep(max(0.0, due - now))
        path, payload = _request(job, f"{number}-{sent}", chance)
        answer = await connection.ask(path, payload)
        sent += 1
        told.took_ms.append((time.perf_counter() - due) * 1000)
        if not answer.get("ok", job.verb == "health"):
            told.refused.append(json.dumps(answer)[:300])
        elif job.verb == "remember":
            told.ids.append(answer["memory"]["id"])
            await _look_for(told.ids[-1], job, readers, told)
    for one in (connection, *readers):
        one.close()


async def _look_for(memory_id: str, job: Job, readers: list[Connection], told: Told) -> None:
    for reader in readers:
        answer = await reader.ask("/v1/get", {"memoryStoreId": job.store, "memoryId": memory_id})
        if not answer["ok"]:
            told.unseen.append(memory_id)


def _request(job: Job, name: str, chance: random.Random) -> tuple[str, dict[str, Any] | None]:
    match job.verb:
        case "search":
            query = " ".join(chance.sample(_WORDS, 4))
            return "/v1/search", {"memoryStoreId": job.store, "query": query, "maxResults": 8}
        case "remember":
            text = f"{job.mark} {name}: {' '.join(chance.choices(_WORDS, k=40))}."
            return "/v1/remember", {"memoryStoreId": job.store, "content": text}
        case _:
            return "/health", None


if __name__ == "__main__":
    given: dict[str, Any] = json.loads(sys.argv[1])
    given["readers"] = tuple(given["readers"])
    print(json.dumps(asdict(asyncio.run(run(Job(**given))))))
