#!/usr/bin/env python3
# tests: random programs whose handler does something to the descriptors in use, at each of their system calls, and under filters of calls
"""usage: act.py --build BUILD [--programs N] [--scripts N] [--cases N] [--first SEED] [--spoil torn|blind] [--only handlers|filters] [--keep FOLDER]

A signal comes at the k-th system call of the optimised program, or when the kernel has moved so many bytes of it. What the program leaves must be
what the original leaves when the signal comes at the call that is the same, or, where the optimised program makes another one, at one of those in
whose place it stands. A call that only the optimised program makes is forbidden by a filter, which kills or gives an error: it must do what
the original does."""

import difflib
import itertools
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.append(os.path.dirname(os.path.realpath(__file__)))
import generate  # noqa: E402
from run import HERE, Tried, arguments, difference, folder_of, run  # noqa: E402

# w: writes, s: seeks, c: closes, d: puts another file in its place, t: cuts it off, f: sets a flag, j: jumps out; of a descriptor, or of all.
ACTIONS = "wscdtfj"
DESCRIPTORS = (0, 3, 4, 5, 6)
# Within a call, after so many bytes: at a block's end, in one, and before anything is done.
BYTES = (0, 1, 4096, 5000, 20000)
# Of files: a run of some hundred calls has room for all that may happen.
SIZES = (0, 1, 4096, 5000, 30_000, 60_000)
AT_CALL, BEFORE_CALL = -1, -2
COPIES = {40, 326}  # sendfile, copy_file_range
# Calls in which nobody may jump out of what the C library is doing: of memory's protection, of handlers.
NO_WAY_OUT = {10, 13}
# Of processes: another one is at work, and who comes first is chance.
RACING = {56, 57, 61, 435}
EPERM, ENOSYS = 1, 38
RT_SIGACTION, SIGUSR1 = 13, 10
LONGEST = 1500  # calls of a run: aligning takes the square of it
# Of a run that is logged (a program that copies a file into itself byte by byte makes millions): a traced call takes some 0.2 ms.
MOST_LOGGED = 20_000
# A handler may make a program's own loop endless: both are left alone then. A run takes a hundredth of it.
PATIENCE_S = 10
# Of memory and of signals' masks: they are no part of what a program does in order.
NOT_ALIGNED = {9, 11, 12, 14, 25, 28}
ADDRESS = 1 << 32
# A random program begins each of its turns with it (getppid), so that a call is looked for in its own turn first.
MARK = 110
MOST_DESCRIPTORS = 10  # that these programs have at once
EVIDENCE = 3


class Calls:
    """Of one run: number, result, first argument, from the handler's registration on."""

    def __init__(self, path):
        with open(path, encoding="ascii") as lines:
            rows = [tuple(map(int, line.split())) for line in lines]
        rows = [row for row in rows if len(row) == 3]  # the last one is cut off where the run was ended
        start = next((i for i, row in enumerate(rows) if row[0] == RT_SIGACTION and row[2] == SIGUSR1), len(rows))
        self.first = start + 1
        self.keys = [(number, result if abs(result) < ADDRESS else "address") for number, result, _ in rows]
        self.descriptors = [argument if 0 < argument < MOST_DESCRIPTORS else 0 for _, _, argument in rows]  # 0: none
        self.names = {number for number, _, _ in rows}

    def __len__(self):
        return len(self.keys)

    def is_whole(self):
        return len(self) < MOST_LOGGED


def turns_of(calls, kept):
    """The calls that are kept, turn by turn; of a program that has none: all."""
    marks = [at for at, i in enumerate(kept) if calls.keys[i][0] == MARK]
    for begin, end in zip([0, *marks], [*marks, len(kept)]):
        yield kept[begin:end]


