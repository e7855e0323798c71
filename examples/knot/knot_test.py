#!/usr/bin/env python3
# examples: Knot as its clients see it, under io_uring and under epoll
"""usage: knot_test.py KNOT [unittest's arguments]"""

import contextlib
import os
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

KNOT = ""
SMALL = b"x" * 509 + b"\n"
PATIENCE_S = 30  # for a busy machine; nothing here lasts so long


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.kept = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        data = self.socket.recv(65536)
        self.kept += data
        return bool(data)

    def ended(self):
        """True: the server has closed the connection, and nothing is left."""
        try:
            return not self.kept and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def response(self, has_body=True):
        while b"\r\n\r\n" not in self.kept:
            if not self.more():
                raise EOFError(f"no answer: {self.kept!r}")
        head, _, self.kept = self.kept.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        size = int(headers.get("content-length", 0)) if has_body else 0
        while len(self.kept) < size:
            if not self.more():
                raise EOFError(f"{len(self.kept)} bytes of {size}")
        body, self.kept = self.kept[:size], self.kept[size:]
        return Response(int(lines[0].split()[1]), headers, body)

    def get(self, path, *headers, method="GET", version="1.1"):
        self.send(request(path, *headers, method=method, version=version))
        return self.response(has_body=method != "HEAD")


def request(path, *headers, method="GET", version="1.1"):
    return "\r\n".join([f"{method} {path} HTTP/{version}", "Host: test", *headers, "", ""]).encode("latin-1")


class Server:
    def __init__(self, io, root, *options, limit=None):
        def few_descriptors():
            if limit:
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        environment = {**os.environ, "THALWEG_IO": io}
        self.process = subprocess.Popen([KNOT, "--root", root, "--port", "0", *options], env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=few_descriptors)
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        if not found:
            raise RuntimeError(f"{line!r} {self.process.stderr.read()!r}")
        self.port = int(found.group(1))

    def client(self):
        return Client(self.port)

    def stop(self):
        """What it said while it ran, once it has ended well."""
        self.process.send_signal(signal.SIGTERM)
        _, said = self.process.communicate(timeout=PATIENCE_S)
        if self.process.returncode != 0:
            raise AssertionError(f"knot ended with {self.process.returncode}: {said[-3000:]}")
        return said


