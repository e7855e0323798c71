#!/usr/bin/env python3
# tests: every system call of a run fails, is short, is interrupted: the optimised program does what the original does.
"""usage: inject.py [--build BUILD] [--subjects a,b] [--sample N] [--seed S] [--quick] [--racing] [--server] [--filters] [--pair ORIGINAL OPTIMISED ARGUMENT...]

Both programs run under strace; their sequences of system calls are aligned. For each call that both make, and each fault that fits
it, both run with this fault at this call: exit code, outputs and files must be the same. A call that only the optimised program makes
must, with any fault, leave what the original leaves without a fault, or with this fault at one of the calls in whose place it stands.
Calls that only the original makes are counted. A kind of call that only the optimised program makes is forbidden, as by a filter that it
inherits: it must do what the original does. All cases: some ten thousand, an hour. --sample: so many by lot."""

import argparse
import fcntl
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from calls import Call, aligned, names_in, parse
from faults import FORBIDDEN, Fault, command_with, faults_of, forbidder

sys.path.append(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
import seeds  # noqa: E402

WORKERS = 2
HANGS_S = 20
# All that a subject tells: how soon it is read is no matter. A signal at a write leaves it undone where the pipe is full.
PIPE_BYTES = 1 << 20
# What is random in it (the journal's salt) makes its bytes differ; how long it is does not.
RANDOM_BYTES = "-journal"
# Of a program whose processes race, or which looks at the clock, so many runs of each must have an outcome in common.
# The names of its files for the time being are random.
RACES = 8
TEMPORARY = re.compile(r"(\.\w+)\.\w{6}\b")
EVIDENCE = 3  # of how many differences all is told


@dataclass(frozen=True)
class Outcome:
    code: object
    output: str
    errors: str
    files: tuple

    def __str__(self):
        return f"exit code {self.code}, output {self.output[:12]}, errors {self.errors[-200:]!r}, files {dict(self.files)}"


class Folder:
    """Where a worker runs programs: what is not there at the beginning is what a run left behind."""

    def __init__(self, path, write_inputs):
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        write_inputs(path)
        self.path = path
        self.kept = set(self.names())

    def names(self):
        return [os.path.relpath(os.path.join(folder, name), self.path)
                for folder, folders, names in os.walk(self.path) for name in folders + names]

    def left(self, masked):
        """(name, size or digest) of each new file; all of them are removed. masked: without what differs from run to run."""
        found = []
        for name in sorted(set(self.names()) - self.kept, reverse=True):
            path = os.path.join(self.path, name)
            if os.path.isdir(path):
                found.append((name, "folder"))
                os.rmdir(path)
                continue
            with open(path, "rb") as content:
                data = masked(content.read())
            found.append((name, len(data) if name.endswith(RANDOM_BYTES) else hashlib.sha256(data).hexdigest()[:12]))
            os.unlink(path)
        return tuple(found)


class Runner:
    def __init__(self, scratch, write_inputs):
        self.scratch = scratch
        self.write_inputs = write_inputs
        self.own = threading.local()
        self.count = 0
        self.lock = threading.Lock()
        self.shortener = os.path.join(scratch, "shorten")
        os.makedirs(scratch, exist_ok=True)
        self.alone = open(os.path.join(scratch, "lock"), "w", encoding="ascii")
        try:
            fcntl.flock(self.alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"inject: another run is at work in {scratch}: each would find the other's files")
        self.names = {}  # of all calls of a program, the loader's too
        here = os.path.dirname(os.path.realpath(__file__))
        for source, program in (("shorten.c", self.shortener), ("../random_calls/moment.c", forbidder(self.shortener))):
            subprocess.run(["clang-19", "-O1", os.path.join(here, source), "-o", program], check=True)

    def folder(self):
        if not hasattr(self.own, "folder"):
            with self.lock:
                self.count += 1
                name = f"run{self.count}"
            self.own.folder = Folder(os.path.join(self.scratch, name), self.write_inputs)
        return self.own.folder

    def run(self, subject, program, before=()):
        """The outcome of the program with what stands before it."""
        folder = self.folder()
        out = {"null": subprocess.DEVNULL, "pipe": subprocess.PIPE}.get(subject.stdout)
        with open(os.path.join(folder.path, subject.stdin), "rb") as stdin:
            target = out if out is not None else open(os.path.join(folder.path, "output"), "wb")
            process = subprocess.Popen([*before, program, *subject.arguments], cwd=folder.path, stdin=stdin, stdout=target,
                                       stderr=subprocess.PIPE, pipesize=PIPE_BYTES, start_new_session=True)
            if out is None:
                target.close()
            heard = subject.server.ask(folder.path, process, bool(before)) if subject.server else b""
            try:
                told, errors = process.communicate(timeout=HANGS_S)
                code = process.returncode if process.returncode >= 0 else 128 - process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                told, errors = process.communicate()
                code = "hangs"
        errors = errors.decode(errors="replace").replace(program, "PROGRAM").replace(os.path.basename(program), "PROGRAM")
        errors = errors.replace(folder.path, "FOLDER")
        if subject.server:
            errors = subject.server.masked(errors.encode()).decode()
        left = folder.left(subject.server.masked if subject.server else bytes)
        if subject.racing:
            errors = "\n".join(sorted(set(TEMPORARY.sub(r"\1", errors).splitlines())))
            left = tuple(sorted((TEMPORARY.sub(r"\1", name), what) for name, what in left))
        return Outcome(code, hashlib.sha256((told or b"") + heard).hexdigest(), errors, left)

    def calls(self, subject, program):
        folder = self.folder()
        logs = os.path.join(self.scratch, f"{os.path.basename(folder.path)}.calls")
        shutil.rmtree(logs, ignore_errors=True)
        os.makedirs(logs)
        # A file for each process, for a fault comes at the which-th call of each.
        self.run(subject, program, ["strace", "-ff", "-y", "-s", "0", "-o", os.path.join(logs, "of")])
        calls = []
        for name in sorted(os.listdir(logs), key=lambda name: int(name.rpartition(".")[2])):
            with open(os.path.join(logs, name), encoding="utf-8", errors="replace") as text:
                told = text.read()
            calls += parse(told, folder.path)
            self.names.setdefault(program, set()).update(names_in(told))
        return calls


class Cases:
    """All of one subject."""

    def __init__(self, runner, subject, original, optimised, filters):
        self.runner = runner
        self.subject = subject
        self.original = original
        self.optimised = optimised
        self.without = runner.run(subject, original)
        own = runner.run(subject, optimised)
        if own != self.without:
            sys.exit(f"inject: {subject.name}: differs without any fault: {self.without}; optimised: {own}")
        pairs, self.gaps = aligned(runner.calls(subject, original), runner.calls(subject, optimised))
        both = [(fault, (first,), second) for first, second in pairs for fault in self.faults(first)]
        # Where processes race, a call that one run makes may be one that the other program makes in another run: it is asked, too.
        same = (lambda call: [call]) if subject.racing else (lambda call: [])
        instead = [(fault, tuple((before + beside if fault.kind == "signal" else before) + same(call)), call)
                   for before, after, beside in self.gaps for call in after for fault in self.faults(call)]
        forbidden = [(Fault("forbidden", answer), (), Call(name, 1, "", name)) for answer in FORBIDDEN
                     for name in sorted(runner.names[optimised] - runner.names[original]) if filters]
        self.all = [(self, *case, False) for case in both] + [(self, *case, True) for case in instead + forbidden]
        if not self.all:
            sys.exit(f"inject: {subject.name}: strace told no system calls of it")

    def faults(self, call):
        """What shortens calls looks after one process only."""
        own = [fault for fault in faults_of(call.name) if not (self.subject.racing and fault.kind == "short")]
        return [fault for fault in own if fault.kind == "signal" or not self.is_undefined(call)]

    def is_undefined(self, call):
        return any(f"{call.name} {call.about}".startswith(beginning) for beginning in self.subject.undefined)

    def told(self):
        """What the one makes and the other doesn't."""
        gone = Counter(call.name for before, _, _ in self.gaps for call in before)
        new = Counter(call.name for _, after, _ in self.gaps for call in after)
        names = [f"{counts[name]} {name}" for counts in (gone, new) for name in sorted(counts)]
        return f"{len(self.all)} cases; only the original: {', '.join(names[:len(gone)]) or 'none'}; " \
               f"only the optimised: {', '.join(names[len(gone):]) or 'none'}"

    def with_fault(self, program, fault, call):
        return self.runner.run(self.subject, program, command_with(fault, call, self.runner.shortener))

    def difference(self, fault, originals, call, instead):
        """None, or what differs."""
        found = self.with_fault(self.optimised, fault, call)
        if instead and found == self.without:
            return None
        wanted = self.without
        for original in (original for original in originals if fault in faults_of(original.name)):
            wanted = self.with_fault(self.original, fault, original)
            if found == wanted or self.subject.varies and self.have_one_in_common(fault, original, call):
                return None
        command = " ".join(command_with(fault, call, self.runner.shortener))
        return (f"{self.subject.name}: {fault} at {call}\n  original:  {wanted}\n  optimised: {found}\n"
                f"  {command} {self.optimised} {' '.join(self.subject.arguments)}\n"
                f"  original's call: {[f'{c.name} {c.which}' for c in originals[:4]]}")

    def have_one_in_common(self, fault, original, call):
        # How often a process waits differs from run to run: the call that the optimised one's number names may be the same as well.
        numbered = {original.which: original, call.which: call} if self.subject.racing and original.name == call.name else {0: original}
        first, second = set(), set()
        for _ in range(RACES):
            first.update(self.with_fault(self.original, fault, same) for same in numbered.values())
            second.add(self.with_fault(self.optimised, fault, call))
            if first & second:
                return True
        return False


def check(cases):
    """How many differ; the first ones are told."""
    different = []
    with ThreadPoolExecutor(WORKERS) as pool:
        for found in pool.map(lambda case: case[0].difference(*case[1:]), cases):
            if found:
                different.append(found)
                print(found if len(different) <= EVIDENCE else found.splitlines()[0], flush=True)
    return len(different)


def arguments():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(root, "build"), help="the build folder (default: build)")
    parser.add_argument("--subjects", help="only these, separated by commas")
    parser.add_argument("--quick", action="store_true", help="only those whose packages the tests build")
    parser.add_argument("--sample", type=int, help="so many cases, by lot")
    parser.add_argument("--seed", type=int, default=seeds.seed(), help="of the lot")
    parser.add_argument("--racing", action="store_true", help="the pair's processes race: one outcome in common is enough")
    parser.add_argument("--server", action="store_true", help="the pair are servers: clients ask them what they ask nginx")
    parser.add_argument("--filters", action="store_true", help="the pair under filters of system calls, too, as the built ones are")
    parser.add_argument("--pair", nargs=argparse.REMAINDER, help="two programs and their arguments, in place of the built ones")
    return parser.parse_args()


def main():
    import subjects as own
    options = arguments()
    if options.pair:
        first, second, *words = options.pair
        chosen = [own.Subject("pair", tuple(words), racing=options.racing, server=own.asked if options.server else None)]
        programs = {"pair": (os.path.abspath(first), os.path.abspath(second))}
    else:
        names = options.subjects.split(",") if options.subjects else None
        chosen = [subject for subject in own.SUBJECTS if (subject.name in names if names else subject.quick or not options.quick)]
        programs = own.built(chosen, options.build)
    runner = Runner(os.path.join(os.path.abspath(options.build), "bench", "inject"), own.write_inputs)
    cases = []
    for subject in chosen:
        found = Cases(runner, subject, *programs[subject.name], options.filters or not options.pair)
        print(f"{subject.name}: {found.told()}", flush=True)
        cases += found.all
    if options.sample:
        cases = random.Random(options.seed).sample(cases, min(options.sample, len(cases)))
    different = check(cases)
    print(f"{len(cases)} cases, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
