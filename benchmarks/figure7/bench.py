# benchmarks: the paper's Figure 7: Knot at its maximum throughput, its threads and memory, beside other web servers on one core.
import functools
import os
import re
from dataclasses import dataclass

from harness.ninja import Ninja
from harness.rounds import Failed, interleaved, rows_of
from harness.timed import build, chosen

from web import client, meters
from web.bench import allow_descriptors, those_that_answer
from web.servers import SERVERS, Makers, Site

DESCRIPTION = "the paper's Figure 7: web servers' connections per second, threads and memory; against bare epoll"

AGAINST = "bare-epoll"
TOY_VARIANTS = ("bare-epoll", "thalweg-epoll")
# Six clients with 200 requests each (section 8.1).
PAPERS_CLIENTS = 1200
# The smallest files of SPECweb99, its class 0, as in the paper: nine sizes in each folder, 102 to 921 bytes, 512 on the average.
FOLDERS = 20
FILES_OF_A_FOLDER = 9
FILE_STEP = 102.4  # bytes
# Memory hardly differs from run to run.
IDLE_ROUNDS = 3


@dataclass
class Size:
    load_s: float = 3  # the kernel tells CPU time in hundredths of a second
    warm_up_s: float = 1  # with as many connections as are measured: buffers are touched, what grows has grown
    warm_up: int = 2000
    idle: int = 5000
    most_clients: int = 5000


TOY = Size(load_s=0.3, warm_up_s=0.1, warm_up=100, idle=200, most_clients=60)


@dataclass
class Case:
    clients: int
    closes: bool = True  # a connection for each request, as in the paper; else they are kept
    small_files: bool = False  # of the paper's kind; else the one of 510 bytes
    rate: str = "connections"


CASES = {
    "small-files": Case(PAPERS_CLIENTS, small_files=True),
    "one-file": Case(PAPERS_CLIENTS),
    "one-file-200": Case(200),
    "one-file-5000": Case(5000),
    "keep-alive": Case(PAPERS_CLIENTS, closes=False, rate="requests"),
    "idle": None,
}
# Who is given a folder, not a file.
SERVES_FOLDERS = ("thalweg-epoll", "thalweg-io_uring", "nginx", "lighttpd")


def small_files():
    """{name: size in bytes}"""
    return {f"{folder}/{i}.html": int(FILE_STEP * (i + 1)) for folder in range(FOLDERS) for i in range(FILES_OF_A_FOLDER)}


def write_small_files(site):
    for name, size in small_files().items():
        path = os.path.join(site.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(client.BODY.ljust(size, b".")[:size])


def write_script(site):
    """For wrk: each of the small files in turn. The path of the script."""
    path = os.path.join(site.folder, "small-files.lua")
    names = ", ".join(f'"/{name}"' for name in small_files())
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"local names = {{{names}}}\nlocal requests = {{}}\nlocal i = 0\n"
                  "function init()\n    for n, name in ipairs(names) do requests[n] = wrk.format(nil, name) end\nend\n"
                  "function request()\n    i = i % #requests + 1\n    return requests[i]\nend\n")
    return path


def memory_and_threads(process):
    """As ps has them: resident and virtual memory in kB, the number of threads."""
    with open(f"/proc/{process.process.pid}/status", encoding="utf-8") as status:
        text = status.read()
    return [int(re.search(rf"^{word}:\s+(\d+)", text, re.MULTILINE).group(1)) for word in ("VmRSS", "VmSize", "Threads")]


def metrics_of(case):
    """Names and units of what a loaded server gives, in the order in which under_load tells them."""
    return [(case.rate, "per second"), (f"{case.rate} at full load", "per second of CPU"), ("busy", "% of a processor"),
            ("physical memory", "kB"), ("virtual memory", "kB"), ("threads", "threads")]


def pull(process, files):
    """As in the paper's time of warming up: the server reads what it will be asked for, one file after the other."""
    with client.connect(process.port) as connection:
        for name, size in files.items():
            connection.sendall(client.request(process.port, name))
            status, _, body = client.answer(connection)
            if status != 200 or len(body) != size:
                raise Failed(f"{process.name} answered {status} with {len(body)} bytes for {name}, which has {size}")


class Measurement:
    def __init__(self, site, programs, size, rounds):
        self.site = site
        self.programs = programs
        self.size = size
        self.rounds = rounds
        self.script = write_script(site)
        self.rows = []

    def under_load(self, case, variant, _):
        with self.site.running(variant, self.programs[variant]) as process:
            pull(process, small_files() if case.small_files else {client.NAME: len(client.BODY)})
            ask = functools.partial(client.load, variant, process.port, min(case.clients, self.size.most_clients),
                                    close=case.closes, script=self.script if case.small_files else None)
            ask(seconds=self.size.warm_up_s)
            memory = memory_and_threads(process)
            before = meters.cpu_seconds(process)
            answered, seconds = ask(seconds=self.size.load_s)
            cpu = meters.cpu_seconds(process) - before
            return [answered / seconds, answered / max(cpu, 1 / meters.TICKS_PER_S), 100 * cpu / seconds, *memory]

    def idle(self, variant, _):
        with self.site.running(variant, self.programs[variant]) as process:
            return meters.idle_bytes(process, self.size)

    def of_case(self, name):
        case = CASES[name]
        if case is None:
            values = interleaved(list(self.programs), [name], min(self.rounds, IDLE_ROUNDS), self.idle)
            self.rows += rows_of("figure7", values, AGAINST, "idle_bytes", "per connection")
            return
        variants = [variant for variant in self.programs if not case.small_files or variant in SERVES_FOLDERS]
        told = interleaved(variants, [name], self.rounds, functools.partial(self.under_load, case))
        for i, (metric, unit) in enumerate(metrics_of(case)):
            values = {key: [numbers[i] for numbers in rounds] for key, rounds in told.items()}
            self.rows += rows_of("figure7", values, AGAINST, metric, unit)


def run(project, options):
    cases = chosen(options.cases, CASES)
    offered = TOY_VARIANTS if options.toy and options.variants is None else SERVERS
    variants = chosen(options.variants, offered, (AGAINST,))
    size = TOY if options.toy else Size()
    allow_descriptors(max(size.idle, size.most_clients))
    # The same programs as in `web`.
    ninja = Ninja(project.scratch("web"))
    makers = Makers(project, ninja)
    made = build(ninja, [(name, lambda server=SERVERS[name]: server.make(makers), SERVERS[name].required) for name in variants])
    site = Site(ninja.folder)
    write_small_files(site)
    measurement = Measurement(site, those_that_answer(site, made), size, options.rounds)
    for case in cases:
        measurement.of_case(case)
    return measurement.rows