class Acted:
    """A program, its optimised form, and what one script makes of both."""

    def __init__(self, tried, program, script, moment):
        self.tried, self.program, self.script, self.moment = tried, program, script, moment
        self.own = self.calls(program)
        self.calls_of_original = self.calls(tried.original)
        self.place = {}  # of a call of the optimised program: which one it is of the original's, or the first and last that it may stand for
        self.only_own = []
        self.outcomes = {}
        if max(len(self.own), len(self.calls_of_original)) > LONGEST:
            return
        self.align()

    def align(self):
        before, after = ([i for i, key in enumerate(calls.keys) if key[0] not in NOT_ALIGNED] for calls in (self.calls_of_original, self.own))
        turns = (list(turns_of(calls, kept)) for calls, kept in ((self.calls_of_original, before), (self.own, after)))
        at, last = 0, len(self.calls_of_original) - 1
        for of_original, of_own in itertools.zip_longest(*turns, fillvalue=()):
            keys = [[calls.keys[i] for i in turn] for calls, turn in ((self.calls_of_original, of_original), (self.own, of_own))]
            for kind, a, b, c, d in difflib.SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
                for j in range(c, d):
                    if kind == "equal":
                        self.place[of_own[j]] = (of_original[a + j - c],) * 3
                    else:
                        # The first, the last, and the one that lies as far in.
                        ends = (max(at + a - 1, 0), at + b, at + a + (b - a) * (j - c) // (d - c))
                        self.place[of_own[j]] = tuple(before[i] if i < len(before) else last for i in ends)
                        self.only_own.append(of_own[j])
            at += len(of_original)

    def calls(self, program):
        path = os.path.join(self.tried.folder, "calls")
        self.tried.seen(program, self.script, (self.moment, "log", path, str(MOST_LOGGED)), "n0")
        return Calls(path)

    def cases(self, pick, count, kinds=ACTIONS, descriptors=DESCRIPTORS):
        """(call, bytes, action): rather those that stand for many of the original's, and those of the optimised program alone."""
        able = [j for j in range(self.own.first, len(self.own)) if j in self.place and self.own.keys[j][0] not in RACING]
        own = [j for j in self.only_own if j in able]
        # Only where a call stands for many may the kernel be interrupted in its middle: else that is a short call of the original too.
        many = [j for j in own if self.own.keys[j][0] in COPIES - self.calls_of_original.names]
        chosen = []
        for _ in range(count if able else 0):
            call = pick.choice(next(calls for calls, share in ((many, 0.3), (own, 0.6), (able, 1)) if calls and pick.random() < share))
            moved = pick.choice((AT_CALL, BEFORE_CALL, *(BYTES if call in many else ())))
            actions = kinds.replace("j", "") if self.own.keys[call][0] in NO_WAY_OUT else kinds
            very = self.own.descriptors[call]
            chosen.append((call, moved, pick.choice(actions) + str(very if very and pick.random() < 0.5 else pick.choice(descriptors))))
        return chosen

    def seen(self, program, call, moment, action):
        """None: it did not end."""
        try:
            return self.tried.seen(program, self.script, (self.moment, "signal", str(call + 1), str(moment)), action, PATIENCE_S)
        except subprocess.TimeoutExpired:
            return None

    def original(self, call, moment, action):
        if (call, moment, action) not in self.outcomes:
            self.outcomes[call, moment, action] = self.seen(self.tried.original, call, moment, action)
        return self.outcomes[call, moment, action]

    def wrong(self, call, moved, action):
        found = self.seen(self.program, call, moved, action)
        low, high, likely = self.place[call]
        # A program that repeats itself can be aligned in several ways: what the original may leave at any other moment is right, too. Where
        # one call stands for many, a handler mostly runs before all of them or behind.
        moments = sorted(range(self.calls_of_original.first, len(self.calls_of_original)),
                         key=lambda one: min(abs(one - moment) for moment in (low, high, likely)))
        for one in moments:
            for moment in (AT_CALL, BEFORE_CALL):
                wanted = self.original(one, moment, action)
                if found == wanted or (found and wanted and not difference(wanted, found)):
                    return ""
        wanted = self.original(moments[0], AT_CALL, action)
        what = difference(wanted, found) if found and wanted else f"{'optimised' if wanted else 'original'} does not end"
        return f"script {self.script}: {action} at call {call + 1} {self.own.keys[call]}, bytes {moved}; original's {low + 1} to {high + 1}: {what}"

    def wrong_under_filter(self, number, answer):
        wanted = self.tried.seen(self.tried.original, self.script)
        found = self.tried.seen(self.program, self.script, (self.moment, "forbid", str(number), answer))
        what = difference(wanted, found)
        return f"script {self.script}: call {number} is forbidden ({answer}): {what}" if what else ""


def try_program(options, seed, moment, told):
    with folder_of(options.keep, seed) as folder:
        tried = Tried(os.path.join(options.build, "bin", "thalweg"), folder, seed, SIZES, acts=True)
        if options.spoil:
            program, kinds = tried.spoiled(options.spoil), Counter()
        else:
            program, kinds = tried.optimised(generate.decisions(tried.pick, tried.sites()), 0)
        told["applied"].update(kinds)
        wrong = []
        for script in (seed * 1000 + i for i in range(options.scripts if program else 0)):
            acted = Acted(tried, program, script, moment)
            if not (acted.own.is_whole() and acted.calls_of_original.is_whole()):
                told["passed over"]["too long"] += 1
                continue
            for case in acted.cases(tried.pick, options.cases) if options.only != "filters" else ():
                # Each that differs is held against all moments of the original: some are enough.
                if sum(map(bool, wrong)) < EVIDENCE:
                    told["cases"]["with a handler"] += 1
                    wrong.append(acted.wrong(*case))
            for number in sorted(acted.own.names - acted.calls_of_original.names) if options.only != "handlers" else ():
                for answer in ("kill", str(EPERM), str(ENOSYS)):
                    told["cases"]["under a filter"] += 1
                    wrong.append(acted.wrong_under_filter(number, answer))
        return [f"program {seed}: {what}" for what in wrong if what]


def main():
    parser = arguments(__doc__, programs=6, scripts=2, cases=40)
    parser.add_argument("--spoil", choices=("torn", "blind"))
    parser.add_argument("--only", choices=("handlers", "filters"))
    options = parser.parse_args()
    print(f"programs from --first {options.first}", flush=True)
    told = {"applied": Counter(), "cases": Counter(), "passed over": Counter()}
    different = 0
    with tempfile.TemporaryDirectory(prefix="thalweg-moment-") as scratch:
        moment = os.path.join(scratch, "moment")
        run(["clang-19", "-O1", os.path.join(HERE, "moment.c"), "-o", moment])
        for seed in range(options.first, options.first + options.programs):
            found = try_program(options, seed, moment, told)
            for what in found[:EVIDENCE]:
                print(what, flush=True)
            different += len(found)
    for what, counts in told.items():
        print(f"{what}: " + (", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing"))
    print(f"{sum(told['cases'].values())} cases, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
