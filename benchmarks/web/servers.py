# benchmarks: the web servers: how each is made, configured for its best, started and stopped.
import contextlib
import os
import platform
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass, field

from harness.project import Missing, debian_source
from harness.rounds import Failed

from web import client

COMPILER = "clang++-19"
FLAGS = ["-O3", "-std=c++20", "-Wall", "-Wextra", "-Werror"]
START_S = 10
STOP_S = 10
# A connection that waits is not to be closed while it is measured, nor one that is used often.
FOREVER = 1000000000
IDLE_S = 600
# 5,000 idle connections, and room.
DESCRIPTORS = 16384

NGINX = """
daemon off; master_process off; worker_processes 1; worker_rlimit_nofile {descriptors};
pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections {descriptors}; multi_accept on; use epoll; }}
http {{
    access_log off; sendfile on; server_tokens off;
    default_type text/html;
    keepalive_timeout {idle}s; keepalive_requests {forever};
    open_file_cache max=100 inactive={idle}s; open_file_cache_valid {idle}s;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{ listen 127.0.0.1:{port} backlog=4096; root {root}; }}
}}
"""

LIGHTTPD = """
server.document-root = "{root}"
server.port = {port}
server.bind = "127.0.0.1"
server.errorlog = "{folder}/errors"
server.event-handler = "linux-sysepoll"
server.max-fds = {descriptors}
server.max-connections = {descriptors}
server.listen-backlog = 4096
server.max-keep-alive-requests = {forever}
server.max-keep-alive-idle = {idle}
server.max-read-idle = {idle}
server.stat-cache-engine = "simple"
mimetype.assign = ( ".html" => "text/html" )
"""


class Makers:
    """How the programs are made. Each declares its edges and returns the program, or raises Missing."""

    def __init__(self, project, ninja):
        self.project = project
        self.ninja = ninja

    def counter(self):
        unit = self.ninja.compile(self.project.source("web", "steps.cc"), "steps", COMPILER, FLAGS)
        return self.ninja.edge(os.path.join(self.ninja.folder, "steps"), f"{COMPILER} $in -o $out", [unit])

    def by_hand(self, name, flags=(), libraries=()):
        parser = os.path.join(debian_source(self.project, "h2o"), "deps", "picohttpparser")
        # The parser as Knot has it.
        sse = ["-msse4.2"] if platform.machine() == "x86_64" else []
        units = [self.ninja.compile(self.project.source("web", f"{name}.cc"), name, COMPILER, [*FLAGS, *flags, f"-isystem{parser}"]),
                 self.ninja.compile(os.path.join(parser, "picohttpparser.c"), "picohttpparser", "clang-19", ["-O2", *sse])]
        return self.ninja.edge(os.path.join(self.ninja.folder, name), f"{COMPILER} $in {' '.join(libraries)} -o $out", units)

    def knot(self):
        built = os.path.join(self.project.build, "bin", "knot")
        self.project.need(built, "knot")
        return self.ninja.edge(os.path.join(self.ninja.folder, "knot"), "ln -sf $in $out", [built])

    def installed(self, name):
        found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if found is None:
            raise Missing(f"{name} is not installed (tools/setup)")
        return self.ninja.edge(os.path.join(self.ninja.folder, name), f"ln -sf {found} $out")

    def asio(self):
        if not os.path.exists("/usr/include/asio.hpp"):
            raise Missing("Asio is not installed (tools/setup)")
        # Its version 1.22 asks for gcc, or for what clang called coroutines before they were in the standard.
        return self.by_hand("asio", ["-DASIO_HAS_CO_AWAIT=1", "-DASIO_HAS_STD_COROUTINE=1"])

    def go(self):
        self.need("go")
        folder = self.project.source("web", "go")
        command = (f"cd {folder} && GOCACHE={self.ninja.folder}/go-cache GOTOOLCHAIN=local GOFLAGS=-buildvcs=false "
                   "go build -o $out .")
        return self.ninja.edge(os.path.join(self.ninja.folder, "go"), command,
                               [os.path.join(folder, name) for name in ("main.go", "go.mod")])

    def hyper(self):
        self.need("cargo")
        folder = self.project.source("web", "hyper")
        fetch = os.path.join(self.project.root, "tools", "crates")
        target = os.path.join(self.ninja.folder, "cargo")
        command = (f"made=$$({fetch} {folder}) && cargo build --quiet --release --offline --locked --target-dir {target} "
                   f"--manifest-path $$made/Cargo.toml && cp {target}/release/hyper-server $out")
        files = [os.path.join(folder, name) for name in ("src/main.rs", "Cargo.toml", "Cargo.lock")]
        return self.ninja.edge(os.path.join(self.ninja.folder, "hyper"), command, files, [fetch])

    @staticmethod
    def need(tool):
        if shutil.which(tool) is None:
            raise Missing(f"{tool} is not installed (tools/setup)")


