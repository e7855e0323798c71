# benchmarks: the six accuracies again, as programs of shapes that an engineer would write: one file, six files, a library out of line.
import glob
import os

from harness.instructions import instructions_each, need_valgrind, without_debug_information
from harness.ninja import Ninja
from harness.rounds import Failed, output_of, rows_of
from harness.timed import build, chosen
from harness.variants import Source, Variants

DESCRIPTION = "the accuracies in three other shapes: one file and arguments, six files and a configuration, a library; instructions; against hand"

# What each program is recorded and measured with, and what it must do as the original does though nothing was recorded of it.
CASES = {
    "argv/inter-procedural": ("1 0 0 1 0", "0 1 1 1 1", "2 0 0 2 0", "1 0 1 0 1", "3 1 0 1 0"),
    "argv/structure": ("1 1 0 0 0 1 16", "0 0 0 2 1 0 16", "2 1 1 1 0 0 21", "1 1 0 0 0 1 19", "1 0 0 0 0 1 16"),
    "argv/context": ("5 9 4 12 20 0", "1 3 6 9 17 1", "15 1 4 12 20 0", "5 9 4 12 20 1", "0 0 1 3 31 0"),
    "argv/flow": ("0xcafe0102 0 1 3000000000", "0x7e7e 1 2 1000", "0xcafe0102 1 1 3000000000", "1 0 0 4294967295"),
    "argv/use": ("8 0 0 0", "1 1 1 1", "3 0 0 1", "8 0 1 0", "16 1 0 0"),
    "argv/return": ("id=%4x/%3b 40", "%8x%9b 12", "abc%2c 40", "id=%9x 40", "id=%4x/%3b 5", "id=%4x/%4b 40"),
    "configuration/inter-procedural": ("a.conf", "b.conf", "c.conf"),
    "configuration/structure": ("a.conf", "b.conf", "c.conf"),
    "configuration/context": ("a.conf", "b.conf", "c.conf"),
    "configuration/flow": ("a.conf", "b.conf", "c.conf"),
    "configuration/use": ("a.conf", "b.conf", "c.conf"),
    "configuration/return": ("a.conf", "b.conf", "c.conf", "d.conf"),
    "library/inter-procedural": ("1", "0", "2"),
    "library/structure": ("10s 6", "8p 12sd", "16 16s", "10s 6d", "10 6p"),
    "library/context": ("2", "1", "3", "4", "0"),
    "library/flow": ("0x20000099 1 0", "7 2 1", "0x20000099 1 1", "0x20000099 3 0"),
    "library/use": ("m", "hc", "z", "mhz", "-"),
    "library/return": ("-", "88888", "xf9", "f2f3ab", "a4:2", "a4:3"),
}
TOY = ("argv/flow", "library/flow")
AGAINST = "hand"
VARIANTS = ("hand", "original", "pgo+lto", "optimized")
TRAINING = 200000
# Instructions are counted in two runs; what starting costs is in both.
SHORT, LONG = 500, 2500
# Hand is made for these settings alone, and for any count.
COUNTS = ("0", "1", "1001")


class Builder:
    def __init__(self, project, case):
        shapes = project.source("shapes")
        self.folder = os.path.join(shapes, case)
        shape = os.path.dirname(case)
        own = sorted(glob.glob(os.path.join(self.folder, "*.c")))
        shared = sorted(glob.glob(os.path.join(shapes, shape, "*.c")))
        flags = ("-std=gnu11", f"-I{shapes}", f"-I{os.path.join(shapes, shape)}", f"-I{self.folder}")
        program = [Source(path, *flags) for path in [*own, *shared] if os.path.basename(path) != "hand.c"]
        # The residual beside it stands in place of main, with the code that sets up; of one file it includes the other.
        self.hand = [Source(os.path.join(self.folder, "hand.c"), *flags)]
        if shape != "argv":
            self.hand += [one for one in program if os.path.basename(one.path) != "main.c"]
        self.variants = Variants(project, Ninja(os.path.join(project.scratch("shapes"), case)), program,
                                 f"{TRAINING} {' '.join(self.words(CASES[case][0]))}")

    def words(self, settings):
        """Files of settings are named in full."""
        return [os.path.join(self.folder, word) if word.endswith(".conf") else word for word in settings.split()]

    def recipes(self):
        return [
            ("hand", lambda: self.variants.plain("hand", ["-O3", "-flto", "-fuse-ld=lld-19"], self.hand), True),
            ("original", lambda: self.variants.original(flags=["-O2"]), True),
            ("pgo+lto", self.variants.lto_pgo, True),
            ("optimized", lambda: self.variants.optimized(flags=["-O2"]), True),
        ]


def check_agreement(builder, case, programs):
    """The optimised program does what the original does whatever the settings are, and hand what it was made for."""
    for settings in CASES[case]:
        for count in COUNTS:
            names = [name for name in programs if name != AGAINST or (settings == CASES[case][0] and count == COUNTS[-1])]
            found = {name: output_of([programs[name], count, *builder.words(settings)]) for name in names}
            if len(set(found.values())) > 1:
                raise Failed(f"{case} with {count} {settings}: " + ", ".join(f"{name} computes {said.strip()}" for name, said in found.items()))


def run(project, options):
    need_valgrind()
    values = {}
    for case in chosen(options.cases, [one for one in CASES if one in TOY or not options.toy]):
        builder = Builder(project, case)
        wanted = chosen(options.variants, VARIANTS, (AGAINST,))
        programs = build(builder.variants.ninja, [recipe for recipe in builder.recipes() if recipe[0] in wanted])
        check_agreement(builder, case, programs)
        for name, program in programs.items():
            stripped = without_debug_information(program)
            words = builder.words(CASES[case][0])
            values[case, name] = [instructions_each(lambda count, run=stripped, words=words: [run, str(count), *words], SHORT, LONG)]
    return rows_of("shapes", values, AGAINST, "instructions", "per operation")
