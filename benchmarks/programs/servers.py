# benchmarks: servers as programs: started, asked by clients, stopped. A row a job: its configuration, how it is asked.
import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from types import SimpleNamespace

from harness.processes import total_calls
from harness.rounds import Failed
from web.servers import free_port

from programs import requests
from programs.jobs import Place, Size

# Its twin is linked first when it is recorded, which takes minutes on a busy machine.
START_S = 900
RELOAD_S = 10
CLIENTS = 8  # at a time
REQUESTS_A_FILE = 4
LOAD_SEED = 1
# In what the server writes down: when, and which process.
PASSING = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d|\[\d\d/[^\]]*\]|\d+#\d+: (\*\d+ )?")

NGINX = """
daemon off; {process}
{user}
pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 512; }}
http {{
    {http}
    default_type text/plain; keepalive_requests 1000000;
    access_log {folder}/access;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{ listen {address}:{port}; root {root}; }}
}}
"""
MASTER, SINGLE = "worker_processes 1;", "master_process off;"
USUAL = "sendfile on;"
# What else its administrator may have chosen: asked for, not measured.
OTHERS = (
    "sendfile off;",
    "sendfile on; tcp_nopush on; autoindex on; index none;",
    "sendfile on; open_file_cache max=1000; open_file_cache_errors on; access_log off;",
    "gzip on; gzip_types *; gzip_min_length 20; etag off; if_modified_since before;",
    "sendfile on; sendfile_max_chunk 64k; output_buffers 2 4k; max_ranges 2; limit_rate 50m; log_not_found off;",
    "directio 512; keepalive_timeout 0; server_tokens off; error_page 404 /small/00/00000.txt;",
)


