#!/usr/bin/env python3
# tests: random programs that enter the kernel, original against optimised by random plans: the same output, the same files
"""usage: run.py --build BUILD [--programs N] [--plans N] [--scripts N] [--first SEED] [--sabotage] [--late] [--keep FOLDER]"""

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter

sys.path += [os.path.dirname(os.path.realpath(__file__)), os.path.dirname(os.path.dirname(os.path.realpath(__file__)))]
import generate  # noqa: E402
import seeds  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
SIZES = (0, 1, 4096, 5000, 131072, 300_000)
PATIENCE_S = 60
PATIENCE_OF_ORIGINAL_S = 20  # a run takes some milliseconds
MOST_ENDLESS_OF = 50  # of so many programs one may have no end of its own
MOST_BYTES = 1 << 21
FAULTY_OF = 3  # programs, one is such a one: a fault makes its run shorter
FAMILIES = (("-O2",), ("-O1",), ("-O2", "-fno-inline"))


def bounded():
    """A file that grows without end, where a program copies it to itself, stops here, and the program is told."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))


def run(command, **more):
    done = subprocess.run(command, capture_output=True, timeout=600, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stderr.decode(errors='replace')[-3000:]}")
    return done


def files_in(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


class Tried:
    """One program: built, its calls known, optimised by a plan, run."""

    def __init__(self, thalweg, folder, seed, sizes=SIZES, **kind):
        self.sizes = sizes  # of its files
        self.thalweg, self.folder, self.seed = thalweg, folder, seed
        self.pick = random.Random(seed)
        source = os.path.join(folder, "program.c")
        with open(source, "w", encoding="ascii") as out:
            out.write(generate.Program(seed, **kind).source())
        self.flags = FAMILIES[seed % len(FAMILIES)]
        self.original = self.compiled(source, "original")

    def compiled(self, source, name):
        program = os.path.join(self.folder, name)
        run([self.thalweg + "-cc", *self.flags, "-w", "-I", HERE, source, "-o", program])
        return program

    def spoiled(self, how):
        """The program as an optimiser that is wrong would leave it (spoiled.h)."""
        path = os.path.join(self.folder, "spoiled.c")
        with open(os.path.join(self.folder, "program.c"), encoding="ascii") as file:
            begin, include, rest = file.read().partition('#include "acts.h"\n')
        with open(path, "w", encoding="ascii") as file:
            file.write(f'{begin}{include}#define SPOILED_{how.upper()}\n#include "spoiled.h"\n{rest}')
        return self.compiled(path, "spoiled")

    def sites(self):
        table, job = os.path.join(self.folder, "sites.json"), os.path.join(self.folder, "probe.json")
        with open(job, "w", encoding="ascii") as out:
            json.dump({"format": "thalweg-job", "version": 1, "mode": "probe", "site_table_path": table}, out)
        run([self.thalweg, "relink", self.original, "--recorder", "--job", job, "-o", os.path.join(self.folder, "twin")])
        with open(table, encoding="utf-8") as file:
            return [site for site in json.load(file)["sites"] if site["kind"] == "call"]

    def optimised(self, made, number):
        plan, program = os.path.join(self.folder, f"plan{number}.toml"), os.path.join(self.folder, f"optimised{number}")
        with open(plan, "w", encoding="utf-8") as out:
            out.write(generate.plan_text(made))
        done = subprocess.run([self.thalweg, "optimize", self.original, "--plan", plan, "-o", program, "--json"], capture_output=True,
                              timeout=600, check=False)
        if done.returncode not in (0, 4):
            raise RuntimeError(f"optimize: {done.returncode}\n{done.stderr.decode(errors='replace')[-3000:]}")
        if done.returncode == 4:
            return None, Counter()
        outcome = json.loads(done.stdout)["decisions"]
        return program, Counter(made[one["decision"] - 1][0] for one in outcome if one["state"] == "applied")

    def seen(self, program, script, before=(), acts=None, patience_s=PATIENCE_S):
        """What is seen of a run; before: what stands in front of the program; acts: what its handler does."""
        place = os.path.join(self.folder, "place")
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        bytes_of = random.Random(script)
        for number, size in enumerate(self.sizes):
            with open(os.path.join(place, f"f{number}"), "wb") as file:
                file.write(bytes_of.randbytes(size))
        environment = {**os.environ, "ACTS": acts} if acts else None
        done = subprocess.run([*before, program, str(script)], env=environment, cwd=place, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience_s, check=False,
                              preexec_fn=bounded)
        return done.returncode, done.stdout, done.stderr, files_in(place)


def difference(one, other):
    for what, a, b in zip(("exit status", "stdout", "stderr", "files"), one, other):
        if a != b and what == "files":
            names = [name for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)]
            return f"files {names}: {[(len(a.get(name, b'')), len(b.get(name, b''))) for name in names]} bytes"
        if a != b:
            return f"{what}: {a!r} against {b!r}"
    return ""


@contextlib.contextmanager
def folder_of(keep, seed):
    """A program's own: below `keep` if there is one, otherwise gone afterwards."""
    folder = os.path.join(keep, str(seed)) if keep else tempfile.mkdtemp(prefix="thalweg-random-calls-")
    os.makedirs(folder, exist_ok=True)
    try:
        yield folder
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def arguments(usage, **numbers):
    """A parser of what every script here takes; numbers: its own counts, with their defaults."""
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("--build", required=True)
    for name, default in {**numbers, "first": seeds.first_program()}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--keep", default="")
    return parser