@dataclass
class Server:
    """One variant. make(makers) -> program; command(program, port, folders) -> its command line."""

    make: object
    command: object
    environment: dict = field(default_factory=dict)
    required: bool = False
    uncounted: str = ""  # why its instructions are not counted


def with_file(program, port, places):
    return [program, str(port), os.path.join(places["root"], client.NAME)]


def with_root(program, port, places):
    return [program, "--port", str(port), "--root", places["root"]]


def configured(template, words):
    def command(program, port, places):
        path = os.path.join(places["folder"], "configuration")
        with open(path, "w", encoding="utf-8") as out:
            out.write(template.format(port=port, idle=IDLE_S, forever=FOREVER, descriptors=DESCRIPTORS, **places))
        return [program, *(word.format(path=path, **places) for word in words)]
    return command


SERVERS = {
    "bare-epoll": Server(lambda makers: makers.by_hand("bare-epoll"), with_file, required=True),
    "thalweg-epoll": Server(Makers.knot, with_root, {"THALWEG_IO": "epoll"}, required=True),
    "thalweg-io_uring": Server(Makers.knot, with_root, {"THALWEG_IO": "io_uring"}),
    "bare-io_uring": Server(lambda makers: makers.by_hand("bare-io_uring", libraries=["-luring"]), with_file),
    "nginx": Server(lambda makers: makers.installed("nginx"),
                    configured(NGINX, ["-c", "{path}", "-p", "{folder}", "-e", "{folder}/errors"])),
    "lighttpd": Server(lambda makers: makers.installed("lighttpd"), configured(LIGHTTPD, ["-D", "-f", "{path}"])),
    # One processor, as the others.
    "go": Server(Makers.go, with_file, {"GOMAXPROCS": "1"}, uncounted="Go's scheduler goes by the clock"),
    "hyper": Server(Makers.hyper, with_file),
    "asio": Server(Makers.asio, with_file),
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A server that runs."""

    def __init__(self, name, port, process, log):
        self.name = name
        self.port = port
        self.process = process
        self.log = log

    def words(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def wait_until_it_listens(self):
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                kind = Failed if SERVERS[self.name].required else Missing
                raise kind(f"{self.name} ended with {self.process.returncode}: {self.words()[-500:]}")
            with contextlib.suppress(ConnectionRefusedError), client.connect(self.port):
                return
            time.sleep(0.01)
        raise Failed(f"{self.name} does not listen after {START_S} s: {self.words()[-500:]}")

    def stop(self):
        """In order, if it will."""
        self.process.terminate()
        try:
            self.process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Site:
    """The folder that is served, and all that the servers write."""

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.join(folder, "root")
        os.makedirs(self.root, exist_ok=True)
        with open(os.path.join(self.root, client.NAME), "wb") as out:
            out.write(client.BODY)

    def folder_of(self, name):
        folder = os.path.join(self.folder, "run", name)
        os.makedirs(folder, exist_ok=True)
        return folder

    @contextlib.contextmanager
    def running(self, name, program):
        """The server on a processor of its own."""
        folder = self.folder_of(name)
        port = free_port()
        server = SERVERS[name]
        command = ["taskset", "-c", str(client.SERVER_CPU),
                   *server.command(program, port, {"root": self.root, "folder": folder})]
        log = os.path.join(folder, "log")
        with open(log, "wb") as out, subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
                                                      env={**os.environ, **server.environment}) as started:
            process = Process(name, port, started, log)
            try:
                process.wait_until_it_listens()
                yield process
                if started.poll() is not None:
                    raise Failed(f"{name} ended with {started.returncode}: {process.words()[-500:]}")
            finally:
                process.stop()
