# benchmarks: a row's program in all of its variants, built once for a compiler and a version of the package.
import concurrent.futures
import contextlib
import dataclasses
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys

from harness.project import debian_source
from harness.rounds import Failed
from harness.variants import CLANG, CLANGXX

from board import inputs
from board.replay import Log, compile_words, link_words
from board.rows import MEASURED, TRAINING

LINKER = "--ld-path=/usr/lib/llvm-19/bin/ld.lld"
PROFDATA = "llvm-profdata-19"
BOLT, MERGE_BOLT = "llvm-bolt-19", "merge-fdata-19"
# From /usr/lib, in whose lib/ Debian's program looks for it otherwise.
BOLT_RUNTIME = "llvm-19/lib/libbolt_rt_instr.a"
EMPTY_PLAN = 'format = "thalweg-plan"\nversion = 1\n'
# A program of the board that needs longer than this for its training run is not one for it.
SLOWEST_S = 600


def digest(*parts):
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def content(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Built:
    def __init__(self, project, row, folder):
        self.project, self.row = project, row
        self.folder = os.path.join(folder, row.name)
        self.source = os.path.join(project.root, row.own) if row.own else debian_source(project, row.package)
        self.build = os.path.join(self.folder, "build")
        self.original = os.path.join(self.build, row.program)
        self.drivers = project.source("board", "drivers")
        os.makedirs(self.folder, exist_ok=True)

    def shell(self, command, log, folder=None, wanted=(0,), **more):
        """stdout and stderr go to a file; more: of the environment."""
        path = os.path.join(self.folder, log)
        with open(path, "wb") as out:
            done = subprocess.run(["sh", "-c", command], cwd=folder or self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                  env={**os.environ, "FORCE_UNSAFE_CONFIGURE": "1", **more}, check=False, timeout=SLOWEST_S * 6)
        if done.returncode not in wanted:
            with open(path, encoding="utf-8", errors="replace") as out:
                raise Failed(f"{self.row.name}: {command[:300]} ended with {done.returncode}\n{out.read()[-1500:]}")
        return path

    def once(self, name, key, make):
        """Makes a thing unless it was made with the same key. The path of its stamp."""
        stamp = os.path.join(self.folder, f"{name}.made")
        if os.path.exists(stamp):
            with open(stamp, encoding="ascii") as file:
                if file.read() == key:
                    return
        print(f"bench: board: {self.row.name}: {name}", file=sys.stderr)
        make()
        with open(stamp, "w", encoding="ascii") as file:
            file.write(key)

    # ---- the package's own build ----

    def make_original(self):
        row = self.row
        shutil.rmtree(self.build, ignore_errors=True)
        if row.in_source:
            shutil.copytree(self.source, self.build)
        else:
            os.makedirs(self.build)
        log = os.path.join(self.folder, "commands")
        if row.configure:
            self.shell(row.configure.format(source=self.source), "configure.log", self.build, **self.told(log, CLANG, CLANGXX))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(log)
        self.shell(row.make, "make.log", self.build, **self.told(log, self.project.cc, self.project.cxx))

    def told(self, log, cc, cxx):
        """The environment of a package's build."""
        logging = self.project.source("board", "logging_cc.py")
        logging_cxx = os.path.join(self.folder, "c++")
        if not os.path.lexists(logging_cxx):
            os.symlink(logging, logging_cxx)
        return {"CC": logging, "CXX": logging_cxx, "CFLAGS": "-O2 -g", "CXXFLAGS": "-O2 -g", "BOARD_LOG": log, "BOARD_COMPILER": cc, "BOARD_CXX": cxx,
                "DRIVERS": self.drivers}

    def key(self):
        """Of what the package's build makes, whatever its job is then."""
        built = dataclasses.replace(self.row, command="", inputs=(), suite="")
        pin = [os.path.join(self.source, ".debian-source")] if self.row.package else sorted(glob.glob(os.path.join(self.source, "*")))
        drivers = [os.path.join(self.drivers, name) for name in self.row.drivers]
        compilers = [self.project.cc, self.project.cxx, shutil.which(CLANG)]
        return digest(repr(built), *map(content, [*pin, *compilers, *drivers]))

    def tools_key(self):
        """Of what Thalweg makes of it."""
        return digest(self.key(), self.row.command, *self.row.inputs, *map(content, self.project.parts()))

    # ---- other ways ----

    def to_compile(self, variant, program=None):
        """What compiling the program's sources again takes: its folder, [(compilation, object)]; and what `linked_again` then does."""
        log = Log(os.path.join(self.folder, "commands"))
        link = log.link_of(os.path.join(self.build, program or self.row.program))
        folder = os.path.join(self.folder, variant)
        places, work = [], []
        for place, is_archive, objects in log.objects(link):
            own = []
            for path in objects:
                own.append(os.path.join(folder, f"{len(work)}-{os.path.basename(path)}"))
                work.append((log.compilations[path], own[-1]))
            places.append((place, ["-Wl,--start-lib", *own, "-Wl,--end-lib"] if is_archive else own))
        return folder, work, (link, places, os.path.join(folder, "program"))

    def linked_again(self, compiled, linking):
        link, places, made = compiled
        self.command(link.folder, [link.compiler, *link_words(link, places, made, linking)])
        return made

    def replayed(self, variant, compiling, linking, program=None):
        """The program compiled and linked again with these words."""
        folder, work, compiled = self.to_compile(variant, program)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda one: self.command(one[0].folder, [one[0].compiler, *compile_words(one[0], one[1], compiling)]), work))
        return self.linked_again(compiled, linking)

    def command(self, folder, words):
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 0:
            raise Failed(f"{self.row.name}: {shlex.join(words)[:600]} ended with {done.returncode}\n{done.stderr[-1500:]}")

    def job(self, program, seed, prefix="", length=1):
        paths = [inputs.make(name, self.folder, seed, length) for name in self.row.inputs]
        return self.row.command.format(*paths, program=f"{prefix}{program}", source=self.source, drivers=self.drivers)

    def run(self, program, seed, prefix="", length=1, **more):
        """One run of the row's job in a folder of its own. Its output's file."""
        place = os.path.join(self.folder, "place")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(os.path.join(place, "out"))
        return self.shell(self.job(program, seed, prefix, length), "out", place, wanted=(0, 1), **more)

    def lto(self):
        return self.replayed("lto", ["-O2", "-flto"], ["-O2", "-flto", LINKER])

    def pgo_lto(self):
        raw = os.path.join(self.folder, "raw")
        shutil.rmtree(raw, ignore_errors=True)
        self.run(self.pgo_counting(), TRAINING, LLVM_PROFILE_FILE=f"{raw}/%m-%p.profraw")
        self.command(self.folder, [PROFDATA, "merge", raw, "-o", self.profdata()])
        return self.pgo_using()

    def profdata(self):
        return os.path.join(self.folder, "profdata")

    def pgo_counting(self):
        return self.replayed("pgo-generate", ["-O2", "-flto", "-fprofile-generate"], ["-O2", "-flto", "-fprofile-generate", LINKER])

    def pgo_using(self):
        return self.replayed("pgo-lto", self.pgo_words(), [*self.pgo_words(), LINKER])

    def pgo_linked(self):
        """Once more, of the objects that `pgo_using` has compiled."""
        return self.linked_again(self.to_compile("pgo-lto")[2], [*self.pgo_words(), LINKER])

    def pgo_words(self):
        return ["-O2", "-flto", f"-fprofile-use={self.profdata()}", "-Wno-everything"]

    def pgo_lto_cs(self):
        """What there is by hand beyond PGO + LTO: level 3, and a third build with counts of what has been inlined (context-sensitive PGO)."""
        raw = os.path.join(self.folder, "raw-cs")
        shutil.rmtree(raw, ignore_errors=True)
        once = self.profdata()
        counted = ["-O3", "-flto", f"-fprofile-use={once}", "-fcs-profile-generate", "-Wno-everything"]
        self.run(self.replayed("cs-generate", counted, [*counted, LINKER]), TRAINING, LLVM_PROFILE_FILE=f"{raw}/%m-%p.profraw")
        data = os.path.join(self.folder, "profdata-cs")
        self.command(self.folder, [PROFDATA, "merge", raw, once, "-o", data])
        use = ["-O3", "-flto", f"-fprofile-use={data}", "-Wno-everything"]
        return self.replayed("pgo-lto-cs", use, [*use, LINKER])

    def pgo_lto_bolt(self):
        """PGO + LTO, its blocks and functions laid out anew by another run's counts."""
        use = self.pgo_words()
        program = self.replayed("pgo-lto-bolt", use, [*use, LINKER, "-Wl,--emit-relocs"])
        counts = f"{program}.counts"
        for old in glob.glob(f"{counts}*"):
            os.unlink(old)
        instrumenting = ["-instrument", f"-runtime-instrumentation-lib={BOLT_RUNTIME}", f"-instrumentation-file={counts}",
                         "-instrumentation-file-append-pid"]
        skipped = self.bolt(program, f"{program}.counting", instrumenting, ())
        self.run(f"{program}.counting", TRAINING)
        with open(f"{program}.fdata", "wb") as merged:
            subprocess.run([MERGE_BOLT, *glob.glob(f"{counts}*")], stdout=merged, stderr=subprocess.DEVNULL, check=True)
        self.bolt(program, f"{program}.bolt", [f"-data={program}.fdata", "-reorder-blocks=ext-tsp", "-reorder-functions=hfsort", "-split-functions",
                                               "-split-all-cold", "-split-eh", "-icf=1"], skipped)
        return f"{program}.bolt"

    def bolt(self, program, made, words, skipped):
        """Functions that it can't take it names; it is told to skip them, as its words ask for. Returns their names."""
        while True:
            skipping = [f"-skip-funcs={','.join(skipped)}"] if skipped else []
            try:
                self.command(self.folder, [BOLT, program, *words, *skipping, "-o", made])
                return skipped
            except Failed as problem:
                named = re.search(r"in function (\S+?)\(.*Consider adding this function to --skip-funcs", str(problem))
                if named is None or named.group(1) in skipped:
                    raise
                print(f"bench: board: {self.row.name}: BOLT leaves {named.group(1)} as it is", file=sys.stderr)
                skipped = (*skipped, named.group(1))

    def pgo_thinlto(self):
        """With the counts of `pgo+lto`, which are taken before any pass."""
        using = ["-O2", "-flto=thin", f"-fprofile-use={self.profdata()}", "-Wno-everything"]
        return self.replayed("pgo-thinlto", using, [*using, LINKER])

    def optimized_thinlto(self):
        profile = os.path.join(self.folder, "profile-thinlto")
        self.recorded(profile, "--thinlto")
        self.shell(f"{self.project.tool} optimize {self.original} --thinlto --profile {profile} -o {self.original}.optimized-thinlto", "optimized-thinlto.log")

    def recorded(self, profile, words=""):
        parts = os.path.join(self.folder, "part")
        self.shell(f"rm -f {parts}-*", "rm.log")
        # A job may start its program several times; each is a recording of its own.
        self.run(self.original, TRAINING, f"{self.project.tool} record {words} -o {parts}-$(date +%N) -- ")
        self.shell(f"{self.project.tool} merge {parts}-* -o {profile}", "merge.log")

    def empty_plan(self):
        path = os.path.join(self.folder, "empty.plan")
        with open(path, "w", encoding="ascii") as out:
            out.write(EMPTY_PLAN)
        return path

    def optimized(self, variant):
        program = f"{self.original}.{variant}"
        plan = ""
        if variant == "optimized-decisions-off":
            plan = f"--plan {self.empty_plan()}"
        self.shell(f"{self.project.tool} optimize {self.original} --profile {os.path.join(self.folder, 'profile')} {plan} -o {program}", f"{variant}.log")
        return program

    def programs(self, variants):
        """{variant: program}, all of them built."""
        key = self.key()
        # What is replayed, and how, decides what the peers are.
        replayed = digest(key, content(self.project.source("board", "replay.py")))
        trained = digest(replayed, self.row.command, *self.row.inputs)
        tools = self.tools_key()
        self.once("original", key, self.make_original)
        made = {"original": self.original, "lto": os.path.join(self.folder, "lto", "program"),
                "pgo+lto": os.path.join(self.folder, "pgo-lto", "program"), "pgo+lto+cs": os.path.join(self.folder, "pgo-lto-cs", "program"),
                "pgo+lto+bolt": os.path.join(self.folder, "pgo-lto-bolt", "program.bolt"),
                "pgo+thinlto": os.path.join(self.folder, "pgo-thinlto", "program"), "optimized-thinlto": f"{self.original}.optimized-thinlto"}
        if "lto" in variants:
            self.once("lto", replayed, self.lto)
        if "pgo+lto" in variants:
            self.once("pgo+lto", trained, self.pgo_lto)
        for variant, make in (("pgo+lto+cs", self.pgo_lto_cs), ("pgo+lto+bolt", self.pgo_lto_bolt), ("pgo+thinlto", self.pgo_thinlto)):
            if variant in variants:
                self.once(variant, trained, make)
        if "optimized-thinlto" in variants:
            self.once("optimized-thinlto", tools, self.optimized_thinlto)
        for variant in ("optimized", "optimized-decisions-off"):
            if variant in variants:
                self.once("profile", tools, lambda: self.recorded(os.path.join(self.folder, "profile")))
                self.once(variant, tools, lambda variant=variant: self.optimized(variant))
                made[variant] = f"{self.original}.{variant}"
        return {variant: made[variant] for variant in variants}

    # ---- the package's own tests ----

    def suite(self):
        """Runs them with the optimised program in the original's place."""
        self.once("suite", digest(self.tools_key(), self.row.suite), self.make_suite)

    def make_suite(self):
        command = self.row.suite.format(source=self.source)
        # A compiler's log of its own: what tests compile is no part of the program.
        told = self.told(os.path.join(self.folder, "suite-commands"), self.project.cc, self.project.cxx)
        kept = f"{self.original}.kept"
        try:
            self.shell(command, "suite-original.log", self.build, **told)
        except Failed as problem:
            print(f"bench: board: the original does not pass its tests here, which say nothing then: {problem}", file=sys.stderr)
            return
        shutil.copy2(self.original, kept)
        try:
            # It is newer than all that it is made of: make leaves it alone.
            shutil.copyfile(f"{self.original}.optimized", self.original)
            placed = content(self.original)
            self.shell(command, "suite.log", self.build, **told)
            if content(self.original) != placed:
                raise Failed(f"{self.row.name}: its tests have built the program anew: {command}")
        finally:
            os.replace(kept, self.original)

    def shown(self, program, length=1):
        return content(self.run(program, MEASURED, length=length))
