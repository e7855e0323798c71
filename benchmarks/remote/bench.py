# benchmarks: independent remote calls in a row (paper cassyopia, section 3), over networks of three lengths.
import contextlib
import os
import re
import subprocess

from harness.ninja import Ninja
from harness.rounds import Failed, interleaved, output_of, rows_of
from harness.timed import build, chosen
from harness.variants import CLANG, Source, Variants

DESCRIPTION = "rows of independent Sun RPCs by datagrams: elapsed and CPU time of the client; against original"

AGAINST = "original"
VARIANTS = ("original", "optimized", "hand")
ROWS = ("2", "4", "8")
# One way, in microseconds: the loopback itself, a rack, a building.
DISTANCES_US = {"": 0, "-50us": 50, "-500us": 500}
CASES = {f"{row}{name}": (row, distance) for name, distance in DISTANCES_US.items() for row in ROWS}
MEASURED_S, MOST_ROWS, TOY_ROWS, TRAINING_ROWS = 0.4, 4000, 20, 300
LOOPBACK_CALL_S = 20e-6  # about; how many rows fill the time
STUBS = {"prices.h": "-h", "prices_clnt.c": "-l", "prices_svc.c": "-m"}
# The user's word: calls of this procedure are independent of each other.
INDEPENDENT = "0x20000888:1:1"


class Builder:
    def __init__(self, project):
        self.project = project
        self.ninja = Ninja(project.scratch("remote"))
        self.generated = os.path.join(self.ninja.folder, "generated")
        self.stubs = [self.generate(name, option) for name, option in STUBS.items()]
        found = subprocess.run(["pkg-config", "--cflags", "--libs", "libtirpc"], check=True, capture_output=True, text=True)
        self.flags = found.stdout.split()
        self.client = self.variants("client.c", self.made("prices_clnt.c"))

    # rpcgen writes the path that it is given into what it makes.
    def generate(self, name, option):
        interface = self.ninja.edge(os.path.join(self.generated, "prices.x"), "cp $in $out", [self.project.source("remote", "prices.x")])
        return self.ninja.edge(os.path.join(self.generated, name),
                               f"cd {self.generated} && rm -f {name} && rpcgen -C -M {option} -o {name} prices.x", [interface])

    def made(self, name):
        return Source(os.path.join(self.generated, name), "-w", *self.flags)

    def variants(self, *sources):
        own = [Source(self.project.source("remote", source), f"-I{self.generated}", *self.flags) if isinstance(source, str) else source
               for source in ("main.c", *sources)]
        return Variants(self.project, self.ninja, own, "", [flag for flag in self.flags if flag.startswith("-l")], self.stubs)

    def service(self):
        own = Source(self.project.source("remote", "service.c"), f"-I{self.generated}", *self.flags)
        return self.variants().program("service", CLANG, ["-O2"], [own, self.made("prices_svc.c")])

    def distance(self):
        return self.variants().program("distance", CLANG, ["-O2"], [Source(self.project.source("remote", "distance.c"))])

    def original(self):
        return self.client.original()

    # Recorded while a service answers it, and planned with the user's word.
    def optimized(self):
        original, service, tool = self.original(), self.service(), self.project.tool
        run = (f"rm -f $out.port; {service} > $out.port & served=$$!; while [ ! -s $out.port ]; do sleep 0.05; done; "
               f"{tool} record -o $out -- {original} $$(cat $out.port) all {TRAINING_ROWS} > $out.log 2>&1; code=$$?; kill $$served; "
               "[ $$code = 0 ] || (cat $out.log; false)")
        profile = self.ninja.edge(f"{original}.profile", run, [original, service], self.project.parts())
        plan = self.ninja.edge(f"{original}.toml", f"{tool} plan {profile} --independent {INDEPENDENT} -o $out > /dev/null", [profile])
        return self.ninja.edge(f"{original}.opt", f"{tool} optimize {original} --profile {profile} --plan {plan} --independent {INDEPENDENT} -o $out > $out.log 2>&1 || "
                               "(cat $out.log; false)", [original, profile, plan], self.project.parts())

    def hand(self):
        return self.variants("hand.c").plain("hand", ["-O3"])


@contextlib.contextmanager
def listening(*command):
    """A process that tells its port; the port."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


class Runs:
    def __init__(self, programs, toy):
        self.programs = programs
        self.toy = toy
        self.cpu_us = {}
        self.digests = {}

    def rows(self, row, distance):
        each_s = int(row) * LOOPBACK_CALL_S + 2e-6 * distance * int(row)
        return TOY_ROWS if self.toy else max(TOY_ROWS, min(MOST_ROWS, int(MEASURED_S / each_s)))

    def elapsed_us(self, variant, case):
        row, distance = CASES[case]
        with contextlib.ExitStack() as stack:
            port = stack.enter_context(listening(self.programs["service"]))
            if distance:
                port = stack.enter_context(listening(self.programs["distance"], port, str(distance)))
            told = output_of([self.programs[variant], port, row, str(self.rows(row, distance))])
        found = re.search(rf"^{row} elapsed ([0-9.]+) us cpu ([0-9.]+) us digest (\w+)$", told, re.MULTILINE)
        if found is None:
            raise Failed(f"{case}, {variant}: {told[:200]}")
        self.cpu_us.setdefault((case, variant), []).append(float(found[2]))
        self.check(case, variant, found[3])
        return float(found[1])

    def check(self, case, variant, digest):
        if self.digests.setdefault(case, digest) != digest:
            raise Failed(f"{case}: {variant} was told other prices ({digest}) than the others ({self.digests[case]})")


def run(project, options):
    cases = chosen(options.cases, CASES)
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    builder = Builder(project)
    programs = build(builder.ninja, [(name, getattr(builder, name), True) for name in ("service", "distance", *variants)])
    runs = Runs(programs, options.toy)
    timed = interleaved(variants, cases, options.rounds, runs.elapsed_us)
    return (rows_of("remote", timed, AGAINST, "elapsed", "us per row")
            + rows_of("remote", {key: runs.cpu_us[key] for key in timed}, AGAINST, "cpu", "us per row"))
