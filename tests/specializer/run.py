#!/usr/bin/env python3
# tests: programs that nobody wrote for us through the specialiser: original and specialised must show the same.
#
#   run.py --build BUILD [--corpus c-torture|csmith|c++] [--every N] [--csmith N] [--first SEED] [--sabotage] [--jobs N]
#
# Without --corpus all three. --every N: each N-th program of GCC's corpora. Of each program, facts are guessed from its IR
# (guess.py): from the constants in its calls; about the whole program; lies; stale ones; and the results of all its functions are kept. Output and exit code are compared, what
# was declined is counted with its reasons. A program that fails stays in BUILD/tests/specializer-programs/CORPUS/NAME.
# Exit 0: no difference; 1: a difference, a tool that crashed or did not end; 7: something that is needed is not there.
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "ir"), os.path.join(ROOT, "tests")]
import corpora  # noqa: E402
import guess  # noqa: E402
import seeds  # noqa: E402
import transform  # noqa: E402

# A function of one argument put above a main that has none: the root for which the whole program is specialised.
WHOLE = "thalweg_test_whole"
ABOVE_MAIN = """
define i32 @thalweg_test_whole(i32 noundef %count) uwtable {
  %code = call i32 @thalweg_test_main()
  ret i32 %code
}

define i32 @main(i32 noundef %count, ptr noundef %words) uwtable {
  %code = call i32 @thalweg_test_whole(i32 noundef %count)
  ret i32 %code
}
"""
# How much of the work the compiler has done before the specialiser sees the program. Below -O2 clang marks every function
# noinline, which a program's author did not mean.
LEVELS = ("-O1", "-O2", "-O0")
# An original that takes longer is left out (of csmith's first 60 programs, those that end take 3 ms, also at -O0); what is made of it may take longer, when the machine is busy.
SLOWEST_ORIGINAL_S, SLOWEST_RUN_S, SLOWEST_TOOL_S = 3, 30, 120
SHOWN_REASONS = 40
EXIT_ENVIRONMENT = 7


class Skipped(Exception):
    """Not a program that this machine's compiler makes and that ends by itself."""


class Different(Exception):
    pass


def call(command, environment=None, seconds=SLOWEST_TOOL_S):
    return subprocess.run(command, capture_output=True, check=False, timeout=seconds, stdin=subprocess.DEVNULL,
                          env={**os.environ, **(environment or {})})


def without_names(reason):
    """A reason with its names and numbers taken out, to be counted."""
    reason = re.sub(r"\b\d+\b", "N", re.sub(r"; (left out|\S+ is still called).*", "", reason))
    reason = re.sub(r"there is no function \S+", "there is no function F", reason)
    reason = re.sub(r"stale: \S+", "stale: F", reason)
    reason = re.sub(r"it calls \S+, which", "it calls F, which", re.sub(r" \(\S+:N\)$", "", reason))
    reason = re.sub(r"memory of (?!argument )\S+", "memory of V", re.sub(r"the variable \S+,", "the variable V,", reason))
    return re.sub(r"(argument|load) N of \S+", r"\1 N of F", reason)


