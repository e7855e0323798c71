#!/usr/bin/env python3
# tests: programs of Debian whose handler does something to the descriptors in use, at each of their system calls
"""usage: acted.py --build BUILD [--subjects a,b] [--cases N] [--seed S] [--spoil]

The programs of subjects.py are built once more with acts.c in them, recorded, and optimised. A signal comes at the k-th system call of the
optimised program, or when the kernel has moved so many bytes of it, and its handler writes, seeks, closes, puts another file in the descriptor's
place, cuts it off, or sets a flag of it. What the program leaves must be what the original leaves when the signal comes at the call that is
the same, or at one of those in whose place it stands (Acted, random_calls/act.py). --spoil: in the optimised programs' place the original ones,
each of whose writes is two (torn.c)."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

import subjects as own
from inject import HANGS_S, PIPE_BYTES, RANDOM_BYTES

from harness.ninja import Ninja  # noqa: E402
from harness.project import Project  # noqa: E402
from programs import bench as programs  # noqa: E402
from programs.jobs import TRAINING, Place  # noqa: E402
from programs.packages import Builder  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path += [os.path.join(os.path.dirname(HERE), "random_calls"), os.path.dirname(HERE)]
import act  # noqa: E402
import seeds  # noqa: E402

# Nobody has set a place to jump to.
ACTIONS = act.ACTIONS.replace("j", "")
DESCRIPTORS = (0, 1, 3, 4, 5)
OTHER_FILE, OTHER_BYTES = "f3", 5000
# Who writes random bytes, and be it into what was put in a file's place: of those the length is compared.
SALTED = ("sqlite",)
LONGEST_LINE = 1000
# With one process, nobody who asks it, and a job that ends.
SUBJECTS = [subject for subject in own.SUBJECTS if subject.job and not subject.varies]


class Program:
    """One of them: where it runs, what is seen of it."""

    def __init__(self, folder, subject, original, spoiled="", preloaded=""):
        """preloaded: a library, into the program `spoiled`."""
        self.folder, self.subject, self.original = folder, subject, original
        self.spoiled, self.preloaded = spoiled, preloaded
        self.inputs = os.path.join(folder, "inputs")
        own.write_inputs(self.inputs)
        with open(os.path.join(self.inputs, OTHER_FILE), "wb") as file:
            file.write(b"other" * (OTHER_BYTES // 5))
        os.utime(os.path.join(self.inputs, OTHER_FILE), (own.LONG_AGO, own.LONG_AGO))

    def seen(self, program, _script, before=(), acts=None, patience_s=HANGS_S):
        place = os.path.join(self.folder, "place")
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self.inputs, place)
        # What it is called by is part of what it tells.
        named = os.path.join(self.folder, "program")
        if os.path.lexists(named):
            os.unlink(named)
        os.symlink(program, named)
        out = {"null": subprocess.DEVNULL, "pipe": subprocess.PIPE}.get(self.subject.stdout)
        environment = {**os.environ, "ACTS": acts} if acts else None
        # Behind the tool that sends the signal: it is not the tool that is spoiled.
        before = [*before, "/usr/bin/env", f"LD_PRELOAD={self.preloaded}"] if program == self.spoiled else before
        with open(os.path.join(place, self.subject.stdin), "rb") as stdin, open(os.path.join(place, "output"), "wb") as output:
            done = subprocess.run([*before, "../program", *self.subject.arguments], cwd=place, env=environment, stdin=stdin, check=False,
                                  stdout=output if out is None else out, stderr=subprocess.PIPE, pipesize=PIPE_BYTES, timeout=patience_s)
        return done.returncode, done.stdout, done.stderr, files_below(place, (RANDOM_BYTES, OTHER_FILE) if self.subject.job in SALTED else ())


def files_below(place, by_length):
    found = {}
    for folder, _, names in os.walk(place):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            found[os.path.relpath(os.path.join(folder, name), place)] = bytes(len(content)) if name.endswith(by_length) else content
    return found


def built(build, chosen):
    """{subject's name: (original, optimised)}"""
    project = Project(own.ROOT, build)
    ninja = Ninja(project.scratch("acted"))
    acts = ninja.compile(os.path.join(HERE, "acts.c"), "acts", project.cc, ["-O2", "-w"])
    builder = Builder(project, ninja, [acts])
    training = Place(project, os.path.join(ninja.folder, "training"), TRAINING, programs.TRAINING_SEED)
    pairs = {}
    for subject in chosen:
        job = next(job for job in programs.ALL_JOBS if job.name == subject.job)
        program = builder.program(job.program)
        pairs[subject.name] = (program, programs.optimised(project, ninja, program, job, training))
    own.require(ninja.build([path for pair in pairs.values() for path in pair]))
    return pairs


def spoil(scratch, pair):
    """The original twice, and what is preloaded into the second one."""
    library, program = os.path.join(scratch, "torn.so"), os.path.join(scratch, os.path.basename(pair[0]) + ".spoiled")
    subprocess.run(["clang-19", "-O1", "-shared", "-fPIC", os.path.join(HERE, "torn.c"), "-o", library], check=True)
    shutil.copy(pair[0], program)
    return (pair[0], program), {"spoiled": program, "preloaded": library}


def try_subject(options, subject, pair, moment, pick):
    with tempfile.TemporaryDirectory(prefix="thalweg-acted-") as folder:
        pair, spoiled = spoil(folder, pair) if options.spoil else (pair, {})
        acted = act.Acted(Program(folder, subject, pair[0], **spoiled), pair[1], subject.name, moment)
        change = Counter(number for number, _ in acted.own.keys)
        change.subtract(number for number, _ in acted.calls_of_original.keys)
        told = ", ".join(f"{number}: {times:+}" for number, times in sorted(change.items()) if times)
        cases = acted.cases(pick, options.cases, ACTIONS, DESCRIPTORS)
        wrong = [what for what in (acted.wrong(*case) for case in cases) if what]
        print(f"{subject.name}: {len(cases)} cases, {len(wrong)} differ; system calls of the optimised one, by number: {told or 'the same'}", flush=True)
        for what in wrong[:act.EVIDENCE]:
            print(what[:LONGEST_LINE], flush=True)
        return len(cases), len(wrong)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--subjects")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--spoil", action="store_true")
    parser.add_argument("--seed", type=int, default=seeds.seed())
    options = parser.parse_args()
    names = options.subjects.split(",") if options.subjects else [subject.name for subject in SUBJECTS]
    chosen = [subject for subject in SUBJECTS if subject.name in names]
    pairs = built(options.build, chosen)
    with tempfile.TemporaryDirectory(prefix="thalweg-moment-") as scratch:
        moment = os.path.join(scratch, "moment")
        subprocess.run(["clang-19", "-O1", os.path.join(os.path.dirname(HERE), "random_calls", "moment.c"), "-o", moment], check=True)
        pick = random.Random(options.seed)
        told = [try_subject(options, subject, pairs[subject.name], moment, pick) for subject in chosen]
    cases, different = (sum(numbers) for numbers in zip(*told))
    print(f"{cases} cases, {different} differ")
    return 1 if different or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
