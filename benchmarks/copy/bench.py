# benchmarks: the copy program of cassyopia-hotos03 (Figure 1, Table 2), with the paper's three sizes and block of 4,096 bytes.
import filecmp
import glob
import os
import random

from harness.ninja import Ninja
from harness.processes import cpu_seconds, crossings
from harness.rounds import Failed, interleaved, rows_of
from harness.timed import build, chosen
from harness.variants import Source, Variants

DESCRIPTION = "the paper's copy program, blocks of 4,096 bytes: CPU time and system calls; against original and lto+pgo"

AGAINST = ("original", "lto+pgo")
VARIANTS = ("original", "lto", "lto+pgo", "optimized", "hand")
# The paper's files, and how often one process copies each: so often that the start is some hundredths of the whole.
SIZES = {"80K": 80 * 1024, "925K": 925 * 1024, "2.28M": 2_390_753}
COUNTS = {"80K": 200, "925K": 30, "2.28M": 16}
TOY_COUNT = 3
TRAINING_COUNT = 20
# Counted in two runs; what starting costs is in both.
SHORT, LONG = 1, 3


def write_file(path, size):
    """Bytes that no file system has a shorter form of; the same each time."""
    if not os.path.exists(path) or os.path.getsize(path) != size:
        with open(path, "wb") as out:
            out.write(random.Random(size).randbytes(size))
    return path


class Copies:
    """In the build folder, which is on a real file system: on tmpfs copying is another thing."""

    def __init__(self, folder, programs):
        self.programs = programs
        self.target = os.path.join(folder, "copied")
        self.counts = os.path.join(folder, "strace.counts")
        self.files = {case: write_file(os.path.join(folder, f"{case}.data"), size) for case, size in SIZES.items()}

    def command(self, variant, case, count):
        return [self.programs[variant], self.files[case], self.target, str(count)]

    def checked(self, case, count):
        """What was copied is there, and is removed."""
        copies = glob.glob(f"{self.target}.*")
        if len(copies) != count or not all(filecmp.cmp(self.files[case], copy, shallow=False) for copy in copies):
            raise Failed(f"{case}: {len(copies)} of {count} copies, or one of them has other bytes")
        for copy in copies:
            os.unlink(copy)

    def cpu_us(self, variant, case, count):
        used = cpu_seconds(self.command(variant, case, count))
        self.checked(case, count)
        return used / count * 1e6

    def crossings(self, variant, case):
        counted = []
        for count in (SHORT, LONG):
            counted.append(crossings(self.command(variant, case, count), self.counts))
            self.checked(case, count)
        return (counted[1] - counted[0]) / (LONG - SHORT)


def recipes(project, ninja, folder):
    def of(file, training=""):
        return Variants(project, ninja, [Source(project.source("copy", "main.c")), Source(project.source("copy", file), "-w")], training)

    trained = of("copy.c", f"{folder}/80K.data {folder}/trained {TRAINING_COUNT}")
    return [("original", trained.original, True), ("lto", trained.lto, True), ("lto+pgo", trained.lto_pgo, True), ("optimized", trained.optimized, True),
            ("hand", lambda: of("hand.c").plain("hand", ["-O3"]), True)]


def run(project, options):
    cases = chosen(options.cases, SIZES)
    variants = chosen(options.variants, VARIANTS, AGAINST)
    folder = project.scratch("copy")
    ninja = Ninja(folder)
    write_file(os.path.join(folder, "80K.data"), SIZES["80K"])
    programs = build(ninja, [row for row in recipes(project, ninja, folder) if row[0] in variants])
    for left in glob.glob(os.path.join(folder, "copied.*")) + glob.glob(os.path.join(folder, "trained.*")):
        os.unlink(left)
    copies = Copies(folder, programs)
    counts = {case: TOY_COUNT if options.toy else COUNTS[case] for case in cases}
    timed = interleaved(list(programs), cases, options.rounds, lambda variant, case: copies.cpu_us(variant, case, counts[case]))
    counted = interleaved(list(programs), cases, 1, copies.crossings)
    return rows_of("copy", timed, AGAINST, "cpu", "us per copy") + rows_of("copy", counted, AGAINST, "crossings", "per copy")
