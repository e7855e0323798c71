# benchmarks: who asks the web servers: answers that are checked, a load of wrk, a number of requests, idle connections.
import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

from harness.project import Missing
from harness.rounds import Failed

BODY = ("<!doctype html><title>Thalweg</title><p>" + "along the line where the river flows. " * 20)[:509].encode() + b"\n"
NAME = "page.html"
LONG_S = 10  # thirty times what the tests ask
TIMEOUT_S = 120  # step by step everything takes some thousand times as long
# Apart from the server's, where there are two, so that only the server's work takes the server's time.
SERVER_CPU, CLIENT_CPU = min(os.sched_getaffinity(0)), max(os.sched_getaffinity(0))


def request(port, name=NAME, headers=""):
    """As wrk sends it, byte for byte."""
    return f"GET /{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)


def answer(connection):
    """(status, headers, body) of one answer; nothing of a next one may follow."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            raise Failed(f"the connection was closed after {data[:200]!r}")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    if "content-length" not in headers:
        raise Failed(f"an answer without Content-Length: {head!r}")
    size = int(headers["content-length"])
    while len(body) < size:
        more = connection.recv(65536)
        if not more:
            raise Failed(f"{len(body)} of {size} bytes, then the connection was closed")
        body += more
    return int(lines[0].split()[1]), headers, body


def expect_page(name, connection):
    status, _, body = answer(connection)
    if status != 200 or body != BODY:
        raise Failed(f"{name} answered {status} with {len(body)} bytes that are not the {len(BODY)} of the file: {body[:60]!r}")


def check_answers(name, port):
    """Every server gives the same file: again on the same connection, when the request comes in pieces, and once only."""
    with connect(port) as connection:
        for _ in range(3):
            connection.sendall(request(port))
            expect_page(name, connection)
        whole = request(port)
        for piece in (whole[:7], whole[7:30], whole[30:]):
            connection.sendall(piece)
            time.sleep(0.02)
        expect_page(name, connection)
        connection.sendall(request(port, "absent.html"))
        status = answer(connection)[0]
        if status != 404:
            raise Failed(f"{name} answered {status} where there is no file, not 404")
    with connect(port) as connection:
        connection.sendall(request(port, headers="Connection: close\r\n"))
        expect_page(name, connection)
        if connection.recv(1):
            raise Failed(f"{name} sent more than the file, and was asked to close")


def ask(name, connections, each, headers=None):
    """So many requests on each, on all of them at once. headers: iterator over those that a request has beside the usual. Returns how
    many were answered."""
    for _ in range(each):
        for connection in connections:
            connection.sendall(request(connection.getpeername()[1], headers=next(headers) if headers else ""))
        for connection in connections:
            expect_page(name, connection)
    return len(connections) * each


@contextlib.contextmanager
def connected(name, port, count):
    """Connections of which each was answered once, and waits."""
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(count):
            connections.append(stack.enter_context(connect(port)))
            ask(name, connections[-1:], 1)
        yield connections


def warm_up(name, port, count):
    with connected(name, port, 1) as connections:
        ask(name, connections, count)


def wait_for_handler(process):
    """Until the process catches SIGINT, or has ended: sent before, the signal ends it without a word."""
    caught = re.compile(r"^SigCgt:\s*([0-9a-f]+)$", re.MULTILINE)
    end = time.monotonic() + TIMEOUT_S
    while process.poll() is None and time.monotonic() < end:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            mask = caught.search(status.read())
        if mask and int(mask.group(1), 16) >> (signal.SIGINT - 1) & 1:
            return
        time.sleep(0.001)


def interrupted_after(seconds, command):
    """What wrk said, and its exit code."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as wrk:
        try:
            wait_for_handler(wrk)
            time.sleep(seconds)
        finally:
            wrk.send_signal(signal.SIGINT)
        return wrk.communicate(timeout=TIMEOUT_S)[0], wrk.returncode


def load(name, port, connections, seconds, close=False, script=None):
    """wrk for about so long. script: of wrk's, which says what is asked for. Returns (requests answered, seconds)."""
    if shutil.which("wrk") is None:
        raise Missing("wrk is not installed (Debian's wrk; tools/setup)")
    # wrk only knows whole seconds, but ends in order when it is interrupted.
    command = ["taskset", "-c", str(CLIENT_CPU), "wrk", "-t1", f"-c{connections}", f"-d{int(seconds) + 60}s"]
    command += ["-H", "Connection: close"] if close else []
    command += ["-s", script] if script else []
    told, code = interrupted_after(seconds, [*command, f"http://127.0.0.1:{port}/{NAME}"])
    # On a busy machine it may have had no processor for as long as the tests ask; who does not answer at all, does not answer then either.
    if code == 0 and seconds < LONG_S and re.search(r"^ *0 requests in", told, re.MULTILINE):
        print(f"bench: {name} answered nothing within {seconds} s: once more, for {LONG_S} s", file=sys.stderr)
        told, code = interrupted_after(LONG_S, [*command, f"http://127.0.0.1:{port}/{NAME}"])
    match = re.search(r"(\d+) requests in ([0-9.]+)(ms|s|m)", told)
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: .*", told)
    if code != 0 or match is None or int(match.group(1)) == 0:
        raise Failed(f"wrk could not ask {name}: {told[-500:]}")
    if wrong is not None:
        raise Failed(f"{name} under wrk: {wrong.group(0)}")
    unit = {"ms": 0.001, "s": 1, "m": 60}[match.group(3)]
    return int(match.group(1)), float(match.group(2)) * unit