@dataclass(frozen=True)
class ServerJob:
    name: str
    program: str
    process: str
    new_connections: bool  # one a request, or each client keeps its own
    # Alone, nginx loses connections while it reloads, and writes a line of its log to who has got the log's descriptor.
    reloads: bool
    toy: bool = False  # building it takes longer than all that the tests build here
    results: tuple = ()

    def prepare(self, place):
        """A new folder for what it writes, beside what it serves."""
        place.remove(self.name)
        os.makedirs(place.path(self.name))
        if os.path.exists(place.path("served")):
            return
        os.makedirs(place.path("served"))
        os.symlink("../small", place.path("served/small"))
        with open(place.path(os.path.join("served", requests.LARGE)), "w", encoding="ascii") as out:
            out.write("".join(f"{i:015}\n" for i in range(requests.LARGE_BYTES // 16)))

    def items(self, place):
        return place.size.files * REQUESTS_A_FILE

    def cpu_seconds(self, place, program):
        with self.running(place, [program]) as server:
            self.load(place, server.port)
        return server.used.ru_utime + server.used.ru_stime

    def crossings(self, place, program, counts):
        with self.running(place, ["strace", "-f", "-c", "-o", counts, program]) as server:
            self.load(place, server.port)
        return total_calls(counts)

    def shell(self, place, command):
        """A run whose program has `command` in its place."""
        benchmarks = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
        words = [self.name, place.folder, place.size.files, place.size.rows, place.seed, command]
        return f"PYTHONPATH={benchmarks} {sys.executable} -B -m programs.servers {' '.join(map(str, words))}"

    def configuration(self, place, http):
        """Writes it. Returns its path and the port."""
        port = free_port()
        path = place.path(os.path.join(self.name, "configuration"))
        # Root's server would give up its rights to this folder.
        user = "user root;" if os.geteuid() == 0 else ""
        with open(path, "w", encoding="utf-8") as out:
            out.write(NGINX.format(process=self.process, user=user, folder=place.path(self.name), http=http, root=place.path("served"),
                                   address="127.0.0.1", port=port))
        return path, port

    @contextlib.contextmanager
    def running(self, place, command, http=USUAL, end=signal.SIGQUIT):
        """The server; `used` is told of it and of all its processes when it has ended."""
        path, port = self.configuration(place, http)
        folder = place.path(self.name)
        words = [*command, "-c", path, "-p", folder, "-e", os.path.join(folder, "errors")]
        with subprocess.Popen(words, stdin=subprocess.DEVNULL) as process:
            server = SimpleNamespace(port=port, used=None, pid=None)
            try:
                server.pid = self.wait_until_it_listens(place, process, port)
                yield server
            finally:
                if process.poll() is None:
                    os.kill(server.pid or process.pid, end)
                    _, status, server.used = os.wait4(process.pid, 0)
                    process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Failed(f"{' '.join(words)[:200]} ended with {process.returncode}")

    def wait_until_it_listens(self, place, process, port):
        """Returns the server's process, which is not the one that was started where something stands before it."""
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if process.poll() is not None:
                raise Failed(f"{self.name} ended with {process.returncode} before it listened")
            with contextlib.suppress(ConnectionRefusedError, FileNotFoundError, ValueError), requests.connect(port):
                with open(place.path(os.path.join(self.name, "pid")), encoding="ascii") as pid:
                    return int(pid.read())
            time.sleep(0.01)
        raise Failed(f"{self.name} does not listen after {START_S} s")

    def load(self, place, port):
        """Some files are asked for often, most seldom. Every answer is compared with the file."""
        files = {}
        for name in place.small:
            with open(place.path(name), "rb") as content:
                files[name] = content.read()
        # How often the k-th most popular page is asked for goes with 1 / k (Breslau et al., Web caching and Zipf-like distributions).
        popular = random.Random(LOAD_SEED).choices(place.small, [1 / (1 + rank) for rank in range(len(files))], k=self.items(place))
        batches = [popular[first:first + CLIENTS] for first in range(0, len(popular), CLIENTS)]
        groups = [[batch] for batch in batches] if self.new_connections else [batches]
        for group in groups:
            with contextlib.ExitStack() as stack:
                clients = [stack.enter_context(requests.connect(port)) for _ in range(CLIENTS)]
                for batch in group:
                    self.ask(files, list(zip(clients, batch)))

    def ask(self, files, asked):
        """Of all at once, so that the server finds several requests when it wakes."""
        for client, name in asked:
            client.sendall(requests.get("/" + name, close=self.new_connections))
        for client, name in asked:
            if requests.body_of(client) != files[name]:
                raise Failed(f"{self.name} gave something else than {name}")

    def shown(self, place, program, others=OTHERS):
        """(0, words on each answer, what the server wrote down)."""
        asked = requests.requests("/" + place.small[0], "/" + os.path.dirname(place.small[0]))
        found = []
        for http in (USUAL, *others):
            self.prepare(place)
            with self.running(place, [program], http) as server:
                found += [f"{http} {requests.answer(server.port, name, sent)}" for name, sent in asked]
            found += self.written_down(place)
        return (0, *found, *self.signalled(place, program))

    def written_down(self, place):
        lines = []
        for name in ("access", "errors"):
            with contextlib.suppress(FileNotFoundError), open(place.path(os.path.join(self.name, name)), encoding="utf-8", errors="replace") as log:
                lines += [f"{name}: {PASSING.sub('', line.strip())}" for line in log]
        return lines

    def signalled(self, place, program):
        """What clients find while it opens its logs anew, reloads, and ends: in order, or at once, with a client in the middle."""
        page = "/" + place.small[0]
        found = []
        for end in (signal.SIGQUIT, signal.SIGTERM):
            self.prepare(place)
            with self.running(place, [program], end=end) as server, requests.connect(server.port) as old, requests.connect(server.port) as slow:
                old.sendall(requests.get(page, close=False))
                found.append(requests.in_words("before", requests.body_of(old)))
                slow.sendall(requests.get("/" + requests.LARGE))
                half = slow.recv(requests.LARGE_BYTES // 2, socket.MSG_WAITALL)
                log = place.path(os.path.join(self.name, "access"))
                os.rename(log, log + ".old")
                os.kill(server.pid, signal.SIGUSR1)
                self.wait_for(log)
                if self.reloads:
                    os.kill(server.pid, signal.SIGHUP)
                found += [requests.answer(server.port, f"reloading {i}", requests.get(page)) for i in range(CLIENTS)]
                if end == signal.SIGQUIT:
                    found.append(requests.in_words("through a reload", half + requests.received(slow)))
            # Which of two processes was first is no matter, nor how much went to one who did not wait for the end.
            found += sorted(line for line in self.written_down(place) if requests.LARGE not in line)
        return found

    def wait_for(self, path):
        end = time.monotonic() + RELOAD_S
        while not os.path.exists(path):
            if time.monotonic() > end:
                raise Failed(f"{self.name} did not make {path} within {RELOAD_S} s")
            time.sleep(0.01)


SERVER_JOBS = (
    ServerJob("nginx", "nginx", MASTER, new_connections=False, reloads=True),
    ServerJob("nginx-single", "nginx", SINGLE, new_connections=True, reloads=False),
)


def main(name, folder, files, rows, seed, *command):
    job = next(job for job in SERVER_JOBS if job.name == name)
    place = Place(None, folder, Size(int(files), int(rows), music=0), int(seed))
    job.prepare(place)
    with job.running(place, command) as server:
        job.load(place, server.port)


if __name__ == "__main__":
    main(*sys.argv[1:])
