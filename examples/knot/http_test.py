#!/usr/bin/env python3
# examples: Knot against RFC 9110 and 9112, by a table of bytes that come and bytes that go (http.toml), on both kinds of loop
"""usage: http_test.py KNOT"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import tomllib

CHANGED = 784111777  # Sun, 06 Nov 1994 08:49:37 GMT: the RFC's own example
FILES = {"hello.txt": b"hello world\n", "index.html": b"<p>"}
PATIENCE_S = 20
DATE = re.compile(rb"Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n")


def tag_of(path):
    about = os.stat(path)
    return f'"{about.st_ino:x}-{about.st_size:x}-{about.st_ctime_ns:x}"'


def filled(text, values):
    text = re.sub(r"\{(\d+)\}", lambda found: "x" * int(found.group(1)), text)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text.encode("latin-1")


def exchange(port, asked, answer, ends, pieces):
    """What came instead of the answer; None: just that."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        probe = b"GET /none-of-them HTTP/1.1\r\nHost: a\r\n\r\n"
        answers = answer.count(b"HTTP/1.1 ") + 1
        came = b""
        try:
            for begin in range(0, len(asked), pieces):
                client.sendall(asked[begin:begin + pieces])
            if not ends:
                client.sendall(probe)
            else:
                client.shutdown(socket.SHUT_WR)
            while ends or came.count(b"HTTP/1.1 ") < answers or not came.endswith(b"404 Not Found\n"):
                some = client.recv(65536)
                if not some:
                    break
                came += some
        except (ConnectionError, TimeoutError) as problem:
            came += f"[{problem}]".encode()
    came = DATE.sub(b"Date: {date}\r\n", came)
    if not ends:
        came, found, rest = came.rpartition(b"HTTP/1.1 404 Not Found\r\n")
        if not found or not rest.endswith(b"404 Not Found\n"):
            came += b"[and then not the answer to the next request]" + rest
    return None if came == answer else came


def cases(table, values):
    """(section, bytes that come, answer, the connection ends, sent in pieces of so many bytes) of each."""
    for row in table["row"]:
        answer = b"".join(filled(table["answers"][name], values) for name in row["out"] if name != "end")
        for text in row["in"]:
            asked = filled(text, values)
            for pieces in (len(asked), 7) if len(asked) < 1000 else (len(asked), 1000):
                yield row["section"], asked, answer, "end" in row["out"], pieces


def run(knot, io, folder, table):
    values = {"tag": tag_of(os.path.join(folder, "hello.txt")), "index_tag": tag_of(os.path.join(folder, "index.html")),
              "modified": "Sun, 06 Nov 1994 08:49:37 GMT", "date": "{date}"}
    wrong = tried = 0
    with subprocess.Popen([knot, "--root", folder, "--port", "0"], env={**os.environ, "THALWEG_IO": io}, text=True,
                          stdout=subprocess.PIPE) as server:
        port = int(re.search(r":(\d+)/", server.stdout.readline()).group(1))
        for tried, (section, asked, answer, ends, pieces) in enumerate(cases(table, values), 1):
            came = exchange(port, asked, answer, ends, pieces)
            if came is not None:
                wrong += 1
                print(f"{io}: {section}\n  in       {asked[:200]!r}\n  expected {answer!r}\n  came     {came!r}")
        server.send_signal(signal.SIGTERM)
        if server.wait(timeout=PATIENCE_S) != 0:
            wrong += 1
            print(f"{io}: knot ended with {server.returncode}")
    print(f"{io}: {tried} tried, {wrong} wrong")
    return wrong


def main():
    with open(os.path.join(os.path.dirname(__file__), "http.toml"), "rb") as file:
        table = tomllib.load(file)
    with tempfile.TemporaryDirectory() as folder:
        for name, body in FILES.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(body)
            os.utime(os.path.join(folder, name), (CHANGED, CHANGED))
        sys.exit(1 if sum(run(sys.argv[1], io, folder, table) for io in ("io_uring", "epoll")) else 0)


if __name__ == "__main__":
    main()
