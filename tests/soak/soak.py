#!/usr/bin/env python3
# tests: Knot under all that clients do to it at once: nobody who behaves loses a byte, and it ends in order, with nothing leaked
"""usage: soak.py KNOT CLIENT io_uring|epoll [--connections N] [--requests N]"""

import argparse
import contextlib
import os
import random
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

SMALL = random.Random(1).randbytes(510)
LARGE = random.Random(2).randbytes(300_000)
HUGE = random.Random(3).randbytes(3_000_000)
FILES = {"small.txt": SMALL, "large.bin": LARGE, "huge.bin": HUGE}

LIMIT_S = 15  # Knot's own, for a request and for each part of an answer: nobody who behaves is so slow, on a busy machine either
PATIENCE_S = 120  # for an answer
OWN = 24  # descriptors that Knot keeps for its loop, its listener and its files
SLOW = 100  # of each kind
RESETS = 3000
STOPPED = 10  # connections of a stopped client
STOPPED_ASKS = 4  # times, on each
STOPPED_S = 4
# Descriptors of the server beyond those for the steady connections: all others at once have room, and some are left.
ROOM = 2 * SLOW + 2 * STOPPED + 50
WITHOUT_DESCRIPTOR = 50  # so many more connections than that
OPEN_ALWAYS = 3  # standard input, output and errors: with no more descriptors than that none is free
AWAY_S = 2  # after which the server has nothing in hand any more of before


def request(name):
    return f"GET /{name} HTTP/1.1\r\nHost: soak\r\n\r\n".encode()


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)


def expect(connection, name, kept=b""):
    """One answer, which is the whole file and nothing else. Returns what has come of the next one."""
    data = bytearray(kept)
    while b"\r\n\r\n" not in data or len(data) < data.index(b"\r\n\r\n") + 4 + len(FILES[name]):
        more = connection.recv(1 << 18)
        if not more:
            raise AssertionError(f"closed after {len(data)} bytes of {name}")
        data += more
    begin = data.index(b"\r\n\r\n") + 4
    end = begin + len(FILES[name])
    if not data.startswith(b"HTTP/1.1 200 ") or data[begin:end] != FILES[name]:
        raise AssertionError(f"{name}: {bytes(data[:200])!r} is not what was asked for")
    return bytes(data[end:])


def ended(connection):
    """Whatever still comes is taken; then it is closed, or reset."""
    with contextlib.suppress(ConnectionError):
        while connection.recv(1 << 18):
            pass


def slow(port, *_):
    """Byte by byte: half of them end, and have their answer; the others never do, and are let go."""
    words = request("small.txt")
    with contextlib.ExitStack() as stack:
        ending = [stack.enter_context(connect(port)) for _ in range(SLOW)]
        endless = [stack.enter_context(connect(port)) for _ in range(SLOW)]
        begin = time.monotonic()
        for i in range(len(words)):
            for connection in ending:
                connection.sendall(words[i:i + 1])
            with contextlib.suppress(ConnectionError):
                for connection in endless:
                    connection.sendall(b"G")
            time.sleep(0.05)
        for connection in ending:
            if expect(connection, "small.txt"):
                raise AssertionError("more than the answer")
        for connection in endless:
            ended(connection)
        waited = time.monotonic() - begin
    if waited < LIMIT_S - 1:
        raise AssertionError(f"who never ends a request was let go after {waited:.1f} s, not {LIMIT_S}")
    return f"{SLOW} slow requests answered, {SLOW} that never end let go"


def resets(port, *_):
    """Before, in the middle of and after a request, in the middle of an answer."""
    ways = (b"", request("small.txt")[:20], request("small.txt"), request("huge.bin"), request("huge.bin") * 8)
    for i in range(RESETS):
        with connect(port) as connection:
            connection.sendall(ways[i % len(ways)])
            if i % len(ways) >= 3:
                connection.recv(1000)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return f"{RESETS:,} connections reset"


def served(connections, seconds):
    """Those that have an answer within the time; it is looked at."""
    time.sleep(seconds)
    ready, _, _ = select.select(connections, [], [], 0)
    for connection in ready:
        expect(connection, "small.txt")
    return ready


def wait_until_quiet(connections):
    """Some have their answer, and no more get one: a busy machine takes longer for that."""
    before, deadline = 0, time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        time.sleep(AWAY_S)
        now = len(select.select(connections, [], [], 0)[0])
        if now == before > 0:
            return
        before = now


def without_descriptors(port, pid, io):
    """More come than the server has descriptors for; then those that it has are taken away too, while there is room again. Who comes
    meanwhile waits, and is served in the end."""
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    with contextlib.ExitStack() as stack:
        waiting = {stack.enter_context(connect(port)) for _ in range(ROOM + WITHOUT_DESCRIPTOR)}
        for connection in waiting:
            connection.sendall(request("small.txt"))
        wait_until_quiet(waiting)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (OPEN_ALWAYS, hard))
        first = served(waiting, AWAY_S)
        for connection in first:
            connection.close()
        waiting.difference_update(first)
        early = served(waiting, AWAY_S)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
        # io_uring goes by the limit that held when it was asked to take connections.
        if not 0 < len(first) <= ROOM or (io == "epoll" and early):
            raise AssertionError(f"{len(first)} and {len(early)} were served, with descriptors for {ROOM} and for none")
        waiting.difference_update(early)
        count = len(waiting)
        while waiting:
            ready, _, _ = select.select(waiting, [], [], PATIENCE_S)
            if not ready:
                raise AssertionError(f"{len(waiting)} were never served")
            for connection in ready:
                expect(connection, "small.txt")
                connection.close()
            waiting.difference_update(ready)
    return f"{count} that came while there was no descriptor left were served when there was"


