# benchmarks: six small programs, one for each accuracy of analysis that the paper names, beside their hand-made residuals.
import glob
import os

from harness.instructions import instructions_each, need_valgrind, without_debug_information
from harness.ninja import Ninja
from harness.rounds import Failed, output_of, rows_of
from harness.timed import build, chosen
from harness.variants import Source, Variants

DESCRIPTION = "six small layered programs, one an accuracy of the paper; instructions of an operation; against hand"

# Each with its settings, which the programs read from the command line; hand.c says what they mean.
CASES = {
    "inter-procedural": "0 1 4",
    "structure": "1 0 0 1",
    "context": "300 0 7 5",
    "flow": "1 2000000000",
    "use": "1 10 0",
    "return": "4 1",
}
# The same program with other settings: whatever was assumed does not hold, and all must compute what they always did.
OTHER = {
    "inter-procedural": "1 0 2",
    "structure": "1 1 0 0",
    "context": "3 5 70000 0",
    "flow": "0 1000",
    "use": "0 3 255",
    "return": "2 0",
}
AGAINST = "hand"
VARIANTS = ("hand", "lto", "optimized")
TRAINING = 5000
# Instructions are counted in two runs; what starting costs is in both.
SHORT, LONG = 200, 1200


class Builder:
    def __init__(self, project, case):
        self.folder = project.source("accuracies")
        self.case = case
        main = os.path.join(self.folder, "main.c")
        layers = sorted(glob.glob(os.path.join(self.folder, case, "*.c")))
        hand = os.path.join(self.folder, case, "hand.c")
        setup = os.path.join(self.folder, case, "setup.c")
        self.hand_sources = [self.source(path) for path in (main, setup, hand)]
        self.variants = Variants(project, Ninja(os.path.join(project.scratch("accuracies"), case)),
                                 [self.source(path) for path in (main, *layers) if path != hand],
                                 f"{TRAINING} {CASES[case]}")

    def source(self, path):
        return Source(path, "-std=gnu11", "-Wall", "-Wextra", f"-I{self.folder}")

    def recipes(self):
        return [
            ("hand", lambda: self.variants.plain("hand", ["-O3"], self.hand_sources), True),
            ("lto", self.variants.lto, True),
            ("optimized", self.variants.optimized, True),
        ]


def check_agreement(case, programs):
    """hand is made for its settings alone; the others compute the same also with other ones."""
    for settings, names in ((CASES[case], list(programs)), (OTHER[case], [name for name in programs if name != AGAINST])):
        found = {name: output_of([programs[name], "1001", *settings.split()]) for name in names}
        for name, digest in found.items():
            if digest != found[names[0]]:
                raise Failed(f"{case} with {settings}: {name} computes {digest.strip()}, {names[0]} {found[names[0]].strip()}")


def run(project, options):
    need_valgrind()
    values = {}
    for case in chosen(options.cases, list(CASES)):
        builder = Builder(project, case)
        wanted = chosen(options.variants, VARIANTS, (AGAINST,))
        programs = build(builder.variants.ninja, [recipe for recipe in builder.recipes() if recipe[0] in wanted])
        check_agreement(case, programs)
        for name, program in programs.items():
            stripped = without_debug_information(program)
            values[case, name] = [instructions_each(lambda count, run=stripped, words=CASES[case].split(): [run, str(count), *words], SHORT, LONG)]
    return rows_of("accuracies", values, AGAINST, "instructions", "per operation")
