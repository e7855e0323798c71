# tests: a server among the programs that meet faults: how it is configured, what its clients ask it, how it is told to end.
import contextlib
import os
import re
import signal
import socket
import subprocess
import time
import zlib
from pathlib import Path

from programs import requests
from programs.servers import NGINX, PASSING, SINGLE, USUAL

# Below those that the kernel gives to clients.
PORT = 23017
# What was not answered by then never will be: an answer takes some milliseconds.
PATIENCE_S = 3
# Back in its wait when it has closed the last connection: a signal that comes before would be seen by the next event only.
CALM_S = 0.05
ENDS_S = 5
CONFIGURATIONS = {"nginx.conf": USUAL, "nginx-read.conf": "sendfile off;"}
# One process: it makes the same calls each time. Each row is a connection; the next request is sent when the last one is answered.
CONVERSATIONS = (
    (requests.get("/page", close=False), requests.get("/line", close=False), requests.get("/none", close=False), requests.get("/record")),
    (requests.get("/page", "Range: bytes=3-9,4000-4005"),),
    (requests.get("/empty", method="HEAD", close=False), requests.get("/line", "If-None-Match: *")),
    (requests.get("/line", "Content-Length: 5", close=False, method="POST") + b"hello", requests.get("/", "Accept-Encoding: gzip")),
)
MASKED = re.compile(rb"\A\d+\n\Z|127\.[\d.]+:\d+|Date: [^\r]*|" + PASSING.pattern.encode())


def address(folder):
    """Each folder's own, on this machine: no two servers meet."""
    number = zlib.crc32(folder.encode())
    return f"127.{number >> 16 & 255}.{number >> 8 & 255}.{1 + number % 254}"


def write_configurations(folder):
    for name, http in CONFIGURATIONS.items():
        words = NGINX.format(process=SINGLE, user="user root;", folder=".", http=http, root="in", address=address(folder), port=PORT)
        Path(folder, name).write_text(words, encoding="ascii")


def masked(data):
    """Without what differs from run to run: times, processes."""
    return MASKED.sub(b"", data)


def ask(folder, process, traced):
    """What clients hear, in bytes. Then the server is told to end, which it may not do."""
    heard = [conversation(address(folder), process, sent) for sent in CONVERSATIONS]
    time.sleep(CALM_S)
    end = time.monotonic() + ENDS_S
    while process.poll() is None and time.monotonic() < end:
        tell_to_end(process, traced)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=ENDS_S / 10)
    return masked(b"\n\n".join(heard))


def tell_to_end(process, traced):
    """The server itself, not what stands before it."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        for pid in children if traced else [process.pid]:
            os.kill(int(pid), signal.SIGQUIT)


def connected(to, process):
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < end:
        with contextlib.suppress(ConnectionRefusedError, ConnectionResetError):
            return socket.create_connection((to, PORT), timeout=PATIENCE_S)
        time.sleep(0.01)
    return None


def conversation(to, process, sent):
    """All that came back. Whether a server that ends refuses a connection or cuts it off depends on the moment only."""
    connection = connected(to, process)
    heard = b""
    if connection is not None:
        with connection, contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for request in sent:
                connection.sendall(request)
                heard += answer(connection, b"Connection: close" in request)
    return heard


def answer(connection, to_the_end):
    data = b""
    while to_the_end or not complete(data):
        try:
            more = connection.recv(1 << 16)
        except TimeoutError:
            return data + b" (and no end)"
        except ConnectionResetError:
            return data
        if not more:
            return data
        data += more
    return data


def complete(data):
    head, gap, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    return bool(gap) and len(body) >= (int(length[1]) if length else 0)
