# benchmarks: what a raise costs, beside hand-merged code, other signal libraries and PGO + LTO.
import os
import re

from harness.ninja import Ninja
from harness.project import Missing, package_flags
from harness.timed import build, check_agreement, chosen, measure

DESCRIPTION = "one raise: four handlers (W1), nested 4 + 4 (W2), a chain of five events (W3); against hand-merged code"

CLANG = "clang++-19"
CASES = ("W1", "W2", "W3")
AGAINST = "hand"
OPTIMISE = ["-O3", "-g", "-std=c++20"]
FULL_LTO = ["-flto=full", "-fuse-ld=lld-19"]
# Raises of each case in the run that is recorded, for the tool and for PGO alike.
TRAINING_RAISES = 100000


class Builder:
    """Makes each variant's program from the same handlers."""

    def __init__(self, project):
        self.project = project
        self.ninja = Ninja(project.scratch("dispatch"))
        self.handlers = read_handlers(project.source("dispatch", "handlers.def"))
        self.names = [name for name, _, _ in self.handlers]
        self.training = f"all {TRAINING_RAISES} " + " ".join(self.names)

    def program(self, name, framework, compiler, compile_flags=(), link_flags=(), extra_objects=(), needs=()):
        """events, main and one object a handler, each in a translation unit of its own."""
        folder = self.project.source("dispatch")
        flags = [*OPTIMISE, *compile_flags, f"-I{folder}", f"-I{self.project.include}",
                 f"-DFRAMEWORK='\"frameworks/{framework}.h\"'"]
        objects = [self.ninja.compile(os.path.join(folder, source), f"{name}/{source}", compiler, flags, needs)
                   for source in ("main.cc", "events.cc")]
        # Most of an object's time goes into the framework's headers, which are read once instead of 22 times.
        headers = self.ninja.edge(self.path(name, "handler.pch"),
                                  f"{compiler} -MMD -MF $out.d {' '.join(flags)} -x c++-header $in -o $out",
                                  [os.path.join(folder, "handler.h")], [*needs, *([compiler] if "/" in compiler else [])],
                                  depfile=True)
        for handler, event, raises in self.handlers:
            own = [f"-DHANDLER_NAME={handler}", f"-DEVENT={event}"] + ([f"-DRAISES={raises}"] if raises else [])
            objects.append(self.ninja.compile(os.path.join(folder, "handler.cc"), f"{name}/{handler}", compiler,
                                              [*flags, "-include-pch", headers, *own], [*needs, headers]))
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

    def ours_with(self, framework, *packages):
        """What optimize makes of a library's program."""
        self.project.need_tool()
        flags, linking = package_flags(*packages)
        original = self.program(f"{framework}-ours", framework, self.project.cxx, flags, linking)
        return self.project.optimised(self.ninja, original, self.training)

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
        ("optimized-sigc++", lambda: builder.ours_with("sigc", "sigc++-2.0"), False),
        ("gobject", lambda: builder.peer("gobject", "gobject-2.0"), False),
        ("qt5", builder.qt5, False),
    ]


def run(project, options):
    builder = Builder(project)
    everything = recipes(builder)
    wanted = chosen(options.variants, [name for name, _, _ in everything], (AGAINST,))
    cases = chosen(options.cases, CASES)
    programs = build(builder.ninja, [recipe for recipe in everything if recipe[0] in wanted])
    check_agreement(programs, builder.names, AGAINST)
    return measure("dispatch", cases, list(programs), AGAINST, options,
                   lambda variant, case, count: ([programs[variant], case, str(count), *builder.names], case))
