# benchmarks: what a raise costs, beside hand-merged code, other signal libraries and PGO + LTO.
import os
import re
import sys

from harness.ninja import Ninja
from harness.project import Missing, package_flags
from harness.rounds import Failed, count_for, interleaved, output_of, progress, rows_of

DESCRIPTION = "one raise: four handlers (W1), nested 4 + 4 (W2), a chain of five events (W3); against hand-merged code"

CLANG = "clang++-19"
CASES = ("W1", "W2", "W3")
AGAINST = "hand"
OPTIMISE = ["-O3", "-g", "-std=c++20"]
FULL_LTO = ["-flto=full", "-fuse-ld=lld-19"]
# Raises of each case in the run that is recorded, for the tool and for PGO alike.
TRAINING_RAISES = 100000
# Long enough that starting the process and the clock's grain vanish, short enough for some twenty variants a round.
TIMED_S = 0.05
TOY_RAISES = 2000
DIGEST_RAISES = 10007


class Builder:
    """Makes each variant's program from the same handlers."""

    def __init__(self, project):
        self.project = project
        self.ninja = Ninja(project.scratch("dispatch"))
        self.handlers = read_handlers(project.source("dispatch", "handlers.def"))
        self.training = f"all {TRAINING_RAISES} " + " ".join(name for name, _, _ in self.handlers)

    def program(self, name, framework, compiler, compile_flags=(), link_flags=(), extra_objects=(), needs=()):
        """events, main and one object a handler, each in a translation unit of its own."""
        folder = self.project.source("dispatch")
        flags = [*OPTIMISE, *compile_flags, f"-I{folder}", f"-I{self.project.include}",
                 f"-DFRAMEWORK='\"frameworks/{framework}.h\"'"]
        objects = [self.ninja.compile(os.path.join(folder, source), f"{name}/{source}", compiler, flags, needs)
                   for source in ("main.cc", "events.cc")]
        for handler, event, raises in self.handlers:
            own = [f"-DHANDLER_NAME={handler}", f"-DEVENT={event}"] + ([f"-DRAISES={raises}"] if raises else [])
            objects.append(self.ninja.compile(os.path.join(folder, "handler.cc"), f"{name}/{handler}", compiler,
                                              flags + own, needs))
        return self.ninja.edge(self.path(name, "program"),
                               f"{compiler} {' '.join([*OPTIMISE, *compile_flags])} $in {' '.join(link_flags)} -o $out",
                               [*objects, *extra_objects], needs)

    def path(self, name, file):
        return os.path.join(self.ninja.folder, name, file)

    def ours(self, framework, link_flags=(), needs=()):
        """A program made by thalweg-c++, and what optimize makes of it."""
        self.project.need_tool()
        original = self.program(framework, framework, self.project.cxx, link_flags=link_flags, needs=needs)
        return original, self.project.optimised(self.ninja, original, self.training)

    def pgo(self, framework):
        trained = self.program(f"{framework}-generate", framework, CLANG, [*FULL_LTO, "-fprofile-generate"])
        data = self.path(f"{framework}-generate", "profdata")
        raw = data + ".raw"
        self.ninja.edge(data, f"rm -f {raw} && LLVM_PROFILE_FILE={raw} {trained} {self.training} > /dev/null && "
                        f"llvm-profdata-19 merge {raw} -o $out", [trained])
        # -Wno-...: handlers that the compiler merged have no counts of their own.
        name = f"{framework}-pgo-lto"
        use = [*FULL_LTO, f"-fprofile-use={data}", "-Wno-profile-instr-unprofiled", "-Wno-profile-instr-out-of-date"]
        return self.program(name, framework, CLANG, use, needs=[data])

    def hand(self):
        source = self.project.source("dispatch", "hand.cc")
        return self.ninja.edge(self.path("hand", "program"), f"{CLANG} -MMD -MF $out.d {' '.join(OPTIMISE)} $in -o $out",
                               [source], depfile=True)

    def qt5(self):
        flags, linking = package_flags("Qt5Core")
        moc = next((path for path in ("/usr/lib/qt5/bin/moc", "/usr/lib/x86_64-linux-gnu/qt5/bin/moc")
                    if os.path.exists(path)), None)
        if moc is None:
            raise Missing("moc is not installed (Debian package qtbase5-dev-tools)")
        folder = self.project.source("dispatch")
        generated = self.ninja.edge(self.path("qt5", "moc.cc"), f"{moc} -p frameworks $in -o $out",
                                    [os.path.join(folder, "frameworks", "qt5.h")])
        flags = [*flags, "-fPIC"]
        moc_object = self.ninja.compile(generated, "qt5/moc.cc", CLANG, [*OPTIMISE, *flags, f"-I{folder}"])
        return self.program("qt5", "qt5", CLANG, flags, linking, [moc_object])

    def peer(self, framework, *packages):
        flags, linking = package_flags(*packages) if packages else ([], [])
        return self.program(framework, framework, CLANG, flags, linking)