def ask_and_take(port, takes):
    """A client that asks for a lot; the process is stopped before it takes anything."""
    connections = [connect(int(port)) for _ in range(STOPPED)]
    for connection in connections:
        connection.sendall(request("huge.bin") * STOPPED_ASKS)
    print("asked", flush=True)
    time.sleep(0.5)
    for connection in connections if takes == "takes" else []:
        kept = b""
        for _ in range(STOPPED_ASKS):
            kept = expect(connection, "huge.bin", kept)
    print("done", flush=True)


@contextlib.contextmanager
def stopped_client(port, takes):
    with subprocess.Popen([sys.executable, __file__, "--ask", str(port), takes], stdout=subprocess.PIPE, text=True) as client:
        try:
            if client.stdout.readline() != "asked\n":
                raise AssertionError("the client that is to be stopped could not ask")
            client.send_signal(signal.SIGSTOP)
            yield client
        finally:
            client.kill()


def stopped(port, *_):
    """One goes on in time, and gets everything; one never does, and is let go."""
    with stopped_client(port, "takes") as goes_on, stopped_client(port, "leaves") as never:
        time.sleep(STOPPED_S)
        goes_on.send_signal(signal.SIGCONT)
        if goes_on.communicate(timeout=PATIENCE_S)[0] != "done\n":
            raise AssertionError("who was stopped for a time lost something of its answers")
        end = time.monotonic() + PATIENCE_S
        while held_by_the_server(never.pid, port):
            if time.monotonic() > end:
                raise AssertionError("who was stopped for good was not let go")
            time.sleep(0.2)
    return f"{STOPPED * STOPPED_ASKS} answers of 3 MB to a client stopped for {STOPPED_S} s, one stopped for good let go"


def held_by_the_server(pid, port):
    """How many connections of a process the server, at this port, has not closed. What the process's own end of them tells is late: the
    server's last bytes are before the end, and it takes none."""
    sockets = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(OSError):
            sockets.update(re.findall(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{name}")))
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    local, remote, state, inode, established = 1, 2, 3, 9, "01"
    own = {row[local] for row in rows if row[inode] in sockets}
    return sum(row[state] == established and row[remote] in own and row[local].endswith(f":{port:04X}") for row in rows)


ROLES = (slow, resets, without_descriptors, stopped)


class Role(threading.Thread):
    def __init__(self, role, *about):
        super().__init__(daemon=True)
        self.role, self.about = role, about
        self.told, self.problem = "", None

    def run(self):
        try:
            self.told = self.role(*self.about)
        except Exception as problem:  # pylint: disable=broad-exception-caught
            self.problem = f"{self.role.__name__}: {type(problem).__name__}: {problem}"


def start(knot, io, root, server_cpu, descriptors):
    def allow():
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    command = ["taskset", "-c", str(server_cpu), knot, "--root", root, "--port", "0", "--limit", str(LIMIT_S)]
    server = subprocess.Popen(command, env={**os.environ, "THALWEG_IO": io}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, preexec_fn=allow)
    line = server.stdout.readline()
    found = re.search(r":(\d+)/.*\((\S+),", line)
    if not found or found.group(2) != io:
        server.kill()
        raise AssertionError(f"knot does not serve on {io}: {line!r} {server.communicate()[1][-2000:]}")
    return server, int(found.group(1))


def most_connections(asked):
    """As many as are asked for, or as the machine allows; which, is said."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    allowed = asked if hard == resource.RLIM_INFINITY else min(asked, hard - OWN - ROOM)
    if allowed < asked:
        print(f"soak: {allowed:,} connections and not {asked:,}: a process may have no more than {hard:,} descriptors here")
    return allowed


def all_roles(port, pid, io):
    """While the client asks: what each has to tell, and the problems."""
    roles = [Role(role, port, pid, io) for role in ROLES]
    for role in roles:
        role.start()
    for role in roles:
        role.join()
    print("".join(f"soak: {role.told}\n" for role in roles if role.told), end="")
    return [role.problem for role in roles if role.problem]


def soak(options, root, cpus):
    connections = most_connections(options.connections)
    begin = time.monotonic()
    server, port = start(options.knot, options.io, root, cpus[0], connections + OWN + ROOM)
    with contextlib.ExitStack() as stack:
        stack.callback(server.kill)
        with connect(port) as first:  # a file that was never read needs a descriptor
            for name in FILES:
                first.sendall(request(name))
                expect(first, name)
        client = subprocess.Popen(["taskset", "-c", str(cpus[-1]), options.client, root, str(port), str(connections),
                                   str(options.requests)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        stack.callback(client.kill)
        is_connected = client.stdout.readline() == "connected\n"
        problems = all_roles(port, server.pid, options.io) if is_connected else []
        told, wrong = client.communicate()
        print(f"soak: {told}" if told else "", end="")
        if client.returncode != 0:
            problems.append(wrong)
        server.terminate()
        said = server.communicate(timeout=PATIENCE_S)[1]
        if server.returncode != 0 or said:
            problems.append(f"knot ended with {server.returncode}: {said[:3000]}")
    print(f"soak: {options.io}, {connections:,} connections, {options.requests:,} requests, {time.monotonic() - begin:.0f} s: "
          f"{'not as it should be' if problems else 'nothing lost, the server ended with status 0'}")
    return problems


def main():
    if sys.argv[1:2] == ["--ask"]:
        return ask_and_take(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("knot")
    parser.add_argument("client")
    parser.add_argument("io", choices=("io_uring", "epoll"))
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=1_000_000)
    options = parser.parse_args()
    cpus = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as root:
        for name, body in FILES.items():
            with open(os.path.join(root, name), "wb") as file:
                file.write(body)
        problems = soak(options, root, cpus)
    for problem in problems:
        print(f"soak: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
