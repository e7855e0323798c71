# benchmarks: a handler, the trigger in it and the function that goes on there: as written in parts, as one path, and by hand.
import os

from harness.ninja import Ninja
from harness.timed import build, check_agreement, chosen, measure
from harness.variants import CLANG, FULL_LTO, Source, Variants, check_applied

DESCRIPTION = "a handler triggers what a tamed function waits for: one path; against lto+pgo and hand"

CASES = ("relay", "frames")
AGAINST = ("lto+pgo", "hand")
VARIANTS = ("hand", "original", "lto", "lto+pgo", "optimized")
TRAINING = 30000
TOY_COUNT = 2000
TRIGGER = r"thalweg::tame::event<int>::occur"


class Builder:
    def __init__(self, project):
        self.project = project
        folder = project.source("paths")
        flags = ["-std=c++20", "-Wall", "-Wextra", f"-I{project.include}", f"-I{os.path.dirname(folder)}"]
        main, self.hand_source, tamed = (Source(os.path.join(folder, name), *flags) for name in ("main.cc", "hand.cc", "tamed.cc"))
        self.main = main
        self.variants = Variants(project, Ninja(project.scratch("paths")), [main, tamed], f"all {TRAINING}",
                                 (project.library, "-lstdc++"), (project.library,))

    def recipes(self):
        return [
            ("hand", lambda: self.variants.program("hand", CLANG, ["-O3", *FULL_LTO], [self.main, self.hand_source]), True),
            ("original", self.variants.original, False),
            ("lto", self.variants.lto, False),
            ("lto+pgo", self.variants.lto_pgo, True),
            ("optimized", self.variants.optimized, True),
        ]


def run(project, options):
    builder = Builder(project)
    wanted = chosen(options.variants, VARIANTS, AGAINST)
    programs = build(builder.variants.ninja, [recipe for recipe in builder.recipes() if recipe[0] in wanted])
    check_agreement(programs, (), "hand")
    if "optimized" in programs:
        check_applied("paths", "specialize", (TRIGGER,), programs["optimized"])

    def command_for(variant, case, count):
        return [programs[variant], case, str(count)], case

    return measure("paths", chosen(options.cases, CASES), list(programs), AGAINST, options, command_for, toy_count=TOY_COUNT)