class Io:
    """Each claim, for both kinds of loop."""

    IO = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = cls.folder.name
        os.mkdir(os.path.join(cls.root, "sub"))
        cls.large = random.Random(1).randbytes(3_000_000)
        for name, body in (("small.txt", SMALL), ("large.bin", cls.large), ("sub/index.html", b"<p>sub</p>"),
                           ("with space.css", b"p{}"), ("empty", b"")):
            with open(os.path.join(cls.root, name), "wb") as file:
                file.write(body)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @contextlib.contextmanager
    def server(self, *options, limit=None):
        server = Server(self.IO, self.root, *options, limit=limit)
        try:
            yield server
            said = server.stop()
            self.assertEqual(said, "")
        finally:
            server.process.kill()
            server.process.communicate()

    def test_one_connection_has_many_answers(self):
        with self.server() as server, server.client() as client:
            for _ in range(100):
                answer = client.get("/small.txt")
                self.assertEqual((answer.status, answer.body), (200, SMALL))
                self.assertEqual(answer.headers["content-type"], "text/plain; charset=utf-8")

    def test_requests_that_come_together_are_answered_in_their_order(self):
        paths = ["/small.txt", "/sub/", "/none", "/large.bin", "/small.txt"] * 20
        with self.server() as server, server.client() as client:
            sender = threading.Thread(target=client.send, args=(b"".join(request(path) for path in paths),))
            sender.start()
            bodies = {"/small.txt": SMALL, "/sub/": b"<p>sub</p>", "/none": b"404 Not Found\n", "/large.bin": self.large}
            for path in paths:
                self.assertEqual(client.response().body, bodies[path])
            sender.join()

    def test_requests_that_come_again_in_turn(self):
        with self.server() as server, server.client() as client:
            for i in range(300):
                path = ("/small.txt", "/sub/index.html", "/with%20space.css", "/small.txt?a", "/small.txt?b")[i % 5]
                body = {"/sub/index.html": b"<p>sub</p>", "/with%20space.css": b"p{}"}.get(path, SMALL)
                self.assertEqual(client.get(path).body, body)
                self.assertEqual(client.get(path, f"X-Count: {i}", "Connection: keep-alive").body, body)

    def test_a_request_may_trickle(self):
        with self.server() as server, server.client() as client:
            for _ in range(2):
                for byte in request("/small.txt"):
                    client.send(bytes([byte]))
                    time.sleep(0.0005)
                self.assertEqual(client.response().body, SMALL)

    def test_what_a_path_means(self):
        with self.server() as server, server.client() as client:
            for path, status in (("/sub/", 200), ("/sub/index.html", 200), ("/sub", 404), ("/with%20space.css", 200),
                                 ("/small.txt?query=1", 200), ("//small.txt", 200), ("/./small.txt", 200), ("/empty", 200),
                                 ("/../../etc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404), ("/a%00b", 404),
                                 ("/%zz", 404), ("/small.txt/", 404), ("/" + "a" * 5000, 404), ("/*", 404)):
                self.assertEqual(client.get(path).status, status, path)

    def test_head_range_and_modified(self):
        with self.server() as server, server.client() as client:
            head = client.get("/large.bin", method="HEAD")
            self.assertEqual((head.status, head.headers["content-length"]), (200, str(len(self.large))))
            for asked, body in (("bytes=0-0", self.large[:1]), ("bytes=100-199", self.large[100:200]),
                                ("bytes=2999990-9999999", self.large[-10:]), ("bytes=-5", self.large[-5:]),
                                ("bytes=1000000-", self.large[1000000:])):
                part = client.get("/large.bin", f"Range: {asked}")
                self.assertEqual((part.status, part.body), (206, body), asked)
            self.assertEqual(client.get("/large.bin", "Range: bytes=3000000-").status, 416)
            for asked in ("bytes=5-1", "lines=1-2", "bytes=0-1,5-6", "bytes=x-", "bytes=-"):
                self.assertEqual(client.get("/large.bin", f"Range: {asked}").status, 200, asked)
            again = client.get("/small.txt", f"If-Modified-Since: {client.get('/small.txt').headers['last-modified']}")
            self.assertEqual((again.status, again.body), (304, b""))

    def test_what_is_refused(self):
        for data, status in ((b"nonsense\r\n\r\n", 400), (b"GET / HTTP/1.1\r\n\r\n", 400), (b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
                             (request("/", "X: " + "a" * 9000), 431), (b"GET " + b"/" * 20000, 431), (b"\x00" * 100, 400),
                             (request("/small.txt", "Transfer-Encoding: gzip"), 501),
                             (request("/small.txt", "Content-Length: 3", method="POST") + b"abc", 405)):
            with self.server() as server, server.client() as client:
                client.send(data)
                self.assertEqual(client.response().status, status, data[:40])
                client.socket.shutdown(socket.SHUT_WR)
                self.assertTrue(client.ended())

    def test_who_wants_it_closed_has_it_closed(self):
        with self.server() as server:
            for words, version in ((["Connection: close"], "1.1"), ([], "1.0")):
                with server.client() as client:
                    answer = client.get("/small.txt", *words, version=version)
                    self.assertEqual((answer.body, answer.headers["connection"]), (SMALL, "close"))
                    client.socket.shutdown(socket.SHUT_WR)
                    self.assertTrue(client.ended())
            with server.client() as client:
                for _ in range(2):
                    answer = client.get("/small.txt", "Connection: keep-alive", version="1.0")
                    self.assertEqual((answer.body, answer.headers["connection"]), (SMALL, "keep-alive"))
                self.assertNotIn("connection", client.get("/small.txt").headers)

    def test_a_file_that_changes_is_read_again(self):
        path = os.path.join(self.root, "changes")
        with self.server() as server, server.client() as client:
            for body in (b"one", b"another", None, b"back"):
                if body is None:
                    os.remove(path)
                else:
                    with open(path, "wb") as file:
                        file.write(body)
                end = time.monotonic() + PATIENCE_S
                while time.monotonic() < end:
                    answer = client.get("/changes")
                    if (answer.status, answer.body) == ((200, body) if body else (404, b"404 Not Found\n")):
                        break
                    time.sleep(0.05)
                else:
                    self.fail(f"{body} was not seen")
            os.remove(path)

    def test_a_file_is_another_one_within_a_second_and_of_the_same_size(self):
        """Replaced by another file with the same time of change, and written over in its place."""
        path, new = os.path.join(self.root, "same size"), os.path.join(self.root, "new")
        with open(path, "wb") as file:
            file.write(b"0")
        about = os.stat(path)
        tags = set()
        with self.server() as server, server.client() as client:
            self.assertEqual(client.get("/same%20size").body, b"0")
            for i in range(1, 5):
                body = str(i).encode()
                with open(new if i % 2 else path, "wb") as file:
                    file.write(body)
                os.utime(new if i % 2 else path, ns=(about.st_mtime_ns, about.st_mtime_ns))
                if i % 2:
                    os.rename(new, path)
                end = time.monotonic() + PATIENCE_S
                while (answer := client.get("/same%20size")).body != body:
                    self.assertLess(time.monotonic(), end, f"{body} was not seen")
                    time.sleep(0.05)
                tags.add(answer.headers["etag"])
                again = client.get("/same%20size", f"If-None-Match: {answer.headers['etag']}")
                self.assertEqual((again.status, again.headers["etag"]), (304, answer.headers["etag"]))
        self.assertEqual(len(tags), 4)
        os.remove(path)

    def test_a_file_may_be_larger_than_the_memory(self):
        path = os.path.join(self.root, "huge.bin")
        size = 5_000_000
        body = self.large + self.large[:size - len(self.large)]
        with open(path, "wb") as file:
            file.write(body)
        with self.server("--cache", "1") as server, server.client() as client:
            for _ in range(2):
                self.assertEqual(client.get("/huge.bin").body, body)
                part = client.get("/huge.bin", "Range: bytes=2999990-4000000")
                self.assertEqual((part.status, part.body), (206, body[2999990:4000001]))
                self.assertEqual(client.get("/huge.bin", method="HEAD").headers["content-length"], str(size))
                self.assertEqual(client.get("/small.txt").body, SMALL)
            client.send(request("/huge.bin") * 3 + request("/small.txt"))
            for expected in (body, body, body, SMALL):
                self.assertEqual(client.response().body, expected)
            # What was announced can't be sent: the connection ends, and no byte of another's stands in its place.
            with server.client() as slow:
                slow.send(request("/huge.bin") + request("/small.txt"))
                while not slow.more():
                    pass
                os.truncate(path, 100)
                with self.assertRaises((EOFError, ConnectionError)):
                    slow.response()
                self.assertNotIn(b"HTTP/1.1", slow.kept)
            self.assertEqual(client.get("/huge.bin").body, body[:100])
        os.remove(path)

    def test_clients_that_vanish_harm_nobody(self):
        with self.server() as server, server.client() as steady:
            for i in range(60):
                client = server.client()
                client.send((b"", b"GET /la", request("/large.bin"), request("/large.bin") * 50)[i % 4])
                if i % 8 >= 4:
                    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.socket.close()
                self.assertEqual(steady.get("/small.txt").body, SMALL)

    def test_who_is_silent_or_slow_is_let_go(self):
        with self.server("--limit", "1") as server:
            with server.client() as silent, server.client() as slow, server.client() as deaf:
                deaf.send(request("/large.bin") * 20)
                begin = time.monotonic()
                with contextlib.suppress(ConnectionError):
                    while time.monotonic() < begin + PATIENCE_S:
                        slow.send(b"G")
                        time.sleep(0.05)
                self.assertLess(time.monotonic(), begin + PATIENCE_S)
                self.assertTrue(silent.ended())
                with self.assertRaises((EOFError, ConnectionError)):
                    time.sleep(2.5)
                    for _ in range(20):
                        deaf.response()

    def test_who_goes_on_asking_is_not_let_go(self):
        with self.server("--limit", "1") as server, server.client() as client:
            end = time.monotonic() + 3.3
            while time.monotonic() < end:
                self.assertEqual(client.get("/small.txt").body, SMALL)
                time.sleep(0.3)

    def test_descriptors_may_run_out(self):
        with self.server(limit=32) as server:
            clients = [server.client() for _ in range(60)]
            # Some are left to open a file that was never asked for.
            answer = clients[0].get("/small.txt")
            self.assertEqual((answer.status, answer.body), (200, SMALL))
            for client in clients[:-1]:
                client.socket.close()
            self.assertEqual(clients[-1].get("/small.txt").body, SMALL)
            clients[-1].socket.close()

    def test_thousands_are_served_and_go(self):
        count = 2000
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * count)), hard))
        with self.server() as server:
            clients = [server.client() for _ in range(count)]
            for client in clients:
                client.send(request("/small.txt"))
            for client in clients:
                self.assertEqual(client.response().body, SMALL)
            for client in clients:
                client.socket.close()

    def test_who_asks_at_once_for_a_page_shares_one_reading(self):
        path = os.path.join(self.root, "asked for")
        with open(path, "wb") as file:
            file.write(self.large[:4096])
        with self.server() as server:
            clients = [server.client() for _ in range(100)]
            server.process.send_signal(signal.SIGSTOP)
            for client in clients:
                client.send(request("/asked%20for"))
            server.process.send_signal(signal.SIGCONT)
            for client in clients:
                self.assertEqual(client.response().body, self.large[:4096])
            # The loop's, and those of the thread that reads files.
            self.assertLessEqual(len(os.listdir(f"/proc/{server.process.pid}/task")), 3)
            for client in clients:
                client.socket.close()
        os.remove(path)

    def test_a_stopped_client_holds_up_nobody(self):
        with self.server() as server, server.client() as steady:
            script = ("import socket, sys, time; s = socket.create_connection(('127.0.0.1', int(sys.argv[1]))); "
                      "s.sendall(b'GET /large.bin HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n' * 20); print(flush=True); time.sleep(60)")
            with subprocess.Popen([sys.executable, "-c", script, str(server.port)], stdout=subprocess.PIPE) as client:
                client.stdout.readline()
                client.send_signal(signal.SIGSTOP)
                for _ in range(50):
                    self.assertEqual(steady.get("/large.bin").body, self.large)
                client.kill()

    def test_an_answer_on_its_way_comes_before_the_end(self):
        with self.server() as server:
            with server.client() as client, server.client() as idle:
                self.assertEqual(idle.get("/small.txt").body, SMALL)
                client.send(request("/large.bin"))
                while not client.more():
                    pass
                server.process.send_signal(signal.SIGTERM)
                self.assertTrue(idle.ended())
                self.assertEqual(client.response().body, self.large)
                self.assertTrue(client.ended())
            server.process.wait(timeout=PATIENCE_S)
            with self.assertRaises(ConnectionError):
                server.client()

    def test_threads_share_a_port(self):
        with self.server("--threads", "3") as server:
            for _ in range(50):
                with server.client() as client:
                    self.assertEqual(client.get("/small.txt").body, SMALL)


class IoUring(Io, unittest.TestCase):
    IO = "io_uring"


class Epoll(Io, unittest.TestCase):
    IO = "epoll"


class Options(unittest.TestCase):
    def refused(self, words, *arguments, **environment):
        done = subprocess.run([KNOT, *arguments], env={**os.environ, **environment}, capture_output=True, text=True,
                              check=False, timeout=PATIENCE_S)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr + done.stdout)

    def test_what_is_refused(self):
        self.refused("--root is required")
        self.refused("does not exist", "--root", "/nowhere/at/all")
        self.refused("no numeric address", "--root", "/", "--address", "localhost")
        self.refused("neither io_uring nor epoll", "--root", "/", "--port", "0", THALWEG_IO="kqueue")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.refused("can't be bound", "--root", "/", "--port", str(taken.getsockname()[1]))


if __name__ == "__main__":
    KNOT = sys.argv.pop(1)
    unittest.main()
