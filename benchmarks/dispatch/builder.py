# benchmarks: programs that raise the same events with the same handlers, each by an event system, compiled in the ways that are compared.
import os
import re
from dataclasses import dataclass

from harness.ninja import Ninja
from harness.project import Missing, package_flags

# One event with four handlers, nested 4 + 4, a chain of five events (handlers.def).
CASES = ("W1", "W2", "W3")
# Of each case the limit: its handlers' bodies merged into one function.
AGAINST = "hand"

CLANG = "clang++-19"
OPTIMISE = ["-O3", "-g", "-std=c++20"]
FULL_LTO = ["-flto=full", "-fuse-ld=lld-19"]
# Raises of each case in the run that is recorded, for the tool and for PGO alike.
TRAINING_RAISES = 100000


@dataclass(frozen=True)
class System:
    """By what events are raised."""
    name: str
    framework: str  # frameworks/FRAMEWORK.h
    packages: tuple = ()  # of pkg-config
    flags: tuple = ()
    mocs: tuple = ()  # where Qt's code generator may be


SYSTEMS = {system.name: system for system in (
    *(System(name, name) for name in ("typed", "c", "vector", "function", "virtual", "slots", "delegate", "bind")),
    System("function-by-pointer", "function_by_pointer"),
    System("function-by-value", "function_by_value"),
    System("function-ref", "function_ref"),
    System("move-only-function", "move_only_function", flags=("-std=c++23",)),
    System("signals2", "signals2"),
    System("signals2-mutex", "signals2", flags=("-DSIGNALS2_MUTEX=boost::signals2::mutex",)),
    System("sigc++2", "sigc", ("sigc++-2.0",)),
    System("sigc++3", "sigc", ("sigc++-3.0",)),
    System("gobject", "gobject", ("gobject-2.0",)),
    System("qt5", "qt", ("Qt5Core",), ("-fPIC",), ("/usr/lib/qt5/bin/moc", "/usr/lib/x86_64-linux-gnu/qt5/bin/moc")),
    System("qt6", "qt", ("Qt6Core",), ("-fPIC",), ("/usr/lib/qt6/libexec/moc",)),
)}


class Builder:
    """Makes each variant's program from the same handlers."""

    def __init__(self, project, bench):
        self.project = project
        self.ninja = Ninja(project.scratch(bench))
        self.folder = project.source("dispatch")
        self.handlers = read_handlers(os.path.join(self.folder, "handlers.def"))
        self.names = [name for name, _, _ in self.handlers]
        self.training = f"all {TRAINING_RAISES} " + " ".join(self.names)

    def program(self, name, system, compiler, compile_flags=(), link_flags=(), needs=()):
        """events, main and one object a handler, each in a translation unit of its own."""
        include, linking = package_flags(*system.packages) if system.packages else ([], [])
        common = [*OPTIMISE, *system.flags, *compile_flags]
        flags = [*common, *include, f"-I{self.folder}", f"-I{self.project.include}",
                 f"-DFRAMEWORK='\"frameworks/{system.framework}.h\"'"]
        sources = [(os.path.join(self.folder, source), source) for source in ("main.cc", "events.cc")]
        if system.mocs:
            sources.append((self.moc(system), "moc.cc"))
        objects = [self.ninja.compile(source, f"{name}/{own}", compiler, flags, needs) for source, own in sources]
        # Most of an object's time goes into the framework's headers, which are read once instead of 22 times.
        headers = self.ninja.edge(self.path(name, "handler.pch"),
                                  f"{compiler} -MMD -MF $out.d {' '.join(flags)} -x c++-header $in -o $out",
                                  [os.path.join(self.folder, "handler.h")], [*needs, *([compiler] if "/" in compiler else [])],
                                  depfile=True)
        for handler, event, raises in self.handlers:
            own = [f"-DHANDLER_NAME={handler}", f"-DEVENT={event}"] + ([f"-DRAISES={raises}"] if raises else [])
            objects.append(self.ninja.compile(os.path.join(self.folder, "handler.cc"), f"{name}/{handler}", compiler,
                                              [*flags, "-include-pch", headers, *own], [*needs, headers]))
        return self.ninja.edge(self.path(name, "program"),
                               f"{compiler} {' '.join(common)} $in {' '.join([*link_flags, *linking])} -o $out", objects, needs)

    def path(self, name, file):
        return os.path.join(self.ninja.folder, name, file)

    def moc(self, system):
        """The code that Qt's generator makes of the framework's header."""
        moc = next((path for path in system.mocs if os.path.exists(path)), None)
        if moc is None:
            raise Missing(f"moc of {system.name} is not installed (tools/setup): {system.mocs[0]}")
        header = os.path.join(self.folder, "frameworks", f"{system.framework}.h")
        return self.ninja.edge(self.path(system.name, "moc.cc"), f"{moc} -p frameworks $in -o $out", [header])

    def plain(self, name):
        return self.program(name, SYSTEMS[name], CLANG)

    def ours(self, name, link_flags=(), needs=()):
        """A program made by thalweg-c++, and what optimize makes of it."""
        self.project.need_tool()
        original = self.program(f"{name}-ours", SYSTEMS[name], self.project.cxx, link_flags=link_flags, needs=needs)
        return original, self.project.optimised(self.ninja, original, self.training)

    def pgo(self, name):
        trained = self.program(f"{name}-generate", SYSTEMS[name], CLANG, [*FULL_LTO, "-fprofile-generate"])
        data = self.path(f"{name}-generate", "profdata")
        raw = data + ".raw"
        self.ninja.edge(data, f"rm -f {raw} && LLVM_PROFILE_FILE={raw} {trained} {self.training} > /dev/null && "
                        f"llvm-profdata-19 merge {raw} -o $out", [trained])
        # -Wno-...: handlers that the compiler merged have no counts of their own.
        use = [*FULL_LTO, f"-fprofile-use={data}", "-Wno-profile-instr-unprofiled", "-Wno-profile-instr-out-of-date"]
        return self.program(f"{name}-pgo-lto", SYSTEMS[name], CLANG, use, needs=[data])

    def hand(self):
        source = os.path.join(self.folder, "hand.cc")
        return self.ninja.edge(self.path("hand", "program"), f"{CLANG} -MMD -MF $out.d {' '.join(OPTIMISE)} $in -o $out",
                               [source], depfile=True)


def read_handlers(path):
    """[(handler, event, the event that it raises or None)]"""
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^HANDLER\((\w+), (\w+), (\w+), (\w+)\)", file.read(), re.MULTILINE)
    return [(handler, event, None if raises == "nothing" else raises) for _, event, handler, raises in lines]
