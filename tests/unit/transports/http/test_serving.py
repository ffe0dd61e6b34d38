"""How the server listens."""

import socket

from agent_memory.transports.http.serving import listen


def test_an_answer_is_not_held_back_until_the_client_has_acknowledged_its_first_part() -> None:
    with listen("127.0.0.1", 0) as waiting, socket.create_connection(waiting.getsockname()):
        accepted, _ = waiting.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