class Program:
    def __init__(self, subject, options):
        self.subject, self.options = subject, options
        self.folder = os.path.join(options.build, "tests", "specializer-programs", subject.corpus, subject.name)
        self.declined = collections.Counter()
        self.applied, self.variants = 0, 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def compile(self):
        number = zlib.crc32(self.subject.name.encode())
        level = LEVELS[number % len(LEVELS)]
        flags = [*self.subject.flags, level, "-Xclang", "-disable-O0-optnone"]
        command = [self.subject.compiler, *flags, "-flto", "-S", "-emit-llvm", self.subject.path, "-o", self.path("module.ll")]
        if call(command).returncode != 0:
            raise Skipped("does not compile")
        text = self.read("module.ll")
        if level != "-O2":
            text = re.sub(r"^(attributes #\d+ = \{.*?) noinline\b", r"\1", text, flags=re.MULTILINE)
        self.whole = "main"
        if re.search(r"^define [^@]*i32 @main\(\)", text, re.MULTILINE):
            self.whole = WHOLE
            text = re.sub(r"@main\b", "@thalweg_test_main", text) + ABOVE_MAIN
        self.write("module.ll", text)

    def link(self, module, output):
        done = call([self.subject.compiler, "-O2", "-w", "-Wno-override-module", "--ld-path=/usr/lib/llvm-19/bin/ld.lld",
                     self.path(module), "-lm", "-o", self.path(output)])
        return done.stderr.decode(errors="replace") if done.returncode != 0 else ""

    def shown(self, name, seconds):
        done = call([self.path(name)], seconds=seconds)
        return done.returncode, done.stdout

    def transform(self, job, output):
        """What the plug-in said if it failed, or None."""
        name = self.write("job.json", json.dumps({"format": "thalweg-job", "version": 1, **job}))
        try:
            done = call([*transform.opt_of(self.options.plugin_build), "-passes=thalweg", self.path("module.ll"), "-o",
                         self.path(output)], {"THALWEG_TRANSFORM_JOB": name})
        except subprocess.TimeoutExpired:
            return f"the plug-in did not end within {SLOWEST_TOOL_S} s"
        return done.stderr.decode(errors="replace")[-3000:] if done.returncode != 0 else None

    def original(self):
        self.compile()
        if self.link("module.ll", "original"):
            raise Skipped("does not link")
        try:
            self.expected = self.shown("original", SLOWEST_ORIGINAL_S)
        except subprocess.TimeoutExpired as error:
            raise Skipped("does not end") from error
        if self.expected[0] != 0:
            raise Skipped("does not pass by itself")
        if self.expected != self.shown("original", SLOWEST_RUN_S):
            raise Skipped("shows something else each time")
        if self.subject.corpus == "csmith":
            self.check_defined()

    def check_defined(self):
        """A random program may loop for ever without an effect: C11 lets clang take the loop for one that ends, and what comes is chance."""
        done = call([self.subject.compiler, *self.subject.flags, "-O0", self.subject.path, "-lm", "-o", self.path("unoptimised")])
        if done.returncode != 0:
            raise Skipped("does not compile at -O0")
        try:
            if self.shown("unoptimised", SLOWEST_ORIGINAL_S) != self.expected:
                raise Skipped("is undefined: it shows something else at -O0")
        except subprocess.TimeoutExpired as error:
            raise Skipped("is undefined: it does not end at -O0") from error

    def is_undefined(self):
        """Whether the program does something, before anything is specialised, that C leaves undefined (a number that doesn't fit becomes an integer)."""
        flags = ["-O1", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=alignment", "-fno-sanitize-recover=all", "-lm"]
        done = call([self.subject.compiler, *self.subject.flags, *flags, self.subject.path, "-o", self.path("sanitized")])
        return done.returncode == 0 and b"runtime error" in call([self.path("sanitized")], seconds=SLOWEST_RUN_S).stderr

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.original()
        failed = self.transform({"mode": "probe", "site_table_path": self.path("sites.json")}, "twin.ll")
        if failed:
            raise Different(f"probe: {failed}")
        module = guess.Module(self.read("module.ll"), self.read("sites.json"))
        self.variant("calls", guess.calls(module, self.whole))
        self.variant("whole", guess.whole(module, self.whole))
        self.variant("lies", guess.lies(module, zlib.crc32(self.subject.name.encode())))
        self.variant("caches", guess.caches(module))
        self.variant("stale", guess.calls(module, self.whole, stale=True), declined=True)
        if not self.options.keep:
            shutil.rmtree(self.folder)

    def variant(self, name, decisions, declined=False):
        """declined: none of the decisions may be applied."""
        if not decisions:
            return
        plan = self.write(f"{name}.plan", guess.plan(decisions))
        failed = self.transform({"mode": "optimize", "plan_path": plan, "outcome_path": self.path(f"{name}.outcome")},
                                f"{name}.ll")
        if failed:
            raise Different(f"{name}: {failed}")
        applied = self.count(name, len(decisions))
        if declined and applied:
            raise Different(f"{name}: {applied} decisions of another program were applied")
        if applied == 0 and not self.options.sabotage:
            return
        if self.options.sabotage:
            self.sabotage(f"{name}.ll")
        self.variants += 1
        self.compare(name)

    def count(self, name, expected):
        outcome = json.loads(self.read(f"{name}.outcome"))["decisions"]
        if len(outcome) != expected or not all(one["reason"] for one in outcome):
            raise Different(f"{name}: the outcome tells of {len(outcome)} decisions of {expected}, or not each why")
        for one in outcome:
            if not one["applied"]:
                self.declined[without_names(one["reason"])] += 1
        applied = sum(one["applied"] for one in outcome)
        self.applied += applied
        return applied

    def sabotage(self, module):
        """Wherever the program says that all went well, it says the contrary."""
        text = self.read(module)
        text = re.sub(r"ret i32 0\b", "ret i32 1", text)
        self.write(module, re.sub(r"@exit\(i32 noundef 0\)", "@exit(i32 noundef 1)", text))

    def compare(self, name):
        said = self.link(f"{name}.ll", name)
        if said:
            raise Different(f"{name}: what the plug-in made does not link: {said[-2000:]}")
        try:
            found = self.shown(name, SLOWEST_RUN_S)
        except subprocess.TimeoutExpired as error:
            raise Different(f"{name}: it does not end") from error
        if found != self.expected:
            raise Different(f"{name}: it ended with {found[0]} and wrote {found[1][-300:]!r}, "
                            f"the original ended with {self.expected[0]} and wrote {self.expected[1][-300:]!r}")


def outcome_of(program):
    """("same" | "skipped" | "different", words)"""
    try:
        program.run()
    except Skipped as why:
        shutil.rmtree(program.folder, ignore_errors=True)
        return "skipped", str(why)
    except Different as difference:
        if program.is_undefined():
            return "skipped", "is undefined: UBSan says so"
        return "different", str(difference)
    except subprocess.TimeoutExpired as error:
        return "different", str(error)
    return "same", ""


def report(results, programs):
    counts = collections.Counter(kind for kind, _ in results)
    skipped = collections.Counter(words for kind, words in results if kind == "skipped")
    declined = sum((program.declined for program in programs), collections.Counter())
    applied = sum(program.applied for program in programs)
    print(f"{len(programs)} programs: {counts['same']} the same, {counts['different']} different, {counts['skipped']} left out "
          f"({', '.join(f'{number} {why}' for why, number in skipped.most_common()) or 'none'})")
    print(f"{sum(program.variants for program in programs)} specialised programs run; {applied} decisions applied, "
          f"{declined.total()} declined:")
    for reason, number in declined.most_common(SHOWN_REASONS):
        print(f"  {number:6} {reason}")
    return counts, applied


def main():
    parser = argparse.ArgumentParser(description="original against specialised, on programs that nobody wrote for us")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--corpus", choices=corpora.NAMES)
    parser.add_argument("--every", type=int, default=1, help="each N-th program of GCC's corpora, the first one by the seed")
    parser.add_argument("--csmith", type=int, default=500, help="random programs (default: 500)")
    parser.add_argument("--first", type=int, default=seeds.first_program(), help="the first random program's seed")
    parser.add_argument("--only", help="programs whose name matches this")
    parser.add_argument("--sabotage", action="store_true", help="spoil each specialised program; each has to differ")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", action="store_true", help="keep all files")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    cache = os.path.join(ROOT, "build", "sources", "gcc-12-tests")
    offset = seeds.seed() % options.every
    print(f"of GCC's programs each {options.every}-th from number {offset}, random ones from --first {options.first}", flush=True)
    try:
        found = [subject for corpus in ([options.corpus] if options.corpus else corpora.NAMES)
                 for subject in corpora.subjects(corpus, cache, options.csmith, options.first)[slice(None) if corpus == "csmith" else slice(offset, None, options.every)]]
    except corpora.Missing as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return EXIT_ENVIRONMENT
    programs = [Program(subject, options) for subject in found if not options.only or re.search(options.only, subject.name)]
    with tempfile.TemporaryDirectory() as folder:
        # A copy: a run of all programs takes longer than the next build.
        part = transform.SANITIZED_OPT if transform.is_sanitized(options.build) else transform.PLUG_IN
        options.plugin_build = folder
        os.makedirs(os.path.dirname(os.path.join(folder, part)))
        shutil.copy(os.path.join(options.build, part), os.path.join(folder, part))
        return run_all(programs, options)


def run_all(programs, options):
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, (kind, words) in zip(programs, pool.map(outcome_of, programs)):
            results.append((kind, words))
            if kind == "different":
                print(f"FAILED: {program.subject} ({program.folder}): {words}", flush=True)
    counts, applied = report(results, programs)
    if applied == 0:
        print("FAILED: nothing was specialised: this run shows nothing")
        return 1
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
