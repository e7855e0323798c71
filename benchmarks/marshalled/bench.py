# benchmarks: the paper's Figure 11: time in Adapt, SegFromUser, Seg2Net with marshalled arguments and a lock per handler.
import os
import re

from harness.ninja import Ninja
from harness.timed import build, check_agreement, chosen, measure

DESCRIPTION = "time in Adapt, SegFromUser and Seg2Net through the C interface, handlers tiny, medium and heavy"

CLANG = "clang++-19"
OPTIMISE = ["-O3", "-g", "-std=c++20"]
EVENTS = ("Adapt", "SegFromUser", "Seg2Net")
# Rounds of mixing added to each handler: see work.h.
WEIGHTS = {"tiny": 0, "medium": 4, "heavy": 100}
VARIANTS = ("original", "optimized", "hand")
AGAINST = "original"
TRAINING_RAISES = 100000


class Builder:
    def __init__(self, project):
        self.project = project
        self.ninja = Ninja(project.scratch("marshalled"))
        self.folder = project.source("marshalled")
        with open(os.path.join(self.folder, "handlers.def"), encoding="utf-8") as file:
            self.handlers = re.findall(r"^HANDLER\((\w+), (\w+), (\w+)\)", file.read(), re.MULTILINE)
        self.names = [handler for _, handler, _ in self.handlers]

    def original(self, weight):
        self.project.need_tool()
        compiler = self.project.cxx
        flags = [*OPTIMISE, f"-DROUNDS={WEIGHTS[weight]}", f"-I{self.project.include}"]
        objects = [self.ninja.compile(os.path.join(self.folder, "main.cc"), f"{weight}/main", compiler, flags)]
        for event, handler, raises in self.handlers:
            own = [f"-DHANDLER_NAME={handler}", f"-DEVENT={event}"] + ([f"-DRAISES={raises}"] if raises != "nothing" else [])
            objects.append(self.ninja.compile(os.path.join(self.folder, "handler.cc"), f"{weight}/{handler}", compiler,
                                              flags + own))
        return self.ninja.edge(os.path.join(self.ninja.folder, weight, "program"),
                               f"{compiler} -O3 $in {self.project.library} -o $out", objects, [self.project.library])

    def optimized(self, weight):
        training = f"all {TRAINING_RAISES} " + " ".join(self.names)
        return self.project.optimised(self.ninja, self.original(weight), training)

    def hand(self, weight):
        return self.ninja.edge(os.path.join(self.ninja.folder, weight, "hand"),
                               f"{CLANG} -MMD -MF $out.d {' '.join(OPTIMISE)} -DROUNDS={WEIGHTS[weight]} $in -o $out",
                               [os.path.join(self.folder, "hand.cc")], depfile=True)


def run(project, options):
    builder = Builder(project)
    variants = chosen(options.variants, VARIANTS, (AGAINST,))
    cases = chosen(options.cases, [f"{event}-{weight}" for weight in WEIGHTS for event in EVENTS])
    weights = [weight for weight in WEIGHTS if any(case.endswith(weight) for case in cases)]
    make = {"original": builder.original, "optimized": builder.optimized, "hand": builder.hand}
    recipes = [(f"{variant} {weight}", lambda variant=variant, weight=weight: make[variant](weight), True)
               for weight in weights for variant in variants]
    programs = build(builder.ninja, recipes)
    for weight in weights:
        check_agreement({name: program for name, program in programs.items() if name.endswith(weight)}, builder.names,
                        f"{AGAINST} {weight}")

    def command_for(variant, case, count):
        event, weight = case.split("-")
        return [programs[f"{variant} {weight}"], event, str(count), *builder.names], event

    return measure("marshalled", cases, variants, AGAINST, options, command_for)
