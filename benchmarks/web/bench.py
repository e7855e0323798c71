# benchmarks: web servers that give one small file, on one core, each configured for its best; against one made by hand.
import resource
import sys
from dataclasses import dataclass

from harness.ninja import Ninja
from harness.project import Missing
from harness.rounds import interleaved, rows_of
from harness.timed import build, chosen

from web import client, meters
from web.servers import DESCRIPTORS, SERVERS, Makers, Site

DESCRIPTION = "web servers with one small file: CPU time, instructions, system calls, bytes; against bare epoll"

CASES = ("keep-alive", "close", "idle")
AGAINST = "bare-epoll"
OTHER_DESCRIPTORS = 100
# Pages hardly differ from run to run.
IDLE_ROUNDS = 3
TOY_VARIANTS = ("bare-epoll", "thalweg-epoll")


@dataclass
class Size:
    connections: int = 200
    load_s: float = 2  # the kernel tells CPU time in hundredths of a second
    idle: int = 5000
    warm_up: int = 2000  # requests before anything is measured: caches are filled, buffers touched
    counted_together: int = 20  # requests at once while instructions are counted: as a loop's turn has them under load


TOY = Size(connections=20, load_s=0.3, idle=200, warm_up=100, counted_together=5)


def allow_descriptors(connections):
    """As many as the connections need, for the servers and for who asks them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, DESCRIPTORS)
    if allowed < connections + OTHER_DESCRIPTORS:
        raise Missing(f"{connections + OTHER_DESCRIPTORS} descriptors are needed, {allowed} allowed (ulimit -H -n)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))


def those_that_answer(site, programs):
    """Without those that can't run on this machine. One that answers wrongly makes all void."""
    answering = {}
    for name, program in programs.items():
        try:
            with site.running(name, program) as process:
                client.check_answers(name, process.port)
            answering[name] = program
        except Missing as problem:
            print(f"bench: {name} left out: {problem}", file=sys.stderr)
    return answering


class Measurement:
    def __init__(self, site, programs, counter, size, rounds):
        self.site = site
        self.programs = programs
        self.counter = counter
        self.size = size
        self.rounds = rounds
        self.rows = []

    def loaded(self, case, metrics):
        """CPU time and rate of the same runs. metrics: their names and units."""

        def once(variant, _):
            with self.site.running(variant, self.programs[variant]) as process:
                client.warm_up(variant, process.port, self.size.warm_up)
                return meters.under_load(process, self.size, case == "close")

        told = interleaved(list(self.programs), [case], self.rounds, once)
        for i, (metric, unit) in enumerate(metrics):
            values = {key: [pair[i] for pair in pairs] for key, pairs in told.items()}
            self.rows += rows_of("web", values, AGAINST, metric, unit)

    def idle(self, case):
        def once(variant, _):
            with self.site.running(variant, self.programs[variant]) as process:
                return meters.idle_bytes(process, self.size)

        values = interleaved(list(self.programs), [case], min(self.rounds, IDLE_ROUNDS), once)
        self.rows += rows_of("web", values, AGAINST, "idle_bytes", "per connection")

    def counted(self, case, metric, unit, count):
        """A number that does not depend on how busy the machine is: once. Where it can't be had the row is left out."""
        values = {}
        for name in self.programs:
            try:
                values[case, name] = [count(name)]
            except Missing as problem:
                print(f"bench: {metric} of {name} left out: {problem}", file=sys.stderr)
        self.rows += rows_of("web", values, AGAINST, metric, unit)

    def instructions(self, name, are_all_different=False):
        if SERVERS[name].uncounted:
            raise Missing(SERVERS[name].uncounted)
        with self.site.running(name, self.programs[name]) as process:
            return meters.instructions(process, self.size, self.counter, self.site.folder_of(name),
                                       are_all_different)

    def system_calls(self, name):
        with self.site.running(name, self.programs[name]) as process:
            return meters.system_calls(process, self.size, self.site.folder_of(name))

    def of_case(self, case):
        if case == "keep-alive":
            self.loaded(case, [("cpu", "µs per request"), ("requests", "per second")])
            self.counted(case, "instructions", "per request", self.instructions)
            self.counted(case, "instructions_different", "per request",
                         lambda name: self.instructions(name, are_all_different=True))
            self.counted(case, "syscalls", "per request", self.system_calls)
        elif case == "close":
            self.loaded(case, [("cpu", "µs per connection"), ("connections", "per second")])
        else:
            self.idle(case)


def run(project, options):
    cases = chosen(options.cases, CASES)
    offered = TOY_VARIANTS if options.toy and options.variants is None else SERVERS
    variants = chosen(options.variants, offered, (AGAINST,))
    size = TOY if options.toy else Size()
    allow_descriptors(max(size.idle, size.connections))
    ninja = Ninja(project.scratch("web"))
    makers = Makers(project, ninja)
    made = build(ninja, [("steps", makers.counter, True)] +
                 [(name, lambda server=SERVERS[name]: server.make(makers), SERVERS[name].required) for name in variants])
    counter = made.pop("steps")
    site = Site(ninja.folder)
    programs = those_that_answer(site, made)
    measurement = Measurement(site, programs, counter, size, options.rounds)
    for case in cases:
        measurement.of_case(case)
    return measurement.rows
