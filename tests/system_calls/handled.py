#!/usr/bin/env python3
# tests: a copying loop whose handlers act on its descriptors: what the program leaves is what a loop of whole blocks leaves.
"""usage: handled.py --build BUILD [--rounds N] [--sabotage LIBRARY]

Each action of handled.c, with an interval timer of each period, original and optimised: what is true of the files whenever the
handler came, between two calls of the loop, must be true of both programs' files."""

import argparse
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
BLOCK = 1000
SIZE = 6_000_400  # some parts of 1 MiB, and less than a block at the end
OTHER = 3_210
PERIODS_US = (60, 250, 900, 2500)
SKIPPED = 77


class Run:
    """What one run left: the numbers that it printed, and its files."""

    def __init__(self, place, program, action, period):
        target, other = os.path.join(place, "to"), os.path.join(place, "other")
        for name in (target, other):
            if os.path.exists(name):
                os.unlink(name)
        if action == "replace-source":
            with open(other, "wb") as out:
                out.write(b"o" * OTHER)
        done = subprocess.run([program, os.path.join(place, "from"), target, other, action, str(period)], capture_output=True,
                              text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
        self.result, self.acted, self.limit, self.read_at, self.write_at, self.size, self.is_blocked, self.written = map(int, done.stdout.split())
        self.target = content(target)
        self.other = content(other)


def content(path):
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def is_whole(size):
    return size % BLOCK == 0


def is_late(run, source):
    """The handler came behind the last write."""
    return run.written == run.result == len(source) and run.target == source


def is_row_of_blocks(run, source):
    """Blocks of the source, each the next one or one that was read again."""
    if len(run.target) != len(source) + run.acted * BLOCK:
        return False
    numbers = {source[at:at + BLOCK]: at // BLOCK for at in range(0, len(source), BLOCK)}
    before = -1
    for at in range(0, len(run.target), BLOCK):
        number = numbers.get(run.target[at:at + BLOCK], len(source))
        if number > before + 1:
            return False
        before = number
    return True


def is_emptied_once(run, source):
    """Zeros up to where the next block was written."""
    begins = len(run.target) - len(run.target.lstrip(b"\0"))
    return run.target[begins:] == source[begins:len(run.target)] and (is_whole(begins) or begins == len(run.target))


# What holds of each action's outcome if it came in time.
HOLDS = {
    "nothing": lambda run, source: run.result == len(source) and run.target == source,
    "mark": lambda run, source: run.target.replace(b"<MARK>", b"") == source and run.target.count(b"<MARK>") == run.acted,
    "jump": lambda run, source: run.result == -9 and run.target == source[:run.write_at] and is_whole(run.read_at)
            and is_whole(run.write_at) and run.read_at - run.write_at in (0, BLOCK) and run.size == run.write_at,
    "close-target": lambda run, source: is_late(run, source) or run.result == -2 and is_whole(run.written) and run.target == source[:run.written],
    "replace-target": lambda run, source: is_late(run, source) or run.target + run.other == source and len(run.target) == run.written
                      and is_whole(run.written),
    # Also between the last read of the source and its write.
    "replace-source": lambda run, source: is_late(run, source) or run.target.endswith(b"o" * OTHER) and source.startswith(run.target[:-OTHER])
                      and (is_whole(len(run.target) - OTHER) or len(run.target) - OTHER == len(source)),
    "empty-target": is_emptied_once,
    "step-back": is_row_of_blocks,
    "append": lambda run, source: run.target == source,
    "set-limit": lambda run, source: run.limit >= len(source) == run.result and run.target == source
                 or run.result == -2 and run.target == source[:run.limit],
}


def built(build, place):
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "..", "ir", "transform.py"), "--build", build, "--keep", place, "run",
                    os.path.join(HERE, "handled.c")], check=True, stdout=subprocess.DEVNULL)
    return [os.path.join(place, name) for name in ("original", "optimised")]


def copies_by_kernel(place, program):
    calls = os.path.join(place, "calls")
    subprocess.run(["strace", "-o", calls, "-e", "trace=sendfile", program, os.path.join(place, "from"), os.path.join(place, "to"), "-",
                    "nothing", "0"], check=True, stdout=subprocess.DEVNULL)
    return b"sendfile" in content(calls)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    place = os.path.join(os.path.abspath(options.build), "bench", "handled")
    os.makedirs(place, exist_ok=True)
    source = bytes(random.Random(7).choices(b"abcdefghijklmnopqrstuvwxyz", k=SIZE))
    with open(os.path.join(place, "from"), "wb") as out:
        out.write(source)
    programs = built(options.build, place)
    if not copies_by_kernel(place, programs[1]):
        print("the kernel copies nothing here: the file system is on no list, or there is a filter of system calls")
        return SKIPPED
    wrong, acted = [], {program: 0 for program in programs}
    cases = [(action, period, program) for _ in range(options.rounds) for action in HOLDS for period in PERIODS_US for program in programs]
    for action, period, program in cases:
        run = Run(place, program, action, period)
        acted[program] += run.acted > 0
        if run.is_blocked or (run.acted > 0 and not HOLDS[action](run, source)) or (run.acted == 0 and run.target != source):
            wrong.append(f"{action} every {period} us, {os.path.basename(program)}: {vars(run) | {'target': len(run.target), 'other': len(run.other)}}")
    print(f"{len(cases)} cases, in {acted[programs[0]]} of the original's and {acted[programs[1]]} of the optimised program's a handler acted, "
          f"{len(wrong)} are wrong")
    print("\n".join(wrong))
    return 1 if wrong or min(acted.values()) < len(HOLDS) else 0


if __name__ == "__main__":
    sys.exit(main())