def try_program(options, seed, applied):
    with folder_of(options.keep, seed) as folder:
        tried = Tried(os.path.join(options.build, "bin", "thalweg"), folder, seed, faults=options.late or seed % FAULTY_OF == 0)
        sites = tried.sites()
        scripts = [seed * 1000 + i for i in range(options.scripts)]
        try:
            expected = {script: tried.seen(tried.original, script, patience_s=PATIENCE_OF_ORIGINAL_S) for script in scripts}
        except subprocess.TimeoutExpired:
            # It reads from where nobody writes any more: there is nothing to compare with.
            applied["(original has no end)"] += 1
            return ""
        for number in range(options.plans):
            made = generate.decisions(tried.pick, sites)
            program, kinds = tried.optimised(made, number)
            if options.sabotage:
                with open(os.path.join(folder, "program.c"), encoding="ascii") as file:
                    changed = file.read().replace("note(got);\n}", "note(got + 1);\n}")
                with open(os.path.join(folder, "changed.c"), "w", encoding="ascii") as file:
                    file.write(changed)
                program = tried.compiled(os.path.join(folder, "changed.c"), "changed")
            if options.late:
                program = tried.spoiled("late")
            applied.update(kinds)
            for script in scripts if program else ():
                if what := difference(expected[script], tried.seen(program, script)):
                    return f"program {seed}, plan {number}, script {script}: {what}"
        return ""


def main():
    parser = arguments(__doc__, programs=6, plans=2, scripts=8)
    parser.add_argument("--sabotage", action="store_true")
    parser.add_argument("--late", action="store_true", help="programs that fault, spoiled so that a write comes too late")
    options = parser.parse_args()
    print(f"programs from --first {options.first}", flush=True)
    applied, failed = Counter(), []
    for seed in range(options.first, options.first + options.programs):
        what = try_program(options, seed, applied)
        if what:
            print(what, flush=True)
            failed.append(seed)
    print(f"{options.programs} programs, {options.plans} plans each, {options.scripts} scripts each; applied: "
          + (", ".join(f"{kind} {count}" for kind, count in sorted(applied.items())) or "nothing"))
    print(f"programs that failed: {failed}")
    if applied["(original has no end)"] * MOST_ENDLESS_OF > options.programs + MOST_ENDLESS_OF:
        print("too many programs have no end of their own: the generator is to blame")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
