# benchmarks: one C or C++ program of several translation units, built in the ways that are compared.
import os
import re

from harness.rounds import Failed

CLANG, CLANGXX = "clang-19", "clang++-19"
FULL_LTO = ["-flto=full", "-fuse-ld=lld-19"]


class Source:
    """A translation unit: its file, and the flags that only it needs."""

    def __init__(self, path, *flags):
        self.path = path
        self.flags = flags


class Variants:
    """training: the arguments of the run that PGO and the recorder see. needs: files that must be there before compiling."""

    def __init__(self, project, ninja, sources, training, link_flags=(), needs=(), is_cxx=False):
        self.project = project
        self.clang = CLANGXX if is_cxx else CLANG
        self.own = project.cxx if is_cxx else project.cc
        self.ninja = ninja
        self.sources = sources
        self.training = training
        self.link_flags = link_flags
        self.needs = tuple(needs)

    def path(self, name, file):
        return os.path.join(self.ninja.folder, name, file)

    def program(self, name, compiler, flags, sources=None, needs=()):
        objects = []
        for source in sources or self.sources:
            unit = f"{name}/{os.path.basename(source.path)}"
            objects.append(self.ninja.compile(source.path, unit, compiler, [*flags, *source.flags],
                                              [*self.needs, *needs]))
        command = f"{compiler} {' '.join(flags)} $in {' '.join(self.link_flags)} -o $out"
        return self.ninja.edge(self.path(name, "program"), command, objects, needs)

    def plain(self, name="stock", flags=("-O2",), sources=None):
        """As a distribution builds it: each translation unit for itself."""
        return self.program(name, self.clang, flags, sources)

    def lto(self):
        return self.program("lto", self.clang, ["-O3", *FULL_LTO])

    def lto_pgo(self):
        """clang's own profile of the training run. %m: processes that the program forks add to one file."""
        trained = self.program("lto-generate", self.clang, ["-O3", *FULL_LTO, "-fprofile-generate"])
        data = self.path("lto-generate", "profdata")
        self.ninja.edge(data, f"rm -rf {data}.raw && LLVM_PROFILE_FILE={data}.raw/%m.profraw {trained} {self.training} "
                        f"> /dev/null && llvm-profdata-19 merge {data}.raw -o $out", [trained])
        use = ["-O3", *FULL_LTO, f"-fprofile-use={data}", "-Wno-profile-instr-unprofiled", "-Wno-profile-instr-out-of-date"]
        return self.program("lto-pgo", self.clang, use, needs=[data])

    def original(self, name="original", flags=()):
        """An ordinary program that the tool's compiler made."""
        self.project.need_tool()
        return self.program(name, self.own, ["-O3", "-g", *flags], needs=self.project.parts())

    def optimized(self, name="original", flags=()):
        """What optimize makes of it, from one recorded run and nothing else."""
        return self.project.optimised(self.ninja, self.original(name, flags), self.training)


def check_applied(name, kind, functions, optimized):
    """What is measured as optimised is so: of each function a decision of this kind was applied when the program was made."""
    with open(f"{optimized}.log", encoding="utf-8") as log:
        lines = log.read().splitlines()
    for function in functions:
        told = [line for line in lines if re.search(rf"\b{kind} +{function} at ", line)]
        if not any(re.match(r" *\d+ +applied ", line) for line in told):
            raise Failed(f"{name}: {function}, {kind}: not applied: {'; '.join(told) or 'no decision is about it'}")