def read_handlers(path):
    """[(handler, event, the event that it raises or None)]"""
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^HANDLER\((\w+), (\w+), (\w+), (\w+)\)", file.read(), re.MULTILINE)
    return [(handler, event, None if raises == "nothing" else raises) for _, event, handler, raises in lines]


def recipes(builder):
    """[(variant's name, its program, whether the benchmark means nothing without it)]; each recipe may find that something
    is missing."""
    library = [builder.project.library]

    def original(framework, *args):
        return lambda: builder.ours(framework, *args)[0]

    def optimized(framework, *args):
        return lambda: builder.ours(framework, *args)[1]

    return [
        ("hand", builder.hand, True),
        ("original-typed", original("typed", library, library), True),
        ("optimized-typed", optimized("typed", library, library), True),
        ("original-c", original("c", library, library), True),
        ("optimized-c", optimized("c", library, library), True),
        ("vector", original("vector"), True),
        ("optimized-vector", optimized("vector"), True),
        ("vector+pgo+lto", lambda: builder.pgo("vector"), True),
        ("function", original("function"), True),
        ("optimized-function", optimized("function"), True),
        ("function+pgo+lto", lambda: builder.pgo("function"), True),
        ("virtual", original("virtual"), True),
        ("optimized-virtual", optimized("virtual"), True),
        ("virtual+pgo+lto", lambda: builder.pgo("virtual"), True),
        ("slots+pgo+lto", lambda: builder.pgo("slots"), True),
        ("signals2", lambda: builder.peer("signals2"), False),
        ("sigc++", lambda: builder.peer("sigc", "sigc++-2.0"), False),
        ("gobject", lambda: builder.peer("gobject", "gobject-2.0"), False),
        ("qt5", builder.qt5, False),
    ]


def chosen(options, everything, always=()):
    if options is None:
        return list(everything)
    asked = options.split(",")
    unknown = [name for name in asked if name not in everything]
    if unknown:
        raise Failed(f"there is no {', '.join(unknown)}; there are {', '.join(everything)}")
    return [name for name in everything if name in asked or name in always]


def build(project, wanted):
    builder = Builder(project)
    programs = {}
    refused = {}
    for name, make, required in recipes(builder):
        if name not in wanted:
            continue
        try:
            programs[name] = make()
        except Missing as problem:
            refused[name] = str(problem)
    progress(f"building {len(programs)} variants")
    broken = builder.ninja.build(list(programs.values()))
    refused.update({name: "it could not be built, see above" for name, program in programs.items() if program in broken})
    for name, _, required in recipes(builder):
        if name in refused:
            print(f"bench: {name} left out: {refused[name]}", file=sys.stderr)
            if required:
                raise Failed(f"{name} is needed and is not there: {refused[name]}")
    return {name: program for name, program in programs.items() if name not in refused}


def check_agreement(programs, handlers):
    """Every variant leaves the same state behind."""
    digests = {}
    for name, program in programs.items():
        lines = output_of([program, "all", str(DIGEST_RAISES), *handlers]).splitlines()
        digests[name] = [line.split()[-1] for line in lines]
    for name, digest in digests.items():
        if digest != digests[AGAINST]:
            raise Failed(f"{name} computes {digest}, {AGAINST} computes {digests[AGAINST]}")


def run(project, options):
    names = [name for name, _, _ in recipes(Builder(project))]
    wanted = chosen(options.variants, names, (AGAINST,))
    cases = chosen(options.cases, CASES)
    programs = build(project, wanted)
    handlers = [name for name, _, _ in Builder(project).handlers]
    check_agreement(programs, handlers)

    def nanoseconds(variant, case, count):
        output = output_of([programs[variant], case, str(count), *handlers])
        return float(re.match(rf"{case} ([0-9.]+) ns ", output).group(1))

    counts = {(case, variant): TOY_RAISES if options.toy else
              count_for(nanoseconds(variant, case, TOY_RAISES * 10), TIMED_S)
              for case in cases for variant in programs}
    values = interleaved(list(programs), cases, options.rounds,
                         lambda variant, case: nanoseconds(variant, case, counts[case, variant]))
    return rows_of("dispatch", values, AGAINST, "time", "ns/raise")
