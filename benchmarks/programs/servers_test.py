# benchmarks: tests that what a server answers, writes down and costs is seen, with a server that errs as the test says.
import os
import tempfile
import unittest

from harness.rounds import Failed

from programs.jobs import Place, Size
from programs.servers import SERVER_JOBS

# Called as `PROGRAM -c CONFIGURATION -p FOLDER -e ERRORS`, and answers as `answer` says.
SERVER = """#!/usr/bin/env python3
import os, re, signal, socket, sys
text = open(sys.argv[2], encoding="utf-8").read()
folder = sys.argv[4]
root = re.search("root ([^;]*);", text)[1]
def log(words=""):
    with open(folder + "/access", "a", encoding="utf-8") as out:
        out.write(words)
def answer(request):
    path = request.split()[1:2]
    try:
        status, body = "200 OK", open(root + path[0], "rb").read()
    except (OSError, IndexError, ValueError):
        status, body = "404 Not Found", b""
    {error}
    log(status + chr(10))
    return f"HTTP/1.1 {{status}}\\r\\nContent-Length: {{len(body)}}\\r\\n\\r\\n".encode() + body
def received(connection):
    try:
        return connection.recv(1 << 17).decode(errors="replace")
    except OSError:
        return ""
signal.signal(signal.SIGQUIT, lambda *_: os._exit(0))
signal.signal(signal.SIGTERM, lambda *_: os._exit({code}))
signal.signal(signal.SIGUSR1, lambda *_: log())
signal.signal(signal.SIGHUP, lambda *_: None)
listener = socket.create_server(("127.0.0.1", int(re.search("127.0.0.1:([0-9]*)", text)[1])))
open(folder + "/pid", "w", encoding="utf-8").write(str(os.getpid()))
while True:
    connection = listener.accept()[0]
    if os.fork() == 0:
        listener.close()
        while request := received(connection):
            try:
                connection.sendall(answer(request))
            except OSError:
                break
            if "close" in request or "HTTP/1.1" not in request or "HTTP/1.1\\r\\n\\r\\n" in request:
                break
        os._exit(0)
    connection.close()
"""


class Servers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Place(None, os.path.join(folder.name, "place"), Size(files=3, rows=1, music=0), 1)
        self.job = SERVER_JOBS[0]

    def server(self, error="pass", code=0):
        path = self.place.path("server")
        with open(path, "w", encoding="utf-8") as out:
            out.write(SERVER.format(error=error, code=code))
        os.chmod(path, 0o755)
        return path

    def load(self, *words, **what):
        self.job.prepare(self.place)
        with self.job.running(self.place, [self.server(*words, **what)]) as server:
            self.job.load(self.place, server.port)
        return server

    def shown(self, server):
        return self.job.shown(self.place, server, others=())

    def test_a_load_costs_processor_time(self):
        self.job.prepare(self.place)
        self.assertGreater(self.job.cpu_seconds(self.place, self.server()), 0)

    def test_a_wrong_byte_under_load_is_found(self):
        with self.assertRaises(Failed):
            self.load("body = body[:-1] + b'?'")

    def test_the_same_server_shows_the_same(self):
        self.assertEqual(*(self.shown(self.server()) for _ in range(2)))

    def test_another_answer_to_one_kind_of_request_is_found(self):
        right = self.shown(self.server())
        self.assertNotEqual(right, self.shown(self.server("body += b'!' if 'bytes=3-9' in request else b''")))

    def test_another_line_in_the_log_is_found(self):
        right = self.shown(self.server())
        self.assertNotEqual(right, self.shown(self.server("log('one more' + chr(10)) if 'bytes=3-9' in request else None")))

    def test_another_exit_code_is_found(self):
        with self.assertRaises(Failed):
            self.shown(self.server(code=1))


if __name__ == "__main__":
    unittest.main()
